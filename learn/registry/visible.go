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
	modelfile.SetSome(f, prefix+tieDeviations, v.Deviations, len(v.Deviations))
	if v.Distance != 0 {
		modelfile.Set(f, prefix+tieDistance, []float64{v.Distance}, 1)
	}
	modelfile.SetSome(f, prefix+tiePairs, v.PairTies, len(v.Worths), len(v.Worths))
	modelfile.SetSome(f, prefix+orderPairs, v.PairOrders, len(v.Worths), len(v.Worths))
}

// ties reads what setTies wrote.
func ties(r *modelfile.Reader, prefix string, v *osm.Visible) {
	n := len(v.Worths)
	var distance []float64
	modelfile.IntoSome(r, &v.Deviations, prefix+tieDeviations, n)
	modelfile.IntoSome(r, &distance, prefix+tieDistance, 1)
	modelfile.IntoSome(r, &v.PairTies, prefix+tiePairs, n, n)
	modelfile.IntoSome(r, &v.PairOrders, prefix+orderPairs, n, n)
	if distance != nil {
		v.Distance = distance[0]
	}
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
	r := modelfile.Reader{File: f}
	if ties(&r, "", v); r.Err != nil {
		return nil, r.Err
	}
	return v, v.Check()
}
