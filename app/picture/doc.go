// Package picture draws boards and maps as SVG or PNG: forest plots ([Forest]), heat maps of all pairs ([Heat]), and maps
// of points with names ([Map]). It stands above what it draws, so that a program that only
// loads models links no plotting library.
package picture

import "fmt"

func check(kind string) error {
	if kind != "svg" && kind != "png" {
		return fmt.Errorf("picture: no picture of kind %q; there are svg and png", kind)
	}
	return nil
}
