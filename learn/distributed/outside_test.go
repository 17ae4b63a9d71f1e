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

// Rounds rank as well as one machine does, with few and with many given ratings, on few and on
// many parts: within 0.005 of its NDCG@5.
// The seeds are others than those by which the number of rounds was chosen (1 to 3).
// FUBINI_ROUNDS asks for another number of rounds and of epochs in each, as in 12x2. The test
// prints the rows of the table in docs/scale-quality.md.
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
		name, file  string
		given       int
		first, last uint64 // seed
	}{{"ml-100k", "u.data", 20, 4, 5}, {"ml-100k", "u.data", 50, 4, 9}, {"ml-1m", "ratings.dat", 10, 4, 5}, {"ml-1m", "ratings.dat", 20, 4, 4}, {"ml-1m", "ratings.dat", 20, 5, 5}, {"ml-1m", "ratings.dat", 50, 4, 4}, {"ml-1m", "ratings.dat", 50, 5, 5}} {
		t.Run(fmt.Sprintf("%s given %d, seeds %d to %d", c.name, c.given, c.first, c.last), func(t *testing.T) {
			set, _, err := format.Read(os.DirFS(filepath.Join(data, c.name)), c.file, format.Options{})
			if err != nil {
				t.Skipf("FUBINI_DATA has no %s: %v", c.name, err)
			}
			if set, err = set.Levelled(ratings.Scale{Min: 1, Max: 5}); err != nil {
				t.Fatal(err)
			}
			var one []*evaluate.Result
			many := map[int][]*evaluate.Result{}
			for seed := c.first; seed <= c.last; seed++ {
				split := must[ratings.Split](t)(set.Paper(c.given, 10, seed))
				judge := func(m model.Model) *evaluate.Result {
					return must[*evaluate.Result](t)(evaluate.Judge(t.Context(), m, split.Holdout, evaluate.Options{}))
				}
				recipe := must[model.Recipe](t)(registry.New("latent-osm"))
				one = append(one, judge(must[model.Model](t)(recipe.Fit(t.Context(), split.Training.Set(), model.Run{Seed: seed}))))
				for _, parts := range []int{4, 16} {
					saved, err := distributed.Run(t.Context(), divided(t, split.Training.Set(), parts), with(request, func(o *distributed.Request) { o.Seed = seed }), 0)
					if err != nil {
						t.Fatal(err)
					}
					many[parts] = append(many[parts], judge(must[model.Model](t)(saved.For(split.Training.Set().Items()))))
				}
			}
			alone := evaluate.Pool(one)
			for _, parts := range []int{4, 16} {
				rounds := evaluate.Pool(many[parts])
				gap := must[evaluate.Difference](t)(evaluate.Compare(rounds, alone, "ndcg@5", 1))
				t.Logf("| %s | %d | %d to %d | %d | %.4f | %.4f | %+.4f (%+.4f to %+.4f) |", c.name, c.given, c.first, c.last, parts,
					alone.Average("ndcg@5"), rounds.Average("ndcg@5"), gap.Mean, gap.Low, gap.High)
				if !(gap.Mean >= -0.005) {
					t.Errorf("%d parts: NDCG@5 %.4f on one machine, %.4f in rounds", parts, alone.Average("ndcg@5"), rounds.Average("ndcg@5"))
				}
			}
		})
	}
}
