package distributed_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/distributed"
	"fubini/learn/registry"
	"fubini/model"
)

// Rounds on four parts rank as well as one machine does: within 0.005 of its NDCG@5,
// mean of three seeds. FUBINI_ROUNDS asks for another number of rounds and of epochs in each,
// as in 20x1.
func TestRoundsRankAsWellAsOneMachine(t *testing.T) {
	data := os.Getenv("FUBINI_DATA")
	if data == "" || os.Getenv("FUBINI_LONG") == "" {
		t.Skip("needs FUBINI_DATA and FUBINI_LONG")
	}
	request := distributed.Defaults()
	if text := os.Getenv("FUBINI_ROUNDS"); text != "" {
		if _, err := fmt.Sscanf(text, "%dx%d", &request.Rounds, &request.Local); err != nil {
			t.Fatalf("FUBINI_ROUNDS: %v", err)
		}
	}
	for _, c := range []struct {
		name, file string
	}{{"ml-100k", "u.data"}, {"ml-1m", "ratings.dat"}} {
		t.Run(c.name, func(t *testing.T) {
			set, _, err := format.Read(os.DirFS(filepath.Join(data, c.name)), c.file, format.Options{})
			if err != nil {
				t.Skipf("FUBINI_DATA has no %s: %v", c.name, err)
			}
			if set, err = set.Levelled(ratings.Scale{Min: 1, Max: 5}); err != nil {
				t.Fatal(err)
			}
			const seeds = 3
			var one, many float64
			for seed := range uint64(seeds) {
				split, err := set.Paper(20, 10, seed+1)
				if err != nil {
					t.Fatal(err)
				}
				judge := func(m model.Model) float64 {
					result, err := evaluate.Judge(t.Context(), m, split.Holdout, evaluate.Options{})
					if err != nil {
						t.Fatal(err)
					}
					return result.Average("ndcg@5")
				}
				recipe, err := registry.New("latent-osm")
				if err != nil {
					t.Fatal(err)
				}
				fitted, err := recipe.Fit(t.Context(), split.Training.Set(), model.Run{Seed: seed + 1})
				if err != nil {
					t.Fatal(err)
				}
				saved, err := distributed.Run(t.Context(), divided(t, split.Training.Set(), 4), with(request, func(o *distributed.Request) { o.Seed = seed + 1 }), 0)
				if err != nil {
					t.Fatal(err)
				}
				trained, err := saved.For(split.Training.Set().Items())
				if err != nil {
					t.Fatal(err)
				}
				a, b := judge(fitted), judge(trained)
				t.Logf("seed %d: NDCG@5 %.4f on one machine, %.4f in rounds", seed+1, a, b)
				one += a / seeds
				many += b / seeds
			}
			if t.Logf("mean: %.4f and %.4f", one, many); !(many >= one-0.005) {
				t.Errorf("NDCG@5 %.4f on one machine, %.4f in rounds", one, many)
			}
		})
	}
}
