package cells

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"
)

// Cells that were kept before zero could be said are found by the settings that they were
// made with, and by no others. The file is by a program of then, and is not to be written
// anew.
func TestCellsOfBefore(t *testing.T) {
	text, err := os.ReadFile("testdata/resolved-before.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept []struct {
		Model    string
		Set      map[string]float64
		Resolved map[string]string
	}
	if err := json.Unmarshal(text, &kept); err != nil || len(kept) == 0 {
		t.Fatal(err)
	}
	for _, was := range kept {
		for _, ask := range kept {
			if ask.Model != was.Model {
				continue
			}
			_, now, err := describe("", FitKey{Model: ask.Model, Set: ask.Set})
			if err != nil {
				// What a model cannot do it was not asked for then either; and some settings are gone.
				if !strings.Contains(err.Error(), "must be positive") && !strings.Contains(err.Error(), "there is no setting") && !strings.Contains(err.Error(), "ties must be one of") {
					t.Errorf("%s with %v: %v", ask.Model, ask.Set, err)
				}
				continue
			}
			same := maps.Equal(was.Resolved, ask.Resolved)
			if found := maps.Equal(asNow(was.Resolved, now), now); found != same {
				t.Errorf("%s with %v, kept with %v: found %t\n%v\n%v", ask.Model, ask.Set, was.Set, found, asNow(was.Resolved, now), now)
			}
		}
	}
}
