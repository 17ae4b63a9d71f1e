// Package text reads lines, fields and numbers from text files, without a copy for each of them.
// Errors name the file, the line and the text that is wrong.
package text
