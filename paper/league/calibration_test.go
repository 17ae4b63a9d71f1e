package league_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"image/png"
	"math"
	"os"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/paper/cells"
	"fubini/paper/league"
	"fubini/use/odds"
)

// people have enough ratings to calibrate by.
func people(t *testing.T) cells.Data {
	r := rng.Stream(3, "crowd")
	b := ratings.NewBuilder()
	for u := range 350 {
		taste := r.NormFloat64()
		for i := range 40 {
			if r.Float64() < 0.7 {
				v := math.Round(3 + taste*math.Sin(float64(i)) + r.NormFloat64())
				if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%02d", i), float32(min(5, max(1, v))), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return cells.Data{Name: "crowd", Set: s, MinTest: 3}
}

// The table has a row for each kind of odds, ours have a smaller log loss than the person's
// frequencies, and pictures can be read.
func TestCalibrationTables(t *testing.T) {
	skipIfShort(t)
	rows, err := league.Calibration{Data: people(t), Given: 20, Seed: 1}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 7 || !(rows[0].LogLoss < rows[6].LogLoss) || !(rows[6].Minus.Mean < 0) {
		t.Fatalf("%d rows, losses %g and %g", len(rows), rows[0].LogLoss, rows[6].LogLoss)
	}
	var page, table, picture bytes.Buffer
	if err := league.WriteCalibration(&page, rows); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.String(), "\n| "); n != 2+7+odds.Bins {
		t.Errorf("%d lines of tables:\n%s", n, page.String())
	}
	if err := league.WriteCalibrationCSV(&table, rows); err != nil {
		t.Fatal(err)
	}
	if lines, err := csv.NewReader(&table).ReadAll(); err != nil || len(lines) < 7*3*2 {
		t.Errorf("%d lines of csv, %v", len(lines), err)
	}
	if err := league.ReliabilityPicture(&picture, rows[:1], "png"); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&picture); err != nil {
		t.Error(err)
	}
	if err := league.ReliabilityPicture(&picture, rows[:1], "bmp"); err == nil {
		t.Error("a kind that is none")
	}
	if _, err := (league.Calibration{Data: small(t), Given: 5, Seed: 1}).Run(context.Background()); err == nil {
		t.Error("forty people calibrated a model")
	}
}

// The goal: on MovieLens 1M with 20 ratings given, odds are off by less than 0.03, and
// their log loss is below those of frequencies and an ordered probit.
func TestOddsHoldOnMovieLens(t *testing.T) {
	folder := os.Getenv("FUBINI_DATA")
	if folder == "" || os.Getenv("FUBINI_LONG") == "" {
		t.Skip("needs FUBINI_DATA with ml-1m, and FUBINI_LONG")
	}
	set, _, err := format.Read(os.DirFS(folder), "ml-1m", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if set, err = set.Levelled(ratings.Scale{Min: 1, Max: 5}); err != nil {
		t.Fatal(err)
	}
	rows, err := league.Calibration{Data: cells.Data{Name: "ml-1m", Set: set, MinTest: 10, Filter: true}, Given: 20, Seed: 1}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []odds.Reliability{rows[0].All, rows[0].Likeliest, rows[0].Best} {
		if !(table.ECE < 0.03) || len(table.Bins) != odds.Bins {
			t.Errorf("off by %.4f in %d bins", table.ECE, len(table.Bins))
		}
	}
	if plain, other := rows[1], rows[5]; !(plain.LogLoss < other.LogLoss) || !(plain.LogLoss < rows[6].LogLoss) {
		t.Errorf("log loss %.4f of bare tiers, of %s %.4f", plain.LogLoss, other.Name, other.LogLoss)
	}
	for _, other := range rows[3:] {
		if !(rows[0].LogLoss < other.LogLoss) || !(other.Minus.High < 0) {
			t.Errorf("log loss %.4f, of %s %.4f (%+v)", rows[0].LogLoss, other.Name, other.LogLoss, other.Minus)
		}
	}
}

// A kind of slots with fewer bins than the others leaves its cells empty: those behind it stay in their columns.
func TestReliabilityTableKeepsItsColumns(t *testing.T) {
	bins := func(p ...float64) (r odds.Reliability) {
		for _, v := range p {
			r.Bins = append(r.Bins, odds.Bin{P: v, Observed: v, Low: v, High: v})
		}
		return r
	}
	out := &odds.Outcome{All: bins(.1, .2), Likeliest: bins(.3), Best: bins(.4, .5)}
	var page strings.Builder
	if err := league.WriteCalibration(&page, []league.Odds{{Name: "ours", Outcome: out}}); err != nil {
		t.Fatal(err)
	}
	const want = "\n| 0.1000 | 0.1000 (0.1000 to 0.1000) | 0.3000 | 0.3000 (0.3000 to 0.3000) | 0.4000 | 0.4000 (0.4000 to 0.4000) |" +
		"\n| 0.2000 | 0.2000 (0.2000 to 0.2000) | | | 0.5000 | 0.5000 (0.5000 to 0.5000) |\n"
	if !strings.HasSuffix(page.String(), want) {
		t.Errorf("the table does not end with%sit is\n%s", want, page.String())
	}
}
