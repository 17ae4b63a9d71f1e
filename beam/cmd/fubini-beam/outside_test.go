package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fubini/data/ratings"
	"fubini/learn/modelstore"
)

// outside is a set of MovieLens as a table sorted by users.
func outside(t *testing.T, name, file string) string {
	t.Helper()
	folder := os.Getenv("FUBINI_DATA")
	if folder == "" || os.Getenv("FUBINI_LONG") == "" {
		t.Skip("needs FUBINI_DATA and FUBINI_LONG")
	}
	path := filepath.Join(folder, name, file)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("FUBINI_DATA has no %s: %v", name, err)
	}
	set := readTable(t, path)
	var rows []string
	for u := range set.Users().Len() {
		row := set.Row(u)
		for k, i := range row.Items {
			rows = append(rows, fmt.Sprintf("%s,%s,%g", set.Users().ID(uint32(u)), set.Items().ID(i), row.Values[k]))
		}
	}
	return table(t, t.TempDir(), name+".csv", rows)
}

// On real ratings, too, all three jobs give what one process gives: score the same rows,
// evaluate the same numbers; and a model learned in rounds ranks within 0.005 NDCG@5 of
// one that was learned at once, mean of three seeds.
func TestMovieLens(t *testing.T) {
	for _, c := range []struct {
		name, file string
	}{{"ml-100k", "u.data"}, {"ml-1m", "ratings.dat"}} {
		t.Run(c.name, func(t *testing.T) {
			data := outside(t, c.name, c.file)
			t.Run("evaluate", func(t *testing.T) { sameNumbers(t, data, 20, 10, "rated", []string{"item-mean", "pmf", "latent-osm"}) })
			t.Run("score", func(t *testing.T) {
				trained := trainedModel(t, data, true)
				want := sorted(alone(t, trained, data, modelstore.AimAuto))
				out := filepath.Join(t.TempDir(), "out")
				works(t, "score", trained, "--input", data, "-o", out)
				if got := sorted(slices.Collect(maps.Values(parts(t, out)))...); !slices.Equal(got, want) {
					t.Errorf("%d rows; one process gives %d", len(got), len(want))
				}
			})
			t.Run("train", func(t *testing.T) { ranksAsWell(t, data) })
		})
	}
}

// ranksAsWell trains in rounds and at once on the same splits.
func ranksAsWell(t *testing.T, data string) {
	t.Helper()
	const seeds = 3
	var one, many float64
	for seed := range uint64(seeds) {
		folder := t.TempDir()
		split := must[ratings.Split](t)(must[*ratings.Set](t)(readTable(t, data).Levelled(ratings.Scale{Min: 1, Max: 5})).Paper(20, 10, seed+1))
		for name, part := range map[string]*ratings.Set{"train.tsv": split.Training.Set(), "test.tsv": split.Holdout.Set()} {
			var text strings.Builder
			for u := range part.Users().Len() {
				row := part.Row(u)
				if name == "test.tsv" {
					row = split.Holdout.Test(u)
				}
				for k, i := range row.Items {
					fmt.Fprintf(&text, "%s\t%s\t%g\n", part.Users().ID(uint32(u)), part.Items().ID(i), row.Values[k])
				}
			}
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		trained := filepath.Join(folder, "rounds")
		works(t, "train", filepath.Join(folder, "train.tsv"), "-o", trained, "--shards", "4", "--seed", fmt.Sprint(seed+1))
		text := works(t, "evaluate", "--split", folder, "--models", "latent-osm", "--trained", trained, "--seed", fmt.Sprint(seed+1), "--format", "json")
		var found []struct {
			NDCG float64 `json:"ndcg@5"`
		}
		if err := json.Unmarshal([]byte(text), &found); err != nil || len(found) != 2 || found[0].NDCG == 0 || found[1].NDCG == 0 {
			t.Fatalf("%v: %s", err, text)
		}
		a, b := found[0].NDCG, found[1].NDCG // in the order of the flags
		t.Logf("seed %d: NDCG@5 %.4f at once, %.4f in rounds", seed+1, a, b)
		one += a / seeds
		many += b / seeds
	}
	if t.Logf("mean: %.4f and %.4f", one, many); !(many >= one-0.005) {
		t.Errorf("NDCG@5 %.4f at once, %.4f in rounds", one, many)
	}
}
