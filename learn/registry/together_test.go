package registry

import (
	"slices"
	"testing"

	"fubini/data/modelfile"
	"fubini/model/latent"
	"fubini/model/latent/planted"
)

// A model whose units are read together reads lists as before when it comes from its file; a file with a part of that, or with nonsense, is refused.
func TestTogetherInFiles(t *testing.T) {
	c := planted.WithTogether(t, planted.WithPopulation(t, planted.Full(latent.Gaussian, 9, 3), 6), 1, 2)
	file := func() *modelfile.File {
		f := modelfile.New()
		if err := (&Latent{Catalogue: c}).Save(f); err != nil {
			t.Fatal(err)
		}
		return f
	}
	list := planted.List(t, "0~2 > 1 > 3", 5, 1, 0, 7)
	embed := func(c *latent.Catalogue) []float64 {
		units := make([]float64, c.K)
		c.Embed(new(latent.Model), list.Items, list.Order, units)
		return units
	}
	loaded, err := loadLatent(file(), c.Items)
	if err != nil {
		t.Fatal(err)
	}
	back := loaded.(*Latent).Catalogue
	if got, want := embed(back), embed(c); !slices.Equal(got, want) {
		t.Errorf("units %v, before %v", got, want)
	}
	back.Population.Together = nil
	if slices.Equal(embed(back), embed(c)) {
		t.Error("units that are read together are those that are not")
	}
	for name, spoil := range map[string]func(f *modelfile.File){
		"no prior":       func(f *modelfile.File) { modelfile.Set(f, keyPopulation+"ridge", []float64{1, 0}, 2) },
		"too many units": func(f *modelfile.File) { modelfile.Set(f, keyPopulation+"ridge", []float64{1, 1, 1, 1}, 4) },
		"other products": func(f *modelfile.File) { modelfile.Set(f, keyPopulation+"scatter", []float64{1}, 1, 1) },
	} {
		f := file()
		spoil(f)
		if _, err := loadLatent(f, c.Items); err == nil {
			t.Errorf("%s: loaded", name)
		}
	}
}
