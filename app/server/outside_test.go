package server_test

import (
	"context"
	"slices"
	"testing"

	"fubini/app/server"
	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/latent"
)

// shares is a model of somebody else: an Ordered Set Model without hidden units, whose worths are the shares of ratings
// above the middle of the scale.
type shares struct{ *registry.Latent }

type sharesRecipe struct{ middle float64 }

func (r *sharesRecipe) Settings() []setting.Setting {
	return []setting.Setting{setting.Float(&r.middle, 3, setting.Setting{Name: "middle", Means: "middle of the scale"})}
}

func (r *sharesRecipe) Fit(_ context.Context, set *ratings.Set, _ model.Run) (model.Model, error) {
	n := set.Items().Len()
	c, count := latent.NewCatalogue(n, 0, latent.Gaussian, latent.Options{}), make([]float64, n)
	for u := range set.Users().Len() {
		row := set.Row(u)
		for k, i := range row.Items {
			if count[i]++; float64(row.Values[k]) > r.middle {
				c.U[i]++
			}
		}
	}
	for i := range c.U {
		c.U[i] /= count[i]
	}
	return shares{&registry.Latent{Catalogue: c}}, nil
}

func (r *sharesRecipe) Load(f *modelfile.File, n int) (model.Model, error) {
	worths, err := modelfile.Get[float64](f, "shares", n)
	c := latent.NewCatalogue(n, 0, latent.Gaussian, latent.Options{})
	copy(c.U, worths)
	return shares{&registry.Latent{Catalogue: c}}, err
}

func (m shares) Save(f *modelfile.File) error {
	modelfile.Set(f, "shares", m.Parameters().U)
	return nil
}

// A model that was registered from outside, and has the parameters of an Ordered Set Model, is trained, tried and served
// like ours: its order is the one it answers with, and a reload takes it in place of ours.
func TestAModelFromOutsideIsServed(t *testing.T) {
	if err := registry.Register("shares", func() model.Recipe { return &sharesRecipe{middle: 3} }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { registry.Unregister("shares") })
	b := ratings.NewBuilder()
	for user, values := range map[string][]float32{"u": {1, 4, 5, 2}, "v": {1, 5, 4, 4}, "w": {2, 2, 5, 1}} {
		for i, item := range []string{"worst", "second", "best", "third"} {
			if err := b.Add([]byte(user), []byte(item), values[i], ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := modelstore.Train(t.Context(), set, modelstore.Request{Model: "shares", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	file, err := saved.File()
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, nil)
	s.file.Store(file)
	if got := s.ask("POST", "/v1/model/reload", "", s.key()...); got.status != 200 {
		t.Fatalf("status %d: %s", got.status, got.text)
	}
	type facts struct{ Facts struct{ Model string } }
	if got := read[facts](t, s.ask("GET", "/v1/model", ""), 200); got.Facts.Model != "shares" {
		t.Errorf("the model is called %q", got.Facts.Model)
	}
	type answer struct{ Items []struct{ Item string } }
	got := read[answer](t, s.ask("POST", "/v1/recommend", `{"tiers":[["third"]],"min_support":0}`), 200)
	var order []string
	for _, each := range got.Items {
		order = append(order, each.Item)
	}
	if !slices.Equal(order, []string{"best", "second", "worst"}) {
		t.Errorf("recommended %v", order)
	}
	if _, err := server.New(t.Context(), server.Options{Load: func(context.Context) (*modelfile.File, error) { return file, nil }}); err != nil {
		t.Errorf("a server of its own: %v", err)
	}
}
