package distributed_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/data/ratings"
	"fubini/learn/distributed"
	"fubini/learn/train"
	"fubini/learn/zoo"
	"fubini/model/osm"
)

// acquainted finds the company of items in some parts, in their order.
func acquainted(t testing.TB, p *distributed.Plan, parts []*distributed.Part, largest int) *train.Company {
	t.Helper()
	c := p.Guess(parts[largest], 1)
	for pass := range distributed.Passes(p.Options) {
		total := &distributed.Sum{}
		for _, part := range parts {
			one := must[*distributed.Sum](t)(p.Meet(c, part, 2))
			if one == nil {
				continue
			}
			if err := total.Add(one); err != nil {
				t.Fatal(err)
			}
		}
		c = must[*train.Company](t)(p.Met(total, pass))
	}
	return c
}

// circles are people of four circles, each of whom places a few items, mostly such as
// their circle has, in parts of unlike sizes: one has nobody, one a single circle, and the
// largest has never seen the last items.
func circles(t testing.TB) []*ratings.Set {
	t.Helper()
	const count, items, late = 4, 40, 36
	r := rng.Stream(1, "circles of rounds")
	builders := make([]*ratings.Builder, 5)
	for k := range builders {
		builders[k] = ratings.NewBuilder()
	}
	for u := range 300 {
		part := []int{0, 0, 0, 1, 1, 3}[u%6] // 2 has nobody
		if u%count == 3 && u%3 == 0 {
			part = 4
		}
		in := map[int]bool{}
		for len(in) < 6 {
			i := r.IntN(items)
			if in[i] || i%count != u%count && r.Float64() < 0.9 || part == 0 && i >= late {
				continue
			}
			in[i] = true
			if err := builders[part].Add(fmt.Append(nil, u), fmt.Appendf(nil, "%02d", i), float32(r.IntN(3)), ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	sets := make([]*ratings.Set, len(builders))
	for k, b := range builders {
		set, _, err := b.Build(ratings.Refuse)
		sets[k] = must[*ratings.Set](t)(set, err)
	}
	return sets
}

// far is the largest difference of numbers.
func far(t testing.TB, a, b []float64) (most float64) {
	t.Helper()
	if len(a) != len(b) || len(a) == 0 {
		t.Fatalf("%d numbers, not %d", len(a), len(b))
	}
	for k, v := range a {
		most = max(most, math.Abs(v-b[k]))
	}
	return most
}

// apart is how far the inner products of items' numbers are from those of another company.
func apart(a, b *train.Company) (most float64) {
	items := len(a.Of) / a.Numbers
	product := func(c *train.Company, i, j int) float64 {
		return vec.Dot(c.Of[i*c.Numbers:(i+1)*c.Numbers], c.Of[j*c.Numbers:(j+1)*c.Numbers])
	}
	for i := range items {
		for j := range items {
			most = max(most, math.Abs(product(a, i, j)-product(b, i, j)))
		}
	}
	return most
}

// What parts say in a pass adds up to what all lists say, and after two passes company is
// near that which one machine finds. What the largest part finds by itself is not.
func TestPartsFindTheCompanyInAllLists(t *testing.T) {
	const numbers = 3
	recipe := must[[]zoo.Recipe](t)(zoo.Configure([]string{"latent-osm"}, []zoo.Setting{must[zoo.Setting](t)(zoo.ParseSetting(fmt.Sprintf("latent-osm.company=%d", numbers)))}))[0]
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Recipe, o.Seed = "latent-osm", recipe, 5 }))
	var lists []osm.List
	for _, part := range parts {
		lists = append(lists, part.Lists...)
	}
	largest := p.All.Largest.Part
	one := train.FindCompany(len(p.IDs), lists, numbers, 9, 1)
	alone := train.FindCompany(len(p.IDs), parts[largest].Lists, numbers, 9, 1)
	guess := p.Guess(parts[largest], 1)
	all, sums, times := *guess, guess.Share(lists, 1), make([]float64, len(p.IDs))
	for _, list := range lists {
		for _, i := range list.Items {
			times[i]++
		}
	}
	all.Meet(sums, times)
	direct := append(all.Of, guess.Products(sums, times)...)
	added, largestAlone := make([]float64, len(direct)), 0.0
	for k, part := range parts {
		if one := must[*distributed.Sum](t)(p.Meet(guess, part, 1)); one != nil {
			for n, v := range one.Values {
				if added[n] += float64(v) / (1 << 40); k == largest {
					largestAlone = max(largestAlone, math.Abs(float64(v)/(1<<40)-direct[n]))
				}
			}
		}
	}
	if off := far(t, added, direct); !(off < 1e-11) || !(largestAlone > 0.1) { // each of four is rounded to 2^-40
		t.Errorf("what parts say is %g from what all lists say, and the largest part %g", off, largestAlone)
	}
	got := acquainted(t, p, parts, largest)
	if got.Numbers != numbers || len(got.Of) != len(p.IDs)*numbers {
		t.Fatalf("%d numbers of company, %d in all", got.Numbers, len(got.Of))
	}
	if off, twin := apart(got, one), apart(alone, one); !(off < twin/5) {
		t.Errorf("inner products of numbers are %g from those of one machine, and %g in the largest part", off, twin)
	}
}

// Company has the same bits in whatever order parts come.
func TestCompanyIsExact(t *testing.T) {
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Seed = "latent-osm", 5 }))
	first := acquainted(t, p, parts, 0)
	backwards := slices.Clone(parts)
	slices.Reverse(backwards)
	if other := acquainted(t, p, backwards, len(parts)-1); !reflect.DeepEqual(first, other) {
		t.Error("backwards: another company")
	}
	if other := acquainted(t, p, parts, 1); reflect.DeepEqual(first, other) {
		t.Error("the test cannot see who made the guess")
	}
}

// A point takes company along: the numbers of items through all rounds as they are, the
// coefficients as the average of parts by their lists. After the first round they stay.
func TestPointsKeepTheirCompany(t *testing.T) {
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Seed, o.Rounds, o.Local = "latent-osm", 5, 2, 4 }))
	from := pilot(t, p, parts, 0)
	sum := func(say func(part *distributed.Part) (*distributed.Sum, error)) *distributed.Sum {
		total := &distributed.Sum{}
		for _, part := range parts {
			if one := must[*distributed.Sum](t)(say(part)); one != nil {
				if err := total.Add(one); err != nil {
					t.Fatal(err)
				}
			}
		}
		return total
	}
	var mean, plain []float64 // by lists, and with the same weight for each part
	first := must[*train.LatentState](t)(p.Point(sum(func(part *distributed.Part) (*distributed.Sum, error) {
		one, err := p.Round(t.Context(), from, nil, part, 1)
		if one != nil {
			share := must[*train.LatentState](t)(p.Point(one)).Company.U
			if mean == nil {
				mean, plain = make([]float64, len(share)), make([]float64, len(share))
			}
			vec.AddTimes(mean, share, 1)
			vec.AddTimes(plain, share, float64(p.All.Lists)/float64(len(part.Lists))/4)
		}
		return one, err
	})))
	if off, twin := far(t, first.Company.U, mean), far(t, first.Company.U, plain); !(off < 1e-11) || !(twin > 1e-5) {
		t.Errorf("coefficients are %g from the average of parts, %g from the plain mean", off, twin)
	}
	if moved := far(t, first.Company.W, from.Company.W); !(moved > 1e-5) {
		t.Errorf("coefficients moved by %g in the first round", moved)
	}
	slope := sum(func(part *distributed.Part) (*distributed.Sum, error) { return p.Slope(t.Context(), first, part, 1) })
	second := must[*train.LatentState](t)(p.Point(sum(func(part *distributed.Part) (*distributed.Sum, error) {
		return p.Round(t.Context(), first, slope, part, 1)
	})))
	if moved := far(t, second.Company.W, first.Company.W); !(moved < 1e-11) {
		t.Errorf("coefficients moved by %g in a round with slopes", moved)
	}
	for _, point := range []*train.LatentState{first, second} {
		if moved := far(t, point.Company.Of, from.Company.Of); !(moved < 1e-11) { // four parts, each rounded to 2^-40
			t.Errorf("numbers of company moved by %g until epoch %d", moved, point.Epoch)
		}
	}
}

// One part is enough, and company can be left out.
func TestRoundsWithAndWithoutCompany(t *testing.T) {
	sets := circles(t)
	run := func(sets []*ratings.Set, company string) *zoo.Saved {
		recipes := must[[]zoo.Recipe](t)(zoo.Configure([]string{"latent-osm"}, []zoo.Setting{must[zoo.Setting](t)(zoo.ParseSetting("latent-osm.company=" + company))}))
		return must[*zoo.Saved](t)(distributed.Run(t.Context(), sets, with(distributed.Defaults(), func(o *distributed.Request) {
			o.Model, o.Recipe, o.Seed, o.Rounds, o.Local = "latent-osm", recipes[0], 2, 2, 2
		}), 1))
	}
	for name, some := range map[string][]*ratings.Set{"all": sets, "one part": sets[:1]} {
		with, without := run(some, "16"), run(some, "0")
		if reflect.DeepEqual(with.Model, without.Model) {
			t.Errorf("%s: company makes no difference", name)
		}
	}
}

func TestCompanyThatDoesNotFit(t *testing.T) {
	p, parts := plan(t, circles(t), with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Local = "latent-osm", 1 }))
	if _, err := p.Pilot(t.Context(), nil, parts[0], 1); err == nil {
		t.Error("a pilot without company")
	}
	if _, err := p.Round(t.Context(), p.Start(), nil, parts[0], 1); err == nil {
		t.Error("a round without company")
	}
	sum := must[*distributed.Sum](t)(p.Meet(p.Guess(parts[0], 1), parts[0], 1))
	if err := sum.Add(&distributed.Sum{Company: 1, Values: sum.Values}); err == nil {
		t.Error("sums of two companies go together")
	}
	if _, err := p.Met(&distributed.Sum{Company: sum.Company, Values: sum.Values[1:]}, 0); err == nil {
		t.Error("a sum of other items")
	}
	recipes := must[[]zoo.Recipe](t)(zoo.Configure([]string{"latent-osm-paper"}, []zoo.Setting{must[zoo.Setting](t)(zoo.ParseSetting("latent-osm-paper.company=4"))}))
	if _, err := distributed.NewPlan(p.All, with(distributed.Defaults(), func(o *distributed.Request) { o.Model, o.Recipe = "latent-osm-paper", recipes[0] })); err == nil {
		t.Error("company with chains")
	}
}
