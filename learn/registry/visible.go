package registry

import (
	"fmt"

	"fubini/data/modelfile"
	"fubini/model/latent"
	"fubini/model/osm"
)

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

// NewVisible is a fit to votes as a model: worths and one tie weight as a catalogue without
// units, and the rest of the form beside it.
func NewVisible(v *osm.Visible) *Latent {
	c := latent.Shape{Items: len(v.Worths), Units: latent.Binary}.New()
	copy(c.U, v.Worths)
	*c.Nu = v.Nu
	return &Latent{Catalogue: c, Visible: v}
}

func setVisible(f *modelfile.File, v *osm.Visible) error {
	if v.Deviations != nil {
		modelfile.Set(f, tieDeviations, v.Deviations, len(v.Deviations))
	}
	if v.Distance != 0 {
		modelfile.Set(f, tieDistance, []float64{v.Distance}, 1)
	}
	for name, pairs := range map[string][]float64{tiePairs: v.PairTies, orderPairs: v.PairOrders} {
		if pairs != nil {
			modelfile.Set(f, name, pairs, len(v.Worths), len(v.Worths))
		}
	}
	return f.SetJSON(keyVisible, visible{v.Space.String()})
}

// visibleOf reads the form of a fit to votes; nil if the file has none.
func visibleOf(f *modelfile.File, c *latent.Catalogue) (*osm.Visible, error) {
	if _, there := f.Metadata[keyVisible]; !there {
		for _, name := range []string{tieDeviations, tieDistance, tiePairs, orderPairs} {
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
	if v.Deviations, err = modelfile.Optional[float64](f, tieDeviations, c.Items); err != nil {
		return nil, err
	}
	distance, err := modelfile.Optional[float64](f, tieDistance, 1)
	if err != nil {
		return nil, err
	}
	if distance != nil {
		v.Distance = distance[0]
	}
	if v.PairTies, err = modelfile.Optional[float64](f, tiePairs, c.Items, c.Items); err != nil {
		return nil, err
	}
	if v.PairOrders, err = modelfile.Optional[float64](f, orderPairs, c.Items, c.Items); err != nil {
		return nil, err
	}
	return v, v.Check()
}
