// Package jobs runs pieces of work that outlast their requests, one after the other.
//
// A [Runner] takes jobs that are in the store, writes their states and progress there, and tells whoever watches.
// Several servers may share a store: each runs its own jobs, beats while it is there, and ends the jobs of those
// that have been silent for too long.
package jobs
