// Package preflib reads and writes the files of PrefLib, a library of elections and other preferences: orders with ties,
// complete or not, each with its number of voters.
package preflib
