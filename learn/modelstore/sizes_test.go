package modelstore_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"fubini/data/modelfile"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/latent"
)

// withSizes are the recipe of a model with weights by tier size and its settings set.
func withSizes(t *testing.T, model string, epochs string) model.Recipe {
	t.Helper()
	recipes, err := registry.Configure([]string{model}, []registry.Assignment{{Name: "sizes", Value: "0.5"}, {Name: "epochs", Value: epochs}})
	if err != nil {
		t.Fatal(err)
	}
	return recipes[0]
}

func catalogueOf(t *testing.T, s *modelstore.Saved) *latent.Catalogue {
	t.Helper()
	c, err := s.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Weights by tier size go with the model: into its file and back, through a checkpoint,
// to a model that more people are taken into, and to one with other items. A model
// without them has none in its file, and files from before they were are such files.
func TestSizesGoWithTheModel(t *testing.T) {
	set := planted(t, 40, 15)
	for _, name := range []string{"osm", "latent-osm"} {
		r := modelstore.Request{Model: name, Recipe: withSizes(t, name, "8"), Seed: 3}
		s, err := modelstore.Train(context.Background(), set, r)
		if err != nil {
			t.Fatal(err)
		}
		sizes := catalogueOf(t, s).Sizes
		longest := 0
		for u := range set.Users().Len() {
			longest = max(longest, set.Row(u).Len())
		}
		if sizes.Most() != longest || slices.Max(sizes) == 0 {
			t.Errorf("%s: weights by tier size %.2f of lists of up to %d", name, sizes, longest)
		}
		file := func(s *modelstore.Saved) ([]byte, *modelfile.File) {
			f, err := s.File()
			if err != nil {
				t.Fatal(err)
			}
			return written(t, f)
		}
		text, read := file(s)
		back, err := modelstore.Open(read)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := file(back); !slices.Equal(catalogueOf(t, back).Sizes, sizes) || !bytes.Equal(again, text) {
			t.Errorf("%s: the file gives %.2f back for %.2f", name, catalogueOf(t, back).Sizes, sizes)
		}

		resume := r
		resume.Resume = brokenOff(t, set, r)
		resumed, err := modelstore.Train(context.Background(), set, resume)
		if err != nil {
			t.Fatal(err)
		}
		if other, _ := file(resumed); !bytes.Equal(other, text) {
			t.Errorf("%s: the resumed run wrote other bytes", name)
		}
		resume.Recipe = recipe(t, name, 8)
		if _, err := modelstore.Train(context.Background(), set, resume); err == nil || !strings.Contains(err.Error(), "another model") {
			t.Errorf("%s: resumed without weights by tier size: %v", name, err)
		}

		next, _, err := modelstore.Extend(context.Background(), s, groups(t, 0, 20, 0, 25), modelstore.Request{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(catalogueOf(t, next).Sizes, sizes) {
			t.Errorf("%s: with new people %.2f, before %.2f", name, catalogueOf(t, next).Sizes, sizes)
		}
		of, err := s.For(set.Items())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(of.Sizes, sizes) {
			t.Errorf("%s: with items of another set %.2f", name, of.Sizes)
		}

		r.Recipe = recipe(t, name, 8)
		bare, err := modelstore.Train(context.Background(), set, r)
		if err != nil {
			t.Fatal(err)
		}
		_, without := file(bare)
		if _, there := without.Tensor("sizes"); there || catalogueOf(t, bare).Sizes != nil {
			t.Errorf("%s: weights by tier size that nobody asked for", name)
		}
	}
}

// A file with weights that cannot be is refused.
func TestSizesOfAFileAreChecked(t *testing.T) {
	s := trained(t, modelstore.Request{Model: "osm", Recipe: withSizes(t, "osm", "1")})
	for name, c := range map[string]struct {
		sizes []float64
		shape []int
		says  string
	}{
		"one row":    {[]float64{0, 1}, []int{1, 2}, "sizes"},
		"empty tier": {[]float64{1, 1, 0, 1}, []int{2, 2}, "an empty tier"},
	} {
		f, err := s.File()
		if err != nil {
			t.Fatal(err)
		}
		modelfile.Set(f, "sizes", c.sizes, c.shape...)
		_, read := written(t, f)
		if _, err := modelstore.Open(read); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; expected it to say %q", name, err, c.says)
		}
	}
}
