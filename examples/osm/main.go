// Command osm is the Ordered Set Model by hand: the probability of a tier list of four items, and lists drawn from it.
package main

import (
	"fmt"

	"fubini"
)

func main() {
	model := fubini.OSM([]float64{1, 0.5, 0, -1}, 0.3) // worths, and the tie parameter
	logZ := fubini.Must(model.LogZ())
	weight := fubini.Must(model.LogWeight([][]int{{0, 1}, {2}, {3}})) // the first two tied on top
	fmt.Printf("log Z %.4f, log P %.4f\n", logZ, weight-logZ)
	for _, tiers := range fubini.Must(model.Sample(3, 1)) {
		fmt.Println(tiers)
	}
}
