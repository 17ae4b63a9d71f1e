// Package cells divides work into cells, each one model on one split, or one estimate. A finished
// cell is kept in a [Store] and never run again.
package cells
