package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"fubini/beam/people"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/rounds"
	"fubini/learn/zoo"
)

// The pipeline learns what rounds in one process learn on the same parts, to the last
// bit, with chains and without, and however users are spread over files.
func TestTrainGivesTheModelOfOneProcess(t *testing.T) {
	const shards = 3
	folder := t.TempDir()
	rows := crowd(60, 16)
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
	for _, name := range []string{"latent-osm", "osm"} {
		want := must[*zoo.Saved](t)(rounds.Run(t.Context(), sets, rounds.Request{Model: name, Rounds: 2, Local: 2, Seed: 7}, 1))
		for _, input := range []string{data, filepath.Join(folder, "half-*.csv")} {
			out := filepath.Join(folder, name)
			works(t, "train", input, "-o", out, "--model", name, "--rounds", "2", "--local-epochs", "2", "--shards", fmt.Sprint(shards), "--seed", "7")
			got := readSaved(t, out)
			a, b := must[*zoo.Latent](t)(got.For(whole.Items())), must[*zoo.Latent](t)(want.For(whole.Items()))
			if !reflect.DeepEqual(a, b) || got.Data != want.Data || got.Users != 60 || got.Ratings != len(rows) {
				t.Errorf("%s from %s: another model than in one process", name, filepath.Base(input))
			}
		}
	}
}

// The numbers are those of one process, to the last bit, for models that fold people in
// and for those that remember them.
func TestEvaluateGivesTheNumbersOfOneProcess(t *testing.T) {
	folder := t.TempDir()
	data := table(t, folder, "people.csv", crowd(80, 24))
	text := works(t, "evaluate", data, "--given", "5", "--min-test", "2", "--models", "item-mean,pmf,latent-osm", "--set", "latent-osm.epochs=3", "--blocks", "5", "--seed", "2", "--format", "json")
	var found []map[string]any
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	set := must[*ratings.Set](t)(evaluate.Levelled(readTable(t, data), nil))
	split := must[ratings.Split](t)(set.Paper(5, 2, 2))
	for k, name := range []string{"item-mean", "pmf", "latent-osm"} {
		var settings []zoo.Setting
		if name == "latent-osm" {
			settings = []zoo.Setting{{Name: "epochs", Value: "3"}}
		}
		recipes := must[[]zoo.Recipe](t)(zoo.Configure([]string{name}, settings))
		metrics := must[[]evaluate.Metric](t)(evaluate.SplitMetrics(split, "exp2", false))
		want := must[*evaluate.Result](t)(evaluate.Run(t.Context(), zoo.Judged(recipes[0], zoo.Run{Seed: 2}), split, evaluate.Options{Metrics: metrics}))
		for _, metric := range want.Metrics {
			e := must[evaluate.Estimate](t)(want.Mean(metric, 2))
			for key, value := range map[string]float64{metric: e.Mean, metric + "_low": e.Low, metric + "_high": e.High} {
				if found[k]["model"] != name || found[k][key] != value {
					t.Errorf("%s: %s is %v; in one process it is %v", name, key, found[k][key], value)
				}
			}
		}
		if found[k]["users"] != float64(len(want.Users)) {
			t.Errorf("%s: %v users, not %d", name, found[k]["users"], len(want.Users))
		}
	}
}
