package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

func TestMean(t *testing.T) {
	m, half := mean([]float64{1, 2, 3, 4})
	// Variance 5/3, of the mean 5/12.
	if !(math.Abs(m-2.5) <= 1e-12) || !(math.Abs(half-1.96*math.Sqrt(5.0/12)) <= 1e-12) {
		t.Errorf("%g ± %g", m, half)
	}
}

// A run that was broken off goes on: what the record has is found, and a line that was cut off is not.
func TestRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kept.jsonl")
	r, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.add("foods", "dealt", 3, &outcome{Loss: []float64{1.5, 1.25}, Cards: []int{2, 4}, Moved: []float64{1, 0.5}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, `{"World":"foods","Way":"dealt","Person":4,"Lo`...), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := again.find("foods", "dealt", 3); got == nil || got.Loss[1] != 1.25 || got.Cards[1] != 4 || got.Moved[1] != 0.5 {
		t.Errorf("%+v", got)
	}
	if again.find("foods", "dealt", 4) != nil || again.find("foods", "at random", 3) != nil {
		t.Error("the record has what was never played")
	}
	if err := again.add("foods", "dealt", 4, &outcome{Loss: []float64{2}}); err != nil {
		t.Fatal(err)
	}
	if third, err := open(file); err != nil || third.find("foods", "dealt", 4) == nil {
		t.Errorf("what comes after a line that was cut off is lost: %v", err)
	}
}
