// Package liberationserifbold has the letters of liberationserifregular: the program draws nothing in this face.
package liberationserifbold

import "codeberg.org/go-fonts/liberation/liberationserifregular"

// TTF is the data of the font.
var TTF = liberationserifregular.TTF
