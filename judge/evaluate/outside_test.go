package evaluate_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/model"
)

// ERR and NDCG on a split of MovieLens 100K are those of an independent
// implementation (peers/evaluation.py), which rounds to four digits.
func TestMetricsAgreeWithPeersOnMovieLens100K(t *testing.T) {
	data := os.Getenv("FUBINI_DATA")
	if data == "" {
		t.Skip("needs FUBINI_DATA")
	}
	file, err := os.Open(filepath.Join(data, "ml-100k", "u.data"))
	if err != nil {
		t.Skip("FUBINI_DATA has no ml-100k/u.data")
	}
	defer file.Close()
	b := ratings.NewBuilder()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := bytes.Split(lines.Bytes(), []byte("\t"))
		value, err := strconv.Atoi(string(fields[2]))
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Add(fields[0], fields[1], float32(value), ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	split, err := set.Paper(20, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	number := func(id string) uint64 {
		n, err := strconv.ParseUint(id, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	items := split.Training.Set().Items()
	scorer := ranker(func(u model.Person, i uint32) float64 {
		user := number(split.Training.Set().Users().ID(uint32(u.Index)))
		state := (user*2654435761 + number(items.ID(i))*40503 + 12345) % (1 << 32)
		for range 3 {
			state = (1664525*state + 1013904223) % (1 << 32)
		}
		return float64(state) / (1 << 32)
	})
	result := run(t, scorer, split, evaluate.Options{})
	var golden struct {
		Ratings int                `json:"test_ratings"`
		Quality map[string]float64 `json:"quality"`
	}
	text, err := os.ReadFile("testdata/peers.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	if got := split.Holdout.Set().Len(); got != golden.Ratings || len(result.Users) != int(golden.Quality["users"]) {
		t.Fatalf("%d test ratings of %d users, peers had %d of %g", got, len(result.Users), golden.Ratings, golden.Quality["users"])
	}
	for _, name := range result.Metrics {
		e, err := result.Mean(name, 1)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(e.Mean-golden.Quality[name]) <= 0.51e-4) {
			t.Errorf("%s: %.6f, peers %.4f", name, e.Mean, golden.Quality[name])
		}
	}
}
