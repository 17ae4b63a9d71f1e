// Package lastpage has slices that end where memory ends, for tests of assembly: one byte further on nothing can be read or written, and the test program stops.
package lastpage
