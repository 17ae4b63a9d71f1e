package fubini_test

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"fubini"
)

// counts is a model of one's own: the score of an item is the number of its ratings, to a power.
type counts struct{ Power float64 }

func (r *counts) Settings() []fubini.Setting {
	return []fubini.Setting{fubini.Number(&r.Power, 1, fubini.Setting{Name: "power", Means: "exponent of the counts", Low: 0.1, High: 3})}
}

func (r *counts) Fit(_ context.Context, data *fubini.Table, _ fubini.Run) (fubini.Scorer, error) {
	scores := make(counted, data.Items().Len())
	for u := range data.Users().Len() {
		for _, item := range data.Row(u).Items {
			scores[item] += r.Power
		}
	}
	return scores, nil
}

func (r *counts) Load(f *fubini.File, items int) (fubini.Scorer, error) {
	values, err := fubini.Kept(f, "counts", items)
	return counted(values), err
}

type counted []float64

func (m counted) Score(_ fubini.Known, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = m[i]
	}
}

func (m counted) Save(f *fubini.File) error {
	fubini.Keep(f, "counts", m)
	return nil
}

// register adds the model once: the examples run in one program.
var register = sync.OnceValue(func() error {
	return fubini.Register("counts", func() fubini.Recipe { return &counts{Power: 1} })
})

func ExampleRegister() {
	// type counts struct{ Power float64 } has the methods Settings, Fit and Load of a Recipe.
	check(register()) // fubini.Register("counts", func() fubini.Recipe { return &counts{Power: 1} })
	model, err := fubini.Train(context.Background(), kitchen(), fubini.Named("counts"))
	check(err)
	person, err := model.Person([][]string{{"cake"}})
	check(err)
	top, err := person.Top(1)
	check(err)
	fmt.Println(top[0].Score, "people placed", top[0].Name)
	// Output: 61 people placed anchovies
}

func ExampleNames() {
	check(register())
	names := fubini.Names()
	fmt.Println(slices.Contains(names, "latent-osm"), slices.Contains(names, "item-mean"), slices.Contains(names, "counts"))
	// Output: true true true
}

func ExampleNumber() {
	r := &counts{Power: 1}
	power := fubini.Number(&r.Power, 1, fubini.Setting{Name: "power", Means: "exponent of the counts", Low: 0.1, High: 3})
	check(power.Set(2))
	fmt.Println(power.Name, r.Power)
	// Output: power 2
}

func ExampleKeep() {
	f := &fubini.File{}
	fubini.Keep(f, "means", []float64{3.5, 4.25})
	means, err := fubini.Kept(f, "means", 2)
	check(err)
	fmt.Println(means)
	// Output: [3.5 4.25]
}

func ExampleKept() {
	f := &fubini.File{}
	fubini.Keep(f, "means", []float64{3.5, 4.25})
	_, err := fubini.Kept(f, "means", 3)
	fmt.Println(err)
	// Output: modelfile: tensor "means" is float64 [2], expected float64 [3]
}
