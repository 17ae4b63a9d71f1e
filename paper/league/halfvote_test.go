package league

import (
	"os"
	"path/filepath"
	"testing"

	"fubini/data/format"
	"fubini/judge/evaluate"
	"fubini/learn/saturated"
	"fubini/model/osm"
	"fubini/paper/cells"
)

// That half a vote for everything stands beside the counts too was decided by a look at one file, divided by seed 1. On other
// divisions, and on the other short lists, it does not harm.
func TestHalfAVoteBesideCounts(t *testing.T) {
	folder := os.Getenv("FUBINI_DATA")
	if folder == "" {
		t.Skip("FUBINI_DATA names no folder")
	}
	for _, name := range []string{"00017-00000001.toi", "00023-00000001.toi", "00002-00000001.toc", "00031-00000003.toc", "00031-00000008.toc", "00031-00000015.toc"} {
		if _, err := os.Stat(filepath.Join(folder, "preflib", name)); err != nil {
			t.Skip(err)
		}
		set, _, err := format.Read(os.DirFS(filepath.Join(folder, "preflib")), name, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var gains []float64
		for seed := uint64(2); seed <= 4; seed++ {
			l := Likelihood{Data: cells.Data{Name: name, Set: set}, Folds: 5, Seed: seed, Most: 200, Jobs: 1}
			folds, err := set.UserFolds(l.Folds, l.Seed)
			if err != nil {
				t.Fatal(err)
			}
			for _, split := range folds {
				l.fits = map[string]predictions{}
				settings := map[string]float64{"hidden": 0, "sizes": 0, "counts": 1}
				held := l.some(split.Holdout.Set())
				with, err := l.predicted(t.Context(), settings, split.Training.Set(), held)
				if err != nil {
					t.Fatal(err)
				}
				lists, err := osm.ListsOf(split.Training.Set())
				if err != nil {
					t.Fatal(err)
				}
				orders := make([]osm.List, len(held))
				for k, x := range held {
					orders[k] = x.List
				}
				p, err := l.predictions(t.Context(), settings, split.Training.Set(), lists, orders)
				if err != nil {
					t.Fatal(err)
				}
				without := saturated.Learn(votesOf(lists), p.own).Predict(votesOf(orders), p.held)
				for k := range with {
					gains = append(gains, with[k]-without[k])
				}
			}
		}
		mean, _ := evaluate.MeanError(gains)
		t.Logf("%s: half a vote beside the counts gains %+.5f nats an order, over %d orders", name, mean, len(gains))
		if !(mean > -0.001) {
			t.Errorf("%s: half a vote beside the counts loses %.5f nats an order", name, -mean)
		}
	}
}
