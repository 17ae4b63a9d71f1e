// Package paper makes the tables and figures of the paper, one file each.
//
// A [Reproduction] goes through its targets twice: first to count their cells, then to run
// them and to put each [Result] together: tables with the paper's own figures beside ours
// (published.go), and pictures. [Report] makes the page about all of them,
// docs/reproduction.md, from report.md.tmpl.
package paper
