package fubini_test

import (
	"context"
	"fmt"
	"math"

	"fubini"
)

func ExampleOrderedSet_LogZ() {
	logZ, err := fubini.OSM(make([]float64, 4), 0).LogZ() // all tier lists of four items weigh the same
	check(err)
	fmt.Printf("%.0f tier lists\n", math.Exp(logZ))
	// Output: 75 tier lists
}

func ExampleOrderedSet_LogWeight() {
	m := fubini.OSM([]float64{1, 0}, 0.5)
	above, err := m.LogWeight([][]int{{0}, {1}})
	check(err)
	below, err := m.LogWeight([][]int{{1}, {0}})
	check(err)
	fmt.Printf("log odds of the first item above the second: %.1f\n", above-below)
	// Output: log odds of the first item above the second: 1.0
}

func ExampleOrderedSet_Sample() {
	draws, err := fubini.OSM([]float64{2, 0, -2}, 0).Sample(3, 1)
	check(err)
	for _, tiers := range draws {
		fmt.Println(tiers)
	}
	// Output:
	// [[0] [1] [2]]
	// [[0] [1 2]]
	// [[0 1] [2]]
}

func ExampleOrderedSet_Anneal() {
	m := fubini.OSM([]float64{1, 0.5, 0, -1}, 0.3) // few enough for the exact answer too
	estimate, stdErr, err := m.Anneal(context.Background(), 1)
	check(err)
	exact, err := m.LogZ()
	check(err)
	fmt.Println("within four standard errors:", math.Abs(estimate-exact) <= 4*stdErr)
	// Output: within four standard errors: true
}
