package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model/latent"
)

// Equal scores come in the order of the catalogue, whichever way somebody asks: by the
// command alone, in a batch, by a set, or the server's index and its slow way.
func TestEqualScoresComeInOneOrder(t *testing.T) {
	folder := t.TempDir()
	// Ids that do not rise, as of items that were added to a model later; scores of 2, 1
	// and 0, all but one of them shared.
	ids := []string{"pear", "fig", "apple", "quince", "banana", "cherry", "date", "medlar"}
	c := latent.NewCatalogue(len(ids), 1, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	copy(c.U, []float64{0, 1, 1, 0, 2, 1, 0, 1})
	saved := &modelstore.Saved{Name: "latent-osm", Program: "test", Data: "none", Users: 1, Ratings: 80, Low: 1, High: 5, Model: &registry.Latent{Catalogue: c}, ItemIDs: ids, ItemNames: ids}
	for range ids {
		saved.Seen = append(saved.Seen, 10)
	}
	file, err := saved.File()
	if err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(folder, "m.safetensors")
	if err := input.WriteModel(cli.Destination{Flag: "--output", Path: model}, file); err != nil {
		t.Fatal(err)
	}
	want := []string{"banana", "fig", "apple", "cherry", "medlar", "quince", "date"} // pear is placed
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	check := func(way, text string) {
		t.Helper()
		var rows []struct{ Item string }
		if err := json.Unmarshal([]byte(text), &rows); err != nil {
			t.Fatalf("%s: %v in %s", way, err, text)
		}
		var got []string
		for _, row := range rows {
			got = append(got, row.Item)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", way, got, want)
		}
	}
	check("alone", fubini(t, "recommend", model, "--tiers", write("tiers.json", `[["pear"]]`), "--format", "json", "--quiet"))
	check("batch", fubini(t, "recommend", model, "--users", write("users.csv", "user,item,rating\nann,pear,5\n"), "--format", "json", "--quiet"))
	url, _, _ := served(t, model, "--db", "sqlite:"+filepath.Join(folder, "f.db"))
	for way, body := range map[string]string{"index": `{"tiers":[["pear"]]}`, "all": `{"tiers":[["pear"]],"min_support":1}`, "only": `{"tiers":[["pear"]],"only":["quince","medlar","apple","fig","date","cherry","banana"]}`} {
		code, text := post(t, url+"/v1/recommend", body)
		var answer struct{ Items json.RawMessage }
		if err := json.Unmarshal([]byte(text), &answer); code != 200 || err != nil {
			t.Fatalf("%d %s %v", code, text, err)
		}
		check("server, "+way, string(answer.Items))
	}
}
