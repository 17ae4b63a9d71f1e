// Command ownmodel has a model of one's own, judges it beside ours, keeps it in a file and recommends by it:
//
//	go run ./examples/ownmodel RATINGS
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"fubini"
)

// shrunk is the mean rating of each item, pulled to zero by some made-up ratings.
type shrunk struct{ Pull float64 }

func (r *shrunk) Settings() []fubini.Setting {
	return []fubini.Setting{fubini.Number(&r.Pull, 5, fubini.Setting{Name: "pull", Means: "number of made-up ratings of zero", Low: 0.1, High: 100, Log: true})}
}

func (r *shrunk) Fit(_ context.Context, data *fubini.Table, _ fubini.Run) (fubini.Scorer, error) {
	sum, count := make(means, data.Items().Len()), make([]float64, data.Items().Len())
	for u := range data.Users().Len() {
		row := data.Row(u)
		for k, item := range row.Items {
			sum[item] += float64(row.Values[k])
			count[item]++
		}
	}
	for i := range sum {
		sum[i] /= count[i] + r.Pull
	}
	return sum, nil
}

func (r *shrunk) Load(f *fubini.File, items int) (fubini.Scorer, error) {
	values, err := fubini.Kept(f, "means", items)
	return means(values), err
}

type means []float64

func (m means) Score(_ fubini.Known, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = m[i]
	}
}

func (m means) Save(f *fubini.File) error {
	fubini.Keep(f, "means", m)
	return nil
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: ownmodel RATINGS")
	}
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(path string) error {
	ctx := context.Background()
	if err := fubini.Register("shrunk", func() fubini.Recipe { return &shrunk{Pull: 5} }); err != nil {
		return err
	}
	data, err := fubini.ReadData(path)
	if err != nil {
		return err
	}
	results, err := fubini.Evaluate(ctx, data, []string{"shrunk", "item-mean", "latent-osm"}, fubini.Given(10))
	if err != nil {
		return err
	}
	for _, r := range results {
		mean, low, high, err := r.Metric("ndcg@5")
		if err != nil {
			return err
		}
		fmt.Printf("%-12s NDCG@5 %.4f (%.4f to %.4f)\n", r.Model, mean, low, high)
	}
	model, err := fubini.Train(ctx, data, fubini.Named("shrunk"), fubini.With("pull", "2"))
	if err != nil {
		return err
	}
	return model.Save("shrunk.safetensors")
}
