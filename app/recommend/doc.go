// Package recommend ranks items for one person or for millions: a model and rules on one side, a person's preferences on
// the other, rows of items with their odds as the answer. The command, the server and the pipelines in beam/ all answer
// here, so that they give the same numbers. It also writes the answers in several forms, and keeps account of folders
// of parts.
package recommend
