package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"fubini/model/interest"
)

// explained checks the explanation of an item by a model of taste and interest, as lines of JSON and as CSV, against the scores of recommend by
// the three aims: explained WHY.jsonl WHY.csv TASTE.jsonl INTEREST.jsonl BALANCED.jsonl. The parts of each table add up to its score, in both forms, and the two
// scores to that of balanced.
func explained(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 5 {
		ts.Fatalf("usage: explained WHY.jsonl WHY.csv TASTE.jsonl INTEREST.jsonl BALANCED.jsonl")
	}
	type table struct {
		Score, Base, Ties, Rest float64
		Parts                   []struct{ Part float64 }
	}
	var why struct {
		table
		Interest table
		Balanced struct{ Score, Strength float64 }
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &why))
	var scores [3]float64
	for k, file := range args[2:] {
		var row struct{ Score float64 }
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &row))
		scores[k] = row.Score
	}
	same := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) { // sums of a few numbers in another order
			ts.Fatalf("%s: %g, want %g", what, got, want)
		}
	}
	for k, t := range []table{why.table, why.Interest} {
		sum := t.Base + t.Ties + t.Rest
		for _, each := range t.Parts {
			sum += each.Part
		}
		if len(t.Parts) == 0 {
			ts.Fatalf("a table without placements")
		}
		same("parts", sum, t.Score)
		same("score", t.Score, scores[k])
	}
	same("balanced", why.Balanced.Score, scores[2])
	same("the combination", interest.Log(why.Interest.Score)+why.Balanced.Strength*why.Score, scores[2])

	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[1]))).ReadAll()
	ts.Check(err)
	parts, sums := map[string]float64{}, map[string]float64{}
	for _, row := range rows[1:] { // of, because, name, tier, part
		part, err := strconv.ParseFloat(row[4], 64)
		ts.Check(err)
		if row[1] == "sum" || row[0] == "balanced" {
			sums[row[0]] = part
		} else {
			parts[row[0]] += part
		}
	}
	for k, of := range []string{"taste", "interest", "balanced"} {
		same("the row sum of "+of, sums[of], scores[k])
		if of != "balanced" {
			same("the rows of "+of, parts[of], sums[of])
		}
	}
}
