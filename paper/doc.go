// Package paper makes the tables and figures: those of the paper, one file each, and
// the league of models that goes past it. Work is divided into cells, each one model
// on one split, or one estimate; a finished cell is kept in a [Store] and never run
// again.
//
// A [Reproduction] lays out all cells of its targets in a [Plan], runs them, and puts
// each [Result] together: tables with the paper's own figures beside ours
// (published.go), and pictures (chart.go). [Report] makes the page about all of them,
// docs/reproduction.md, from report.md.tmpl.
package paper
