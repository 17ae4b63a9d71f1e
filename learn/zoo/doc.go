// Package zoo knows every model by the name it has on the command line: its
// settings, and how to fit it to ratings.
package zoo
