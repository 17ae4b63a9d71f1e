// Package paper makes the tables and figures of the paper, one file each.
//
// A [Reproduction] goes through its targets twice: first to count their cells, then to run
// them. A [Result] has tables, with the paper's numbers (published.json) beside ours, and pictures. [Report]
// is the page about all of them, docs/reproduction.md, from report.md.tmpl.
package paper
