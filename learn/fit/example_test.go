package fit_test

import (
	"context"
	"fmt"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/learn/fit"
	"fubini/model/osm"
)

// A model with features of one's own: five dishes, people who like to tie
// dishes of one kind, and put spicy ones first.
func ExampleFit() {
	spicy := []float64{1, 0, 1, 0, 0}
	family := osm.Features{
		Ties: []osm.Feature{{Name: "same kind", Value: func(i, j int) float64 {
			if spicy[i] == spicy[j] {
				return 1
			}
			return 0
		}}},
		Orders: []osm.Feature{{Name: "spicy first", Value: func(i, _ int) float64 { return spicy[i] }}},
	}

	// Data: 300 tier lists drawn exactly from the model at known weights.
	items := []int{0, 1, 2, 3, 4}
	model, _ := family.Bind(items)
	model.SetParameters([]float64{0.8, 0.5})
	table, _ := exact.NewTable(model, partition.Space{})
	r := rng.Stream(1, "people")
	lists := make([]osm.List, 300)
	for l := range lists {
		x := partition.OneBlock(len(items))
		table.Draw(r, x)
		lists[l] = osm.List{Items: items, Order: x}
	}

	options := fit.Defaults()
	options.Seed = 1
	fitted, err := fit.Fit(context.Background(), family, lists, options)
	if err != nil {
		panic(err)
	}
	information, _ := osm.Information(family, fitted.Theta, lists, osm.InformationOptions{})
	errors, _ := osm.StandardErrors(family, information, 0)
	for k, v := range fitted.Theta {
		fmt.Printf("%-17s %.2f ± %.2f\n", family.Name(k), v, errors[k])
	}
	// Output:
	// tie same kind     0.78 ± 0.05
	// order spicy first 0.48 ± 0.03
}
