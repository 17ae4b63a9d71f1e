package tune_test

import (
	"testing"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/tune"
)

// The defaults are the first trial, whatever is ranked, and other settings take their place only where they are ahead of
// them on held-back ratings by more than two standard errors.
func TestDefaultsComeFirst(t *testing.T) {
	set := noisy(t, 3)
	for _, candidates := range []evaluate.Candidates{evaluate.Rated, evaluate.All} {
		for _, name := range []string{"ease", "item-knn", "ials"} {
			found, err := tune.Search(t.Context(), ratings.Everything(set), name, tune.Options{Budget: 8, Seed: 2, Jobs: 1, Candidates: candidates})
			if err != nil {
				t.Fatal(err)
			}
			if first := found.Fits[0]; first.Trial != 0 || len(first.Settings) != 0 {
				t.Errorf("%s: the first fit has the settings %v", name, first.Settings)
			}
			if best := found.Trials[0]; best.Number != 0 && !(best.Gain > 2*best.StdErr) {
				t.Errorf("%s: trial %d is chosen with a gain of %g, standard error %g", name, best.Number, best.Gain, best.StdErr)
			}
		}
	}
}
