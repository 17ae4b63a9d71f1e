// Package liberationsansregular provides the "LiberationSans Regular" TrueType font
// from the Liberation font family.
package liberationsansregular

import _ "embed"

// TTF is the data for the "LiberationSans Regular" TrueType font.
//
//go:embed LiberationSans-Regular.ttf
var TTF []byte
