package fit_test

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/infer/exact"
	"fubini/learn/fit"
	"fubini/model/osm"
)

// ballots reads a complete PrefLib election with ties, as 100: 3,{1,2},4.
func ballots(t *testing.T, path string) (lists []osm.List, candidates int) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Skipf("FUBINI_DATA has no %s", filepath.Base(path))
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		count, order, found := strings.Cut(lines.Text(), ": ")
		voters, err := strconv.Atoi(count)
		if !found || err != nil {
			continue // a header line
		}
		levels := map[int]int{}
		level, inside := 0, false
		for _, word := range strings.Split(order, ",") {
			if strings.HasPrefix(word, "{") {
				level--
				inside = true
			} else if !inside {
				level--
			}
			candidate, err := strconv.Atoi(strings.Trim(word, "{}"))
			if err != nil {
				t.Fatalf("%q: %v", lines.Text(), err)
			}
			levels[candidate-1] = level
			inside = inside && !strings.HasSuffix(word, "}")
		}
		candidates = len(levels)
		items, values := make([]int, candidates), make([]int, candidates)
		for i := range items {
			items[i], values[i] = i, levels[i]
		}
		x := must[*partition.Partition](t)(partition.FromLevels(values))
		for range voters {
			lists = append(lists, osm.List{Items: items, Order: x})
		}
	}
	return lists, candidates
}

// A real election with ties: chains and exact expectations find the same
// worths, and at the maximum the model's mean scores are the voters'.
func TestElectionWithTies(t *testing.T) {
	data := os.Getenv("FUBINI_DATA")
	if data == "" {
		t.Skip("needs FUBINI_DATA")
	}
	lists, candidates := ballots(t, filepath.Join(data, "preflib", "00002-00000001.toc"))
	family := osm.WorthFamily{Items: candidates}
	truth := must[*fit.Result](t)(fit.Fit(t.Context(), family, lists, with(fit.Defaults(), func(o *fit.Options) { o.ExactTo, o.Epochs = 10, 100 })))
	chains := must[*fit.Result](t)(fit.Fit(t.Context(), family, lists, with(fit.Defaults(), func(o *fit.Options) { o.Seed, o.Epochs = 1, 400 })))
	bound := must[osm.Bound](t)(family.Bind(lists[0].Items))
	bound.SetParameters(truth.Theta)
	table := must[*exact.Table](t)(exact.NewTable(bound, partition.Space{}))
	observed, expected := make([]float64, family.Dim()), make([]float64, family.Dim())
	mean := make([]float64, family.Dim())
	for _, list := range lists {
		bound.Statistics(list.Order, observed)
		for k, v := range observed {
			mean[k] += v / float64(len(lists))
		}
	}
	bound.Expected(table.Moments(), expected)
	for k := range mean {
		if !(math.Abs(mean[k]-expected[k]) <= 1e-6) {
			t.Errorf("%s: voters give %.4f, the model %.4f", family.Name(k), mean[k], expected[k])
		}
		if !(math.Abs(truth.Theta[k]-chains.Theta[k]) <= 0.05) {
			t.Errorf("%s: %.4f exactly, %.4f by chains", family.Name(k), truth.Theta[k], chains.Theta[k])
		}
	}
}
