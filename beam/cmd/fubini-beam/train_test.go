package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fubini/beam/people"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/distributed"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

// The pipeline learns what rounds in one process learn on the same parts, to the last
// bit, with chains and without, with co-occurrence and without, and however users are spread
// over files.
func TestTrainGivesTheModelOfOneProcess(t *testing.T) {
	const shards = 3
	folder := t.TempDir()
	rows := ratingRows(60, 16)
	data := table(t, folder, "people.csv", rows)
	table(t, folder, "half-a.csv", rows[1:len(rows)/2])
	table(t, folder, "half-b.csv", append([]string{rows[0]}, rows[len(rows)/2:]...))
	whole := readTable(t, data)
	sets := make([]*ratings.Set, shards)
	for k := range sets {
		b := ratings.NewBuilder()
		for u := range whole.Users().Len() {
			id := whole.Users().ID(uint32(u))
			if people.Shard(id, shards) != k {
				continue
			}
			row := whole.Row(u)
			for n, i := range row.Items {
				if err := b.Add([]byte(id), []byte(whole.Items().ID(i)), row.Values[n], ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		set, _, err := b.Build(ratings.Refuse)
		sets[k] = must[*ratings.Set](t)(set, err)
	}
	for _, c := range []struct{ name, setting string }{{"latent-osm", "co-occurrence=16"}, {"latent-osm", "co-occurrence=0"}, {"osm", "sweeps=2"}} {
		name, setting := c.name, c.setting
		settings := []registry.Assignment{must[registry.Assignment](t)(registry.ParseAssignment(setting))}
		want := must[*modelstore.Saved](t)(distributed.Run(t.Context(), sets, distributed.Request{Model: name, Settings: settings, Rounds: 2, Local: 2, Seed: 7}, 1))
		for _, input := range []string{data, filepath.Join(folder, "half-*.csv")} {
			out := filepath.Join(folder, name)
			works(t, "train", input, "-o", out, "--model", name, "--rounds", "2", "--local-epochs", "2", "--shards", fmt.Sprint(shards), "--seed", "7", "--set", setting)
			got := readSaved(t, out)
			a, b := must[*registry.Latent](t)(got.For(whole.Items())), must[*registry.Latent](t)(want.For(whole.Items()))
			if !reflect.DeepEqual(a, b) || got.Data != want.Data || got.Users != 60 || got.Ratings != len(rows) {
				t.Errorf("%s with %s from %s: another model than in one process", name, setting, filepath.Base(input))
			}
		}
	}
}

// The numbers are those of one process, to the last bit, for models that fold people in
// and for those that remember them.
func TestEvaluateGivesTheNumbersOfOneProcess(t *testing.T) {
	data := table(t, t.TempDir(), "people.csv", ratingRows(80, 24))
	sameNumbers(t, data, 5, 2, "rated", []string{"item-mean", "pmf", "latent-osm"}, "latent-osm.epochs=3")

	var rows []string // of people of four kinds, each with most items of its own: who picks what can be learned
	for u := range 300 {
		for i := range 20 {
			if (u*7+i*3)%5 != 0 {
				rows = append(rows, fmt.Sprintf("u%03d,i%02d,%d", u, 20*(u%4)+i, 1+(u*i)%5))
			}
		}
	}
	sameNumbers(t, table(t, t.TempDir(), "kinds.csv", rows), 10, 2, "all", []string{"item-mean", "latent-osm"}, "latent-osm.epochs=3")
}

// sameNumbers holds evaluate against one process.
func sameNumbers(t *testing.T, data string, given, least int, among string, models []string, settings ...string) {
	t.Helper()
	args := []string{"evaluate", data, "--given", fmt.Sprint(given), "--min-test", fmt.Sprint(least), "--models", strings.Join(models, ","), "--candidates", among, "--blocks", "5", "--seed", "2", "--format", "json"}
	var set []registry.Assignment
	for _, each := range settings {
		args = append(args, "--set", each)
		set = append(set, must[registry.Assignment](t)(registry.ParseAssignment(each)))
	}
	text := works(t, args...)
	var found []map[string]any
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if len(found) != len(models) {
		t.Fatalf("%d models, not %d", len(found), len(models))
	}
	levelled := must[*ratings.Set](t)(evaluate.Levelled(readTable(t, data), nil))
	split := must[ratings.Split](t)(levelled.Paper(given, least, 2))
	recipes := must[[]model.Recipe](t)(registry.Configure(models, set))
	candidates := must[evaluate.Candidates](t)(evaluate.ParseCandidates(among))
	for k, name := range models {
		metrics := must[[]evaluate.Metric](t)(evaluate.SplitMetrics(split, "exp2", candidates, false))
		aim := modelstore.JudgedBy(name, recipes[k], modelstore.AimAuto, candidates == evaluate.All)
		want := must[*evaluate.Result](t)(evaluate.Run(t.Context(), modelstore.Judged(recipes[k], aim, model.Run{Seed: 2}), split, evaluate.Options{Metrics: metrics, Candidates: candidates}))
		for _, metric := range want.Metrics {
			e := must[evaluate.Estimate](t)(want.Mean(metric, 2))
			for key, value := range map[string]float64{metric: e.Mean, metric + "_low": e.Low, metric + "_high": e.High} {
				if found[k]["model"] != name || found[k][key] != value {
					t.Errorf("%s among %s: %s is %v; in one process it is %v", name, among, key, found[k][key], value)
				}
			}
		}
		if found[k]["users"] != float64(len(want.Users)) {
			t.Errorf("%s: %v users, not %d", name, found[k]["users"], len(want.Users))
		}
	}
}
