package registry

import (
	"fmt"

	"fubini/data/modelfile"
	"fubini/model/latent"
	"fubini/model/osm"
)

// unitShares is where the shares of the hidden units of a fit to votes stand in a file. What the base and the units have stands
// beside it, under names of [unitPrefix].
const unitShares = "tastes.shares"

// Where the form of a fit to votes stands in a file, beside its worths and tie weight.
const (
	keyVisible    = "visible"
	tieDeviations = "tie_deviations"
	tieDistance   = "tie_distance"
	tiePairs      = "tie_pairs"   // of features of pairs, a row an item
	orderPairs    = "order_pairs" // the same, of the item of the row above that of the column
)

type visible struct {
	Space string `json:"space"`
}

// setTies writes what a visible model has beside worths, nu and space, under names with a prefix.
func setTies(f *modelfile.File, prefix string, v *osm.Visible) {
	if v.Deviations != nil {
		modelfile.Set(f, prefix+tieDeviations, v.Deviations, len(v.Deviations))
	}
	if v.Distance != 0 {
		modelfile.Set(f, prefix+tieDistance, []float64{v.Distance}, 1)
	}
	for name, pairs := range map[string][]float64{tiePairs: v.PairTies, orderPairs: v.PairOrders} {
		if pairs != nil {
			modelfile.Set(f, prefix+name, pairs, len(v.Worths), len(v.Worths))
		}
	}
}

// ties reads what setTies wrote.
func ties(f *modelfile.File, prefix string, v *osm.Visible) (err error) {
	n := len(v.Worths)
	if v.Deviations, err = modelfile.Optional[float64](f, prefix+tieDeviations, n); err != nil {
		return err
	}
	distance, err := modelfile.Optional[float64](f, prefix+tieDistance, 1)
	if err != nil {
		return err
	}
	if distance != nil {
		v.Distance = distance[0]
	}
	if v.PairTies, err = modelfile.Optional[float64](f, prefix+tiePairs, n, n); err != nil {
		return err
	}
	v.PairOrders, err = modelfile.Optional[float64](f, prefix+orderPairs, n, n)
	return err
}

// visibleOf reads the form of a fit to votes; nil if the file has none.
func visibleOf(f *modelfile.File, c *latent.Catalogue) (*osm.Visible, error) {
	if _, there := f.Metadata[keyVisible]; !there {
		for _, name := range []string{tieDeviations, tieDistance, tiePairs, orderPairs, unitShares} {
			if _, there := f.Tensor(name); there {
				return nil, fmt.Errorf("registry: the file has %s, and no sample space", name)
			}
		}
		return nil, nil
	}
	var form visible
	if err := f.JSON(keyVisible, &form); err != nil {
		return nil, err
	}
	if c.K > 0 || c.Size != 0 || c.Centred || c.Sizes != nil {
		return nil, fmt.Errorf("registry: the file has a fit to votes, and hidden units or weights by size")
	}
	v := &osm.Visible{Worths: c.U, Nu: *c.Nu}
	var err error
	if v.Space, err = osm.ParseSpace(form.Space); err != nil {
		return nil, err
	}
	if err := ties(f, "", v); err != nil {
		return nil, err
	}
	return v, v.Check()
}
