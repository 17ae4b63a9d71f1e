// Package liberationsansbold has the letters of liberationsansregular: the program draws nothing in this face.
package liberationsansbold

import "codeberg.org/go-fonts/liberation/liberationsansregular"

// TTF is the data of the font.
var TTF = liberationsansregular.TTF
