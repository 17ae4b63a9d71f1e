package likelihood_test

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"fubini/learn/ballot"
	"fubini/learn/likelihood"
)

// The votes of Chatbot Arena: leaderbot documents a mean negative log likelihood of 1.0100 with one tie weight, and
// 1.0075 for the best of its models, with 387 parameters.
func TestArena(t *testing.T) {
	folder := os.Getenv("FUBINI_DATA")
	if folder == "" {
		t.Skip("FUBINI_DATA names no folder")
	}
	file, err := os.Open(filepath.Join(folder, "arena", "arena.csv"))
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]int32{}
	number := func(name string) int32 {
		if _, ok := names[name]; !ok {
			names[name] = int32(len(names))
		}
		return names[name]
	}
	votes := ballot.Votes{Start: []int32{0}}
	for _, row := range rows[1:] {
		if row[2] == "tie (bothbad)" {
			continue
		}
		weight, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		tiers := map[string][]int32{"model_a": {0, 1}, "model_b": {1, 0}, "tie": {0, 0}}[row[2]]
		votes.Item = append(votes.Item, number(row[0]), number(row[1]))
		votes.Tier = append(votes.Tier, tiers...)
		votes.Start = append(votes.Start, int32(len(votes.Item)))
		votes.Weight = append(votes.Weight, weight)
	}
	held := map[ballot.Ties]float64{} // nats a vote of a fifth of the votes, five times, the same for all
	for ties, most := range map[ballot.Ties]float64{ballot.CommonTies: 1.010015, ballot.ItemTies: 1.00725, ballot.DistanceTies: 1.0100} {
		start := time.Now()
		data, err := likelihood.Group(ballot.Design{Items: len(names), Ties: ties}, votes)
		if err != nil {
			t.Fatal(err)
		}
		fit, err := data.Maximise(t.Context(), likelihood.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		nll := -fit.LogLikelihood / data.Weight
		t.Logf("ties %d: %.6f nats a vote of %.0f, %d steps, %v", ties, nll, data.Weight, fit.Steps, time.Since(start))
		if !(nll <= most) {
			t.Errorf("ties %d: %.6f nats a vote, above %g", ties, nll, most)
		}
		if ties == ballot.CommonTies && !(math.Abs(nll-1.01001) <= 5e-6) {
			t.Errorf("%.6f nats a vote with one tie weight, not 1.01001", nll)
		}
		for split := range uint64(5) {
			if ties == ballot.DistanceTies {
				break
			}
			train, test, err := data.Split(0.8, split)
			if err != nil {
				t.Fatal(err)
			}
			part, err := train.Maximise(t.Context(), likelihood.Defaults())
			if err != nil {
				t.Fatal(err)
			}
			log, err := part.LogLikelihoodOf(t.Context(), test)
			if err != nil {
				t.Fatal(err)
			}
			held[ties] -= log / test.Weight / 5
		}
	}
	t.Logf("held out: %.6f with one tie weight, %.6f with one an item", held[ballot.CommonTies], held[ballot.ItemTies])
	if gain := held[ballot.CommonTies] - held[ballot.ItemTies]; !(gain >= 0.0025) {
		t.Errorf("held out, a tie weight an item gains %.5f nats a vote", gain)
	}
}
