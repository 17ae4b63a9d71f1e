package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model of picks alone is served: it recommends by interest and explains it, the parts adding up to the score, and
// refuses what needs taste, with the reason.
func TestServeOfPicks(t *testing.T) {
	folder := t.TempDir()
	picks, model := filepath.Join(folder, "picks.csv"), filepath.Join(folder, "picks.safetensors")
	text := "user,item\nann,Alien\nann,Brazil\nann,Clue\nann,Dune\nbob,Alien\nbob,Clue\nbob,Dune\nbob,Eraserhead\ncat,Alien\ncat,Brazil\ncat,Dune\ndan,Brazil\ndan,Clue\ndan,Dune\n"
	if err := os.WriteFile(picks, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	fubini(t, "train", picks, "-o", model, "--quiet")
	url, _, end := served(t, model, "--db", "sqlite:"+filepath.Join(folder, "store.db"))
	const tiers = `{"tiers":[["Alien"],["Dune"]]`
	var answer struct {
		Aim   string
		Items []struct {
			Item            string
			Score, Interest float64
			Tier            *int
		}
	}
	status, got := post(t, url+"/v1/recommend", tiers+`,"min_support":0}`)
	if err := json.Unmarshal([]byte(got), &answer); err != nil || status != 200 || answer.Aim != "interest" || len(answer.Items) != 3 {
		t.Fatalf("%d %s", status, got)
	}
	for _, each := range answer.Items {
		if each.Tier != nil || !(each.Interest > 0 && each.Interest <= 1) {
			t.Errorf("%+v", each)
		}
		var why struct {
			Interest struct {
				Score, Base, Sum float64
				Parts            []struct{ Part float64 }
			}
			Balanced *struct{}
		}
		status, got := post(t, url+"/v1/explain", tiers+`,"item":"`+each.Item+`"}`)
		if err := json.Unmarshal([]byte(got), &why); err != nil || status != 200 || why.Balanced != nil || len(why.Interest.Parts) != 2 {
			t.Fatalf("%d %s", status, got)
		}
		sum := why.Interest.Base
		for _, part := range why.Interest.Parts {
			sum += part.Part
		}
		if !(math.Abs(sum-each.Score) <= 1e-12) || !(math.Abs(why.Interest.Sum-each.Score) <= 1e-12) {
			t.Errorf("%s: parts add up to %g, sum %g, the score is %g", each.Item, sum, why.Interest.Sum, each.Score)
		}
	}
	for path, want := range map[string]string{"/v1/recommend": "interest alone and no taste", "/v1/reconstruct": "no hidden units"} {
		body := tiers + "}"
		if path == "/v1/recommend" {
			body = tiers + `,"aim":"taste"}`
		}
		if status, got := post(t, url+path, body); status < 400 || status >= 500 || !strings.Contains(got, want) {
			t.Errorf("%s: %d %s", path, status, got)
		}
	}
	if code := end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
