package league_test

import (
	"context"
	"testing"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/paper/cells"
	"fubini/paper/league"
)

// sums is a model of somebody else: the sum of an item's ratings, less a setting for each of them.
type sums struct {
	less  float64
	tried map[float64]bool // values of the setting that it was fitted with
}

func (s *sums) Settings() []setting.Setting {
	return []setting.Setting{setting.Float(&s.less, 0.5, setting.Setting{Name: "less", Means: "subtracted from each rating", Low: 0.1, High: 2})}
}

func (s *sums) Fit(_ context.Context, set *ratings.Set, _ model.Run) (model.Model, error) {
	s.tried[s.less] = true
	m := make(summed, set.Items().Len())
	for u := range set.Users().Len() {
		row := set.Row(u)
		for k, i := range row.Items {
			m[i] += float64(row.Values[k]) - s.less
		}
	}
	return m, nil
}

func (s *sums) Load(*modelfile.File, int) (model.Model, error) { panic("a league saves no models") }

type summed []float64

func (m summed) Score(_ model.Person, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = m[i]
	}
}

func (m summed) Save(*modelfile.File) error { panic("a league saves no models") }

// A model that was registered from outside plays in a league by its name: it is tuned, judged and compared like ours.
func TestAModelFromOutsidePlays(t *testing.T) {
	tried := map[float64]bool{}
	if err := registry.Register("sums", func() model.Recipe { return &sums{0.5, tried} }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { registry.Unregister("sums") })
	play := league.League{Data: small(t), Given: []int{8}, Seeds: []uint64{1}, Models: []string{"sums", "item-mean"}, Budget: 12, Ours: "item-mean"}
	rows, err := play.Run(t.Context(), &cells.Runner{Store: memory{}, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Model != "sums" {
			continue
		}
		if _, compared := r.Minus["ndcg@5"]; !compared || !(r.Means["ndcg@5"].Mean > 0.5) || len(tried) < 2 {
			t.Errorf("%+v, tuned by the settings %v", r, tried)
		}
		return
	}
	t.Errorf("the model from outside has no row in %+v", rows)
}
