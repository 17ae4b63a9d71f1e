// Package input opens what commands read: ratings, splits of them, and trained models.
package input
