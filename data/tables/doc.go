// Package tables reads and writes ratings that stand one a line in a text file: CSV and TSV, the files of MovieLens, Netflix
// and RecBole, JSON lines, and the two files of TREC.
package tables
