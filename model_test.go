package fubini_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fubini"
)

// A saved model has the permissions of any new file, so that a server of another user can read it, and nothing else stays in the folder.
func TestPermissionsOfASavedModel(t *testing.T) {
	folder := t.TempDir()
	path, plain := filepath.Join(folder, "model.safetensors"), filepath.Join(folder, "plain")
	for range 2 { // the second time over the first
		if err := taught().Save(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	saved, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(plain)
	if err != nil || saved.Mode() != want.Mode() {
		t.Errorf("the model has the mode %v, a new file %v (%v)", saved.Mode(), want.Mode(), err)
	}
	if there, err := os.ReadDir(folder); err != nil || len(there) != 2 {
		t.Errorf("in the folder: %v, %v", there, err)
	}
	if err := taught().Save(filepath.Join(folder, "none", "model.safetensors")); err == nil || !strings.Contains(err.Error(), "model.safetensors: no such file") {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// Weights of tier sizes are kept in a model of their own, and refused beside what it cannot hold.
func TestSizesAreKeptOrRefused(t *testing.T) {
	votes, err := fubini.NewVotes([][][]string{{{"x", "y"}, {"z"}}, {{"x"}, {"y", "z"}}, {{"y"}, {"x", "z"}}, {{"z", "x"}, {"y"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		options []fubini.Option
		kept    bool
	}{
		{[]fubini.Option{fubini.Sizes()}, true},
		{[]fubini.Option{fubini.Sizes(), fubini.Ties("item")}, false},
		{[]fubini.Option{fubini.Choices()}, false},
	} {
		board, err := fubini.Fit(t.Context(), votes, append(c.options, fubini.Prior(1))...)
		if err != nil {
			t.Fatal(err)
		}
		model, err := board.Model()
		if kept := err == nil; kept != c.kept {
			t.Fatalf("%d options: kept %v: %v", len(c.options), kept, err)
		}
		if !c.kept {
			continue
		}
		catalogue, err := model.Catalogue()
		if err != nil {
			t.Fatal(err)
		}
		if every, _ := catalogue.Sizes.Rows(); every[1] == 0 || every[2] == 0 {
			t.Errorf("weights by size %v", every)
		}
	}
}

// What comes next is an order of recommendations, and nothing to train for: without an error a model would lack interest.
func TestTrainRefusesNext(t *testing.T) {
	if _, err := fubini.Train(t.Context(), kitchen(), fubini.For(fubini.Next)); err == nil || !strings.Contains(err.Error(), "ask for By(Next)") {
		t.Errorf("trained for what comes next: %v", err)
	}
}
