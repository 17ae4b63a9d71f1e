// Package cli is the frame that all commands share: the program and its global flags, values of flags and of the
// environment, files that a command reads and writes, results in several formats, messages and help pages.
package cli
