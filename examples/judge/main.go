// Command judge compares a model of one's own, the mean rating of an item, with ours: judge RATINGS
package main

import (
	"context"
	"fmt"
	"os"

	"fubini"
)

type recipe struct{}

func (recipe) Settings() []fubini.Setting { return nil }

func (recipe) Fit(_ context.Context, data *fubini.Table, _ fubini.Run) (fubini.Scorer, error) {
	sum, count := make(means, data.Items().Len()), make([]float64, data.Items().Len())
	for u := range data.Users().Len() {
		for k, item := range data.Row(u).Items {
			sum[item] += float64(data.Row(u).Values[k])
			count[item]++
		}
	}
	for i := range sum {
		sum[i] /= count[i] + 1 // one rating of zero more
	}
	return sum, nil
}

func (recipe) Load(*fubini.File, int) (fubini.Scorer, error) { panic("it is not kept in a file") }

type means []float64

func (m means) Score(_ fubini.Known, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = m[i]
	}
}

func (m means) Save(*fubini.File) error { panic("it is not kept in a file") }

func main() {
	if err := fubini.Register("means", func() fubini.Recipe { return recipe{} }); err != nil {
		panic(err)
	}
	data := fubini.Must(fubini.ReadData(os.Args[1]))
	for _, r := range fubini.Must(fubini.Evaluate(context.Background(), data, []string{"means", "latent-osm"}, fubini.Given(10))) {
		fmt.Println(r)
	}
}
