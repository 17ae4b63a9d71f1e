// Package format reads and writes ratings in the formats that people have.
//
// [Read] takes a file or a known folder, finds out from the content how it is
// packed and what it is, and returns a set of ratings and a [Report] of what was
// read and left out. [ReadStream] does the same for standard input, [UserReader]
// reads one user at a time, [Write] is the way back. The formats themselves stand in package
// codec; [Readable] and [Writable] list them.
//
// Errors name the file, the line, the text that is wrong and what would be
// right. Memory grows with the ratings kept, not with the file.
package format
