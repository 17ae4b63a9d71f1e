// Package paper makes the tables and figures: those of the paper, and the league of
// models that goes past it. Work is divided into cells, each one model on one
// split; a finished cell is kept in a [Store] and never run again.
package paper
