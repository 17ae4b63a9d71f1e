// Command ownmodel is the whole program with one more model, shrunk, which is compared with ours, kept in a file and served:
//
//	go run ./examples/ownmodel evaluate RATINGS --models shrunk,item-mean,latent-osm
//	go run ./examples/ownmodel train RATINGS --model shrunk --set pull=2 -o shrunk.safetensors
//	go run ./examples/ownmodel serve shrunk.safetensors
package main

import (
	"context"

	"fubini"
	"fubini/cmd/fubini/program"
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

func init() {
	if err := fubini.Register("shrunk", func() fubini.Recipe { return &shrunk{Pull: 5} }); err != nil {
		panic(err)
	}
}

func main() { program.Main() }
