package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that a program wrote before there was interest recommends by taste, from the command and from a server, with the same items, and refuses the other aims with the
// reason.
func TestOldFileRecommendsByTaste(t *testing.T) {
	skipIfShort(t)
	old := filepath.Join("..", "..", "learn", "modelstore", "testdata", "old-latent.safetensors")
	tiers := filepath.Join(t.TempDir(), "tiers.json")
	const placed = `[["i01"],["i02","i03"],["i04"]]`
	if err := os.WriteFile(tiers, []byte(placed), 0o600); err != nil {
		t.Fatal(err)
	}
	type row struct {
		Item     string
		Score    float64
		Interest *float64
		Tier     *int
	}
	var byCommand, byTaste []row
	ask := func(into *[]row, more ...string) {
		t.Helper()
		text := fubini(t, append([]string{"recommend", old, "--tiers", tiers, "--min-support", "0", "--format", "json", "--quiet"}, more...)...)
		if err := json.Unmarshal([]byte(text), into); err != nil || len(*into) != 10 || strings.Contains(text, "interest") {
			t.Fatalf("%v: %s", err, text)
		}
	}
	ask(&byCommand)
	ask(&byTaste, "--aim", "taste")
	if info := fubini(t, "model", "info", old, "--format", "json"); !strings.Contains(info, `"interest": false`) || !strings.Contains(info, `"aim": "taste"`) {
		t.Errorf("model info: %s", info)
	}
	url, _, end := served(t, old, "--db", "sqlite::memory:")
	for _, aim := range []string{"", `,"aim":"taste"`} {
		var got struct {
			Aim   string
			Items []row
		}
		status, text := post(t, url+"/v1/recommend", `{"tiers":`+placed+`,"min_support":0`+aim+`}`)
		if err := json.Unmarshal([]byte(text), &got); err != nil || status != 200 || got.Aim != "taste" || len(got.Items) != 10 || strings.Count(text, `"interest":null`) != 10 {
			t.Fatalf("%d, %v: %s", status, err, text)
		}
		for k, each := range got.Items {
			if want := byCommand[k]; each.Item != want.Item || each.Score != want.Score || byTaste[k].Item != want.Item || byTaste[k].Score != want.Score || each.Tier == nil {
				t.Errorf("place %d: the server has %+v, the command %+v, and by taste %+v", k+1, each, want, byTaste[k])
			}
		}
	}
	for _, aim := range []string{"balanced", "interest"} {
		if status, text := post(t, url+"/v1/recommend", `{"tiers":`+placed+`,"aim":"`+aim+`"}`); status != 422 || !strings.Contains(text, "the model has no interest") {
			t.Errorf("by %s: %d %s", aim, status, text)
		}
	}
	if status, text := post(t, url+"/v1/explain", `{"tiers":`+placed+`,"item":"`+byCommand[0].Item+`"}`); status != 200 || !strings.Contains(text, `"interest":null`) || !strings.Contains(text, `"balanced":null`) {
		t.Errorf("explain: %d %s", status, text)
	}
	if code := end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
