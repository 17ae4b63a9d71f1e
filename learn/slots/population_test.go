package slots

import (
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/judge/metric"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// The analysis of variance finds the covariances of drawn people: between people, and within one person's items, whatever the lengths of
// their lists. Without the part of chance in the means of short lists it would not.
func TestCovariancesOfDrawnPeople(t *testing.T) {
	r := rng.Stream(1, "population")
	between, within, mean := [terms]float64{0.5, 1, 2}, [terms]float64{1, 4, 0.5}, [terms]float64{1, -2, 0.5}
	m := newMoments(1)
	for range 20_000 {
		var own [terms]float64
		shared := r.NormFloat64() // terms of a person go together
		for a := range own {
			own[a] = mean[a] + math.Sqrt(between[a]/2)*(shared+r.NormFloat64())
		}
		n := 3 + r.IntN(20)
		sums, products := make([]float64, terms), make([]float64, terms*terms)
		for range n {
			var z [terms]float64
			for a := range z {
				z[a] = own[a] + math.Sqrt(within[a])*r.NormFloat64()
				sums[a] += z[a]
				for b := range a + 1 {
					products[a*terms+b] += z[a] * z[b]
				}
			}
		}
		m.add(float64(n), float64(n), sums, products)
	}
	for a := range m.mean {
		m.mean[a] /= m.weight
	}
	b, w := m.covariances(1)
	for a := range terms {
		for c := range terms {
			wantBetween, wantWithin := math.Sqrt(between[a]*between[c])/2, 0.0
			if a == c {
				wantBetween, wantWithin = between[a], within[a]
			}
			// The deviations are a hundredth to a fiftieth.
			if got := b[a*terms+c]; !(math.Abs(got-wantBetween) <= 0.06*math.Sqrt(between[a]*between[c])) {
				t.Errorf("between, terms %d and %d: %g, drawn with %g", a, c, got, wantBetween)
			}
			if got := w[a*terms+c]; !(math.Abs(got-wantWithin) <= 0.03*math.Sqrt(within[a]*within[c])) {
				t.Errorf("within, terms %d and %d: %g, drawn with %g", a, c, got, wantWithin)
			}
		}
		if !(math.Abs(m.mean[a]-mean[a]) <= 0.05) {
			t.Errorf("mean of term %d: %g, drawn with %g", a, m.mean[a], mean[a])
		}
	}
	chance := m.means[4]/m.weight - m.mean[1]*m.mean[1] // of the second term, with the part of chance
	if !(math.Abs(chance-between[1]) > 0.2) {
		t.Errorf("the variance of means is %g, hardly more than %g between people: nothing is tested", chance, between[1])
	}
}

// The moments are the same bits for any number of jobs, and where all lists are of one length every list is read as it stands.
func TestPopulationOfAFit(t *testing.T) {
	lists, _ := goldenPeople(t, 120, 40)
	fitted := func(jobs int) *latent.Catalogue {
		o := Defaults()
		o.Seed, o.Jobs, o.Epochs = 1, jobs, 3
		found, err := o.Fit(t.Context(), 40, osm.Pack(lists))
		if err != nil {
			t.Fatal(err)
		}
		return found.Catalogue
	}
	one, three := fitted(1), fitted(3)
	if a, b := one.Population, three.Population; a.Length != b.Length || !slices.Equal(a.Mean, b.Mean) || !slices.Equal(a.Between, b.Between) || !slices.Equal(a.Within, b.Within) {
		t.Errorf("one job: %v, three: %v", one.Population, three.Population)
	}
	if one.Population.Length != 12 {
		t.Errorf("lists of 12 items are of length %g", one.Population.Length)
	}
	raw := one.Clone()
	raw.Population = nil
	for _, list := range lists[:5] {
		as, read := must(t, one, list), must(t, raw, list)
		if !slices.Equal(as, read) {
			t.Errorf("a list is read %v, as it stands %v", as, read)
		}
	}
}

func must(t *testing.T, c *latent.Catalogue, list osm.List) []float64 {
	t.Helper()
	units, err := rank.Fold(c, list)
	if err != nil {
		t.Fatal(err)
	}
	return units
}

// New people of whom three placements are known, of a model that learned from forty each: ranked by the list read as one of forty, better
// than by the list as it stands.
func TestNewPeopleWithFewPlacements(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole fit: not with -short")
	}
	const items, people, known, each = 80, 400, 3, 40
	_, values := goldenPeople(t, people, items)
	r := rng.Stream(2, "long lists")
	var lists []osm.List
	for _, all := range values[:people-100] {
		lists = append(lists, someOf(t, all, r.Perm(items)[:each]))
	}
	o := Defaults()
	o.Seed, o.Jobs = 1, 1
	found, err := o.Fit(t.Context(), items, osm.Pack(lists))
	if err != nil {
		t.Fatal(err)
	}
	raw := found.Catalogue.Clone()
	raw.Population = nil
	quality := func(c *latent.Catalogue) (ndcg float64) {
		r := rng.Stream(3, "short lists")
		for _, all := range values[people-100:] {
			order := r.Perm(items)
			list, rest := someOf(t, all, order[:known]), order[known:]
			scores, levels := make([]float64, len(rest)), make([]float64, len(rest))
			rank.Complete(c, must(t, c, list), c.OwnPresence(known), rest, scores)
			for k, i := range rest {
				levels[k] = all[i]
			}
			ranking, err := metric.Rank(scores, levels)
			if err != nil {
				t.Fatal(err)
			}
			ndcg += ranking.NDCG(10, metric.Exp2) / 100
		}
		return ndcg
	}
	if read, stands := quality(found.Catalogue), quality(raw); !(read > stands+0.01) {
		t.Errorf("NDCG@10 %.4f, as the list stands %.4f", read, stands)
	} else {
		t.Logf("NDCG@10 %.4f, as the list stands %.4f", read, stands)
	}
}

// someOf is the list of a person's values of some items.
func someOf(t *testing.T, values []float64, of []int) osm.List {
	t.Helper()
	list := osm.List{Items: slices.Sorted(slices.Values(of))}
	var own []float64
	for _, i := range list.Items {
		own = append(own, values[i])
	}
	var err error
	if list.Order, err = partition.FromScores(own); err != nil {
		t.Fatal(err)
	}
	return list
}
