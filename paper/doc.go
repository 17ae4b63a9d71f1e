// Package paper makes the tables and figures of the paper, one file each.
//
// A [Reproduction] goes through its targets twice: first to count their cells, then to run
// them. A [Result] has tables, with the paper's numbers (published.json) beside ours, and pictures. The page
// about all of them, docs/reproduction.md, is made by package report.
package paper
