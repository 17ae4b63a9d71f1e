package modelstore_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fubini/data/modelfile"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

// mostOpened is how much memory may be taken to open a small model and to score with it
// once, in bytes. The files of the test have some kilobytes; one array of 2e9 numbers
// takes a thousand times as much as is allowed here.
const mostOpened = 8 << 20

// shapes are the numbers of the metadata that are the length of an array: no other
// number fits the arrays of the file. Of listrank-mf the largest is a rating.
var shapes = []string{
	"latent-osm latent.hidden", "latent-osm-paper latent.hidden", "osm latent.hidden",
	"pmf rival.hidden", "biased-mf rival.hidden", "listrank-mf rival.hidden", "plackett-luce-mf rival.hidden", "pmop rival.hidden",
	"davidson-luce rival.hidden", "davidson-luce loss.largest",
	"cofirank-regress rival.hidden", "cofirank-ordinal rival.hidden", "cofirank-ndcg rival.hidden",
	"bayesian-mf rival.width", "bayesian-mf rival.draws", "bayesian-mf rival.levels", "plpa rival.classes",
}

// Every number of the metadata of every model is replaced by others: by none, by a
// negative one, by two that no machine has room for, and by what is no number. What is no
// number, and what does not fit the arrays, is refused. Everything else is refused too or
// gives a model that scores. Neither takes more memory than the file calls for.
func TestNumbersOfMetadataThatDoNotFit(t *testing.T) {
	skipIfShort(t)
	seen := map[string]bool{}
	for _, name := range registry.Names() {
		t.Run(name, func(t *testing.T) {
			request := modelstore.Request{Model: name, Recipe: recipe(t, name, 2), Seed: 7}
			if name == "latent-osm" {
				request.Calibrate = 0.3 // a calibration has numbers too
			}
			set := planted(t, 60, 15)
			s, err := modelstore.Train(t.Context(), set, request)
			if err != nil {
				t.Fatal(err)
			}
			s.ItemMean = 0.5
			whole, err := s.File()
			if err != nil {
				t.Fatal(err)
			}
			person := model.Person{Index: -1, Known: set.Row(3)}
			for _, key := range slices.Sorted(maps.Keys(whole.Metadata)) {
				var document any
				if json.Unmarshal([]byte(whole.Metadata[key]), &document) != nil {
					continue // not JSON: a fingerprint, say
				}
				for _, at := range numbers(document, nil) {
					place := name + " " + key
					for _, step := range at {
						place += fmt.Sprint(".", step)
					}
					seen[place] = true
					for _, text := range []string{"0", "-1", "2000000000", "1000000000000000000", "1e18", "NaN", `"text"`} {
						f, err := s.File()
						if err != nil {
							t.Fatal(err)
						}
						f.Metadata[key] = replaced(t, document, at, text)
						if f.Metadata[key] == encoded(t, document) {
							continue // it was that already
						}
						took, err := opened(f, person)
						if err != nil && strings.HasPrefix(err.Error(), "panic") {
							t.Errorf("%s = %s: %v", place, text, err)
						}
						if took > mostOpened {
							t.Errorf("%s = %s takes %d bytes", place, text, took)
						}
						bad := text == "NaN" || text == `"text"` || slices.Contains(shapes, place)
						if bad && err == nil {
							t.Errorf("%s = %s was taken", place, text)
						}
					}
				}
			}
		})
	}
	for _, place := range shapes { // or the test looks for what is no longer there
		if !seen[place] {
			t.Errorf("no model has a number %s", place)
		}
	}
}

// opened opens a model, scores all items for somebody, and says how many bytes that took.
func opened(f *modelfile.File, person model.Person) (took uint64, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	defer func() {
		runtime.ReadMemStats(&after)
		took = after.TotalAlloc - before.TotalAlloc
	}()
	s, err := modelstore.Open(f)
	if err != nil {
		return 0, err
	}
	items := make([]uint32, len(s.ItemIDs))
	for i := range items {
		items[i] = uint32(i)
	}
	s.Model.Score(person, items, make([]float64, len(items)))
	return 0, nil
}

// numbers are the places of all numbers in a document; of an array, those of its first.
func numbers(document any, at []any) (places [][]any) {
	switch d := document.(type) {
	case float64:
		return [][]any{slices.Clone(at)}
	case []any:
		if len(d) > 0 { // the others are of the same kind
			places = numbers(d[0], append(slices.Clone(at), 0))
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(d)) {
			places = append(places, numbers(d[key], append(slices.Clone(at), key))...)
		}
	}
	return places
}

// replaced is the text of a document with other text in one place of it.
func replaced(t *testing.T, document any, at []any, text string) string {
	t.Helper()
	if len(at) == 0 {
		return text
	}
	switch d := document.(type) {
	case []any:
		parts := make([]string, len(d))
		for i, each := range d {
			parts[i] = encoded(t, each)
			if i == at[0] {
				parts[i] = replaced(t, each, at[1:], text)
			}
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(d)) {
			part := encoded(t, d[key])
			if key == at[0] {
				part = replaced(t, d[key], at[1:], text)
			}
			parts = append(parts, encoded(t, key)+":"+part)
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	t.Fatalf("nothing at %v", at)
	return ""
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
