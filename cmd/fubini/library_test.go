package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	library "fubini"
	"fubini/app/server"
	"fubini/app/store"
	"fubini/data/modelfile"
	"fubini/learn/modelstore"
)

// records are the rows that a command printed as JSON lines.
func records(t *testing.T, args ...string) (rows []map[string]any) {
	t.Helper()
	for line := range strings.Lines(fubini(t, append(args, "--format", "jsonl", "--quiet")...)) {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		rows = append(rows, row)
	}
	return rows
}

// The library, the commands and the server have one model: the same file, the same recommendations with odds, the same explanation, the
// same values of metrics.
func TestLibraryIsTheProgram(t *testing.T) {
	skipIfShort(t)
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	text := "user,item,rating\n"
	for u := range 80 {
		for film := range 60 { // mostly films of the person's own taste: choices, so that the default aim is both
			if own := (film+u)%2 == 1; own && (film+2*u)%7 == 0 || !own && (7*film+3*u)%5 > 0 {
				continue
			}
			text += fmt.Sprintf("u%d,film %d,%d\n", u, film, 2+2*((film+u)%2)+(film+3*u)%7/6)
		}
	}
	tiers := [][]string{{"film 0", "film 2"}, {"film 4"}, {"film 1"}}
	mine, err := json.Marshal(tiers)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"ratings.csv": text, "tiers.json": string(mine)} {
		if err := os.WriteFile(path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fubini(t, "train", path("ratings.csv"), "-o", path("command.safetensors"), "--quiet")
	data := library.Must(library.ReadData(path("ratings.csv")))
	trained := library.Must(library.Train(t.Context(), data))
	if err := trained.Save(path("library.safetensors")); err != nil {
		t.Fatal(err)
	}
	first, second := library.Must(os.ReadFile(path("command.safetensors"))), library.Must(os.ReadFile(path("library.safetensors")))
	if !bytes.Equal(first, second) {
		t.Errorf("train wrote %d bytes, and the library %d others", len(first), len(second))
	}

	if aim := library.Must(trained.Resolve(modelstore.AimAuto)); aim != library.Balanced {
		t.Errorf("the default aim is %s: the lists of this test should be choices", aim)
	}

	person := library.Must(trained.ReadPerson(path("tiers.json")))
	top := library.Must(person.Top(10))
	rows := records(t, "recommend", path("command.safetensors"), "--tiers", path("tiers.json"))
	if len(rows) != len(top) || len(top) == 0 {
		t.Fatalf("%d rows of the command, %d of the library", len(rows), len(top))
	}
	for k, pick := range top {
		if row := rows[k]; row["item"] != pick.ID || row["score"] != pick.Score || row["interest"] != pick.Interest || row["tier_probs"].([]any)[0] != pick.Odds.Tiers[0] || row["expected_rank"] != pick.Odds.Rank {
			t.Errorf("place %d: the command has %v, the library %+v", k+1, row, pick)
		}
	}
	odds := library.Must(person.Odds(top[0].ID))
	if !(math.Abs(odds.Tiers[0]-top[0].Odds.Tiers[0]) < 1e-12) {
		t.Errorf("odds by themselves %v, in the list %v", odds, top[0].Odds)
	}

	why := library.Must(person.Explain(top[0].ID))
	row := records(t, "explain", path("command.safetensors"), "--tiers", path("tiers.json"), "--item", top[0].ID)[0]
	if row["score"] != why.Taste.Score || row["balanced"].(map[string]any)["score"] != why.Score || len(row["parts"].([]any)) != len(why.Taste.Placed) {
		t.Errorf("the command explains by %v, the library by %+v", row, why)
	}

	serverIsTheLibrary(t, path("command.safetensors"), tiers, person, top)

	models := []string{"item-mean", "latent-osm"}
	results := library.Must(library.Evaluate(t.Context(), data, models, library.Given(10)))
	for k, row := range records(t, "evaluate", path("ratings.csv"), "--models", strings.Join(models, ","), "--given", "10") {
		mean, low, high, err := results[k].Metric("ndcg@5")
		if err != nil || row["ndcg@5"] != mean || row["ndcg@5_low"] != low || row["ndcg@5_high"] != high {
			t.Errorf("%s: the command has %v, the library %v (%v to %v), %v", models[k], row, mean, low, high, err)
		}
	}
}

// The library and the command have one leaderboard, with all that is reported beside it.
func TestLibraryFitsAsTheProgram(t *testing.T) {
	skipIfShort(t)
	file := filepath.Join(t.TempDir(), "votes.csv")
	votes := "model_a,model_b,winner,votes\na,b,model_a,9\na,b,tie,3\na,b,model_b,4\nb,c,model_a,7\nb,c,model_b,5\na,c,tie,2\nc,a,model_b,6\n"
	if err := os.WriteFile(file, []byte(votes), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags   []string
		options []library.Option
	}{
		{nil, nil},
		{[]string{"--prior", "learn", "--ties", "item", "--level", "0.9"}, []library.Option{library.LearnPrior(), library.Ties("item"), library.Level(0.9)}},
		{[]string{"--errors", "bootstrap", "--home", "--seed", "7"}, []library.Option{library.Errors("bootstrap"), library.Home(), library.Seed(7)}},
		{[]string{"--model", "plackett-luce"}, []library.Option{library.Choices()}},
	} {
		board := library.Must(library.Fit(t.Context(), library.Must(library.ReadVotes(file)), c.options...))
		ours, err := json.MarshalIndent(board, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if theirs := fubini(t, append([]string{"fit", file, "--format", "json", "--quiet"}, c.flags...)...); theirs != string(ours)+"\n" {
			t.Errorf("%v: the command has\n%s\nand the library\n%s", c.flags, theirs, ours)
		}
	}
}

// serverIsTheLibrary asks a server of a model file for a person: it answers with the numbers of the library, to the bit.
func serverIsTheLibrary(t *testing.T, path string, tiers [][]string, person *library.Person, top []library.Pick) {
	t.Helper()
	s, err := server.New(t.Context(), server.Options{
		Anonymous: []store.Scope{store.Read}, Loopback: true,
		Load: func(context.Context) (*modelfile.File, error) {
			content, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			return modelfile.Read(bytes.NewReader(content), int64(len(content)))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(what string, more map[string]any, answer any) {
		t.Helper()
		question := map[string]any{"tiers": tiers}
		maps.Copy(question, more)
		body := library.Must(json.Marshal(question))
		r := httptest.NewRequest("POST", "http://localhost/v1/"+what, bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if err := json.Unmarshal(w.Body.Bytes(), answer); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d, %v: %s", what, w.Code, err, w.Body)
		}
	}
	type odds struct {
		Tiers []float64 `json:"tier_probs"`
		Gaps  []float64 `json:"gap_probs"`
		Rank  float64   `json:"expected_rank"`
	}
	type part struct {
		Item string
		Tier int
		Part float64
	}
	var recommended struct {
		Aim   string
		Items []struct {
			Item            string
			Score, Interest float64
			odds
		}
	}
	ask("recommend", nil, &recommended)
	if len(recommended.Items) != len(top) || recommended.Aim != "balanced" {
		t.Fatalf("%d items of the server by %s, %d of the library", len(recommended.Items), recommended.Aim, len(top))
	}
	for k, pick := range top {
		if got := recommended.Items[k]; got.Item != pick.ID || got.Score != pick.Score || got.Interest != pick.Interest || !reflect.DeepEqual(got.odds, odds{pick.Odds.Tiers, pick.Odds.Gaps, pick.Odds.Rank}) {
			t.Errorf("place %d: the server has %+v, the library %+v", k+1, got, pick)
		}
	}
	orders := map[string]library.Aim{} // by equal ones the test could not tell aims apart
	for _, by := range []library.Aim{library.Taste, library.Balanced, library.Interest} {
		want := library.Must(person.Top(10, library.By(by)))
		var got struct {
			Aim   string
			Items []struct {
				Item  string
				Score float64
			}
		}
		ask("recommend", map[string]any{"aim": by.String()}, &got)
		if got.Aim != by.String() || len(got.Items) != len(want) || len(want) == 0 {
			t.Errorf("asked for %s the server gives %d items by %s, the library %d", by, len(got.Items), got.Aim, len(want))
			continue
		}
		order := ""
		for k, pick := range want {
			order += pick.ID + "\n"
			if got.Items[k].Item != pick.ID || got.Items[k].Score != pick.Score {
				t.Errorf("by %s, place %d: the server has %+v, the library %+v", by, k+1, got.Items[k], pick)
			}
		}
		if other, same := orders[order]; same {
			t.Errorf("%s and %s give the same order", by, other)
		}
		orders[order] = by
	}
	var explained struct {
		Score    float64
		Parts    []part
		Interest struct {
			Score, Probability float64
			Parts              []part
		}
		Balanced struct{ Score float64 }
		odds
	}
	ask("explain", map[string]any{"item": top[0].ID}, &explained)
	why, place := library.Must(person.Explain(top[0].ID)), library.Must(person.Odds(top[0].ID))
	parts := func(p *library.Parts) (all []part) {
		for _, each := range p.Placed {
			all = append(all, part{each.Item, each.Tier, each.Value})
		}
		return all
	}
	if explained.Score != why.Taste.Score || explained.Balanced.Score != why.Score || explained.Interest.Score != why.Interest.Score || explained.Interest.Probability != why.Chance ||
		!reflect.DeepEqual(explained.Parts, parts(why.Taste)) || !reflect.DeepEqual(explained.Interest.Parts, parts(why.Interest)) {
		t.Errorf("the server explains by %+v, the library by %+v", explained, why)
	}
	if want := (odds{place.Tiers, place.Gaps, place.Rank}); !reflect.DeepEqual(explained.odds, want) || !reflect.DeepEqual(*why.Odds, place) {
		t.Errorf("the server has the odds %v, the library %v, in its explanation %v", explained.odds, want, why.Odds)
	}
	var rebuilt struct{ Taste []float64 }
	ask("reconstruct", nil, &rebuilt)
	if vector := library.Must(person.Embedding()); len(vector) == 0 || !slices.Equal(rebuilt.Taste, vector) {
		t.Errorf("the server has the taste %v, the library %v", rebuilt.Taste, vector)
	}
}
