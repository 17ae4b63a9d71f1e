package server_test

import (
	"context"
	"math"
	"slices"
	"strings"
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

// plain is the same model without the parameters of an Ordered Set Model: it has scores alone. It marks down the items
// that follow those a person placed, so that placements have an effect.
type plain []float64

type plainRecipe struct{ sharesRecipe }

func (r *plainRecipe) Fit(ctx context.Context, set *ratings.Set, run model.Run) (model.Model, error) {
	m, err := r.sharesRecipe.Fit(ctx, set, run)
	return plain(m.(shares).Parameters().U), err
}

func (r *plainRecipe) Load(f *modelfile.File, n int) (model.Model, error) {
	worths, err := modelfile.Get[float64](f, "plain", n)
	return plain(worths), err
}

func (m plain) Save(f *modelfile.File) error {
	modelfile.Set(f, "plain", m)
	return nil
}

func (m plain) Score(p model.Person, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = m[i]
		for _, placed := range p.Known.Items {
			if placed+1 == i {
				scores[k] -= 0.125
			}
		}
	}
}

// A model that was registered from outside is trained, tried and served like ours: its order is the one it answers with,
// and a reload takes it in place of ours. One with the parameters of an Ordered Set Model has odds, another has none.
func TestAModelFromOutsideIsServed(t *testing.T) {
	oneClient(t)
	serveOutside(t, "shares", true, func() model.Recipe { return &sharesRecipe{middle: 3} })
	serveOutside(t, "plain", false, func() model.Recipe { return &plainRecipe{sharesRecipe{middle: 3}} })
}

func serveOutside(t *testing.T, name string, odds bool, recipe func() model.Recipe) {
	t.Helper()
	if err := registry.Register(name, recipe); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { registry.Unregister(name) })
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
	saved, err := modelstore.Train(t.Context(), set, modelstore.Request{Model: name, Seed: 1})
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
	if got := read[facts](t, s.ask("GET", "/v1/model", ""), 200); got.Facts.Model != name {
		t.Errorf("the model is called %q", got.Facts.Model)
	}
	type answer struct {
		Items []struct {
			Item      string
			TierProbs []float64 `json:"tier_probs"`
		}
	}
	got := read[answer](t, s.ask("POST", "/v1/recommend", `{"tiers":[["third"]],"min_support":0}`), 200)
	var order []string
	for _, each := range got.Items {
		order = append(order, each.Item)
		if (len(each.TierProbs) == 1) != odds {
			t.Errorf("%s has the odds %v", name, each.TierProbs)
		}
	}
	if !slices.Equal(order, []string{"best", "second", "worst"}) {
		t.Errorf("recommended %v", order)
	}
	type explained struct {
		Score, Base, Sum, Rest float64
		Parts                  []struct{ Part float64 }
	}
	why := read[explained](t, s.ask("POST", "/v1/explain", `{"tiers":[["second"]],"item":"third"}`), 200)
	if math.Abs(why.Sum-why.Score) > 1e-12 || len(why.Parts) != 1 || !odds && why.Parts[0].Part != -0.125 {
		t.Errorf("%s explains itself by %+v", name, why)
	}
	rebuilt := map[bool]int{true: 200, false: 409}[odds]
	if got := s.ask("POST", "/v1/reconstruct", `{"tiers":[["second"],["best"]]}`); got.status != rebuilt {
		t.Errorf("%s: an order is rebuilt with status %d: %s", name, got.status, got.text)
	}
	if got := s.ask("POST", "/v1/embed", `{"tiers":[["second"]]}`); got.status != 409 || !strings.Contains(string(got.text), "no hidden units") {
		t.Errorf("%s: the map has status %d: %s", name, got.status, got.text)
	}
	if _, _, err := modelstore.Extend(t.Context(), saved, set, modelstore.Request{}); err == nil || !strings.Contains(err.Error(), "cannot be extended") {
		t.Errorf("%s extended: %v", name, err)
	}
	if _, err := server.New(t.Context(), server.Options{Load: func(context.Context) (*modelfile.File, error) { return file, nil }}); err != nil {
		t.Errorf("a server of its own: %v", err)
	}
}
