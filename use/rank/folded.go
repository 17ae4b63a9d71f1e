package rank

import (
	"fubini/model"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Folded is a person whose preferences were folded into a catalogue.
type Folded struct {
	Catalogue *latent.Catalogue
	List      osm.List
	Embedding []float64 // posterior means of the hidden units
}

// Read folds a person's preferences in. A person without items has the means of an average person.
func Read(c *latent.Catalogue, person model.Person) (*Folded, error) {
	list, err := osm.ListOf(person.Known)
	if err != nil {
		return nil, err
	}
	embedding, err := Fold(c, list)
	if err != nil {
		return nil, err
	}
	return &Folded{c, list, embedding}, nil
}

// Score writes the score of each item, none of which the person placed.
func (f *Folded) Score(items []int, scores []float64) {
	Complete(f.Catalogue, f.Embedding, len(f.List.Items), items, scores)
}
