package train

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/rank"
)

// circles draws people of some circles. Each places a few items, a share of them such as
// their circle likes, and likes those better. It returns everybody's values of all items.
func circles(people, items, count int, share float64, seed uint64) (lists []osm.List, values [][]float64) {
	r := rng.Stream(seed, "circles")
	for u := range people {
		all := make([]float64, items)
		for i := range all {
			if all[i] = 0.7 * r.NormFloat64(); i%count == u%count {
				all[i]++
			}
		}
		in := map[int]bool{}
		var list osm.List
		var own []float64
		for len(list.Items) < 5+u/count%3 {
			i := r.IntN(items)
			if in[i] || i%count != u%count && r.Float64() < share {
				continue
			}
			in[i] = true
			list.Items = append(list.Items, i)
			own = append(own, math.Round(all[i]))
		}
		x, err := partition.FromScores(own)
		if err != nil {
			panic(err)
		}
		list.Order = x
		lists, values = append(lists, list), append(values, all)
	}
	return lists, values
}

// byDecomposition is company by the singular vectors of the whole matrix.
func byDecomposition(items int, lists []osm.List, numbers int, centred bool) (of *mat.Dense, told []float64) {
	times := timesOf(items, lists)
	places := placesIn(times)
	m := mat.NewDense(len(lists), items, nil)
	trivial := mat.NewVecDense(len(lists), nil)
	for l, list := range lists {
		length := float64(len(list.Items))
		trivial.SetVec(l, math.Sqrt(length/places))
		for _, i := range list.Items {
			m.Set(l, i, 1/math.Sqrt(length*(times[i]+shy)))
		}
	}
	if centred {
		var along mat.VecDense
		along.MulVec(m.T(), trivial)
		m.RankOne(m, -1, trivial, &along)
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThin) {
		panic("no decomposition")
	}
	var left mat.Dense
	svd.UTo(&left)
	told = svd.Values(nil)
	of = mat.NewDense(items, numbers, nil)
	for l, list := range lists {
		for _, i := range list.Items {
			for d := range numbers {
				of.Set(i, d, of.At(i, d)+left.At(l, d)*math.Sqrt(places/float64(len(list.Items)))/(times[i]+shy))
			}
		}
	}
	return of, told
}

// Company is correspondence analysis: the numbers of any two items have the inner product
// that singular vectors give them, in whichever basis. Without centring the first of
// these only tells how long lists are.
func TestCompanyIsCorrespondenceAnalysis(t *testing.T) {
	const items, numbers = 40, 3
	lists, _ := circles(400, items, numbers+1, 0.95, 1)
	for _, jobs := range []int{1, 3} {
		c := FindCompany(items, lists, numbers, 7, jobs)
		apart := func(centred bool) (most float64) {
			exact, _ := byDecomposition(items, lists, numbers, centred)
			for i := range items {
				for j := range items {
					most = math.Max(most, math.Abs(vec.Dot(c.row(c.Of, i), c.row(c.Of, j))-mat.Dot(exact.RowView(i), exact.RowView(j))))
				}
			}
			return most
		}
		if off, twin := apart(true), apart(false); !(off < 1e-4) || !(twin > 0.1) {
			t.Errorf("inner products of numbers are %g off, and %g without centring", off, twin)
		}
	}
}

// Where no direction stands out, those that are found tell nearly as much as the best:
// the sum of the squares of their singular values. Directions at random would not.
func TestCompanyTellsNearlyAllThereIs(t *testing.T) {
	const items, numbers = 60, 6
	lists, _ := circles(400, items, 2, 0, 1) // nobody keeps to their circle
	c := FindCompany(items, lists, numbers, 7, 1)
	times := timesOf(items, lists)
	places := placesIn(times)
	var caught, best, all float64
	for i, n := range times {
		caught += (n + shy) * vec.Dot(c.row(c.Of, i), c.row(c.Of, i)) / places
	}
	_, values := byDecomposition(items, lists, numbers, true)
	for k, v := range values {
		if all += v * v; k < numbers {
			best += v * v
		}
	}
	if random := all * numbers / items; !(caught > 0.95*best) || !(caught < best*(1+1e-9)) || !(random < 0.8*best) {
		t.Errorf("%g told, the best directions have %g, some at random %g", caught, best, random)
	}
}

// The numbers of lists are uncorrelated over places, with a mean square of one.
func TestNumbersOfListsAreEven(t *testing.T) {
	const items, numbers = 40, 3
	lists, _ := circles(400, items, numbers+1, 0.95, 1)
	c := FindCompany(items, lists, numbers, 7, 1)
	var product [numbers][numbers]float64
	places := placesIn(timesOf(items, lists))
	for _, list := range lists {
		var own [numbers]float64
		for _, i := range list.Items {
			for d, v := range c.row(c.Loads, i) {
				own[d] += v / float64(len(list.Items))
			}
		}
		for d := range own {
			for e := range own {
				product[d][e] += own[d] * own[e] * float64(len(list.Items)) / places
			}
		}
	}
	for d := range numbers {
		for e := range numbers {
			want := 0.0
			if d == e {
				want = 1
			}
			if !(math.Abs(product[d][e]-want) < 1e-9) {
				t.Errorf("numbers %d and %d have mean product %g", d, e, product[d][e])
			}
		}
	}
}

// Where everybody placed everything, and where there are fewer people than numbers,
// there is no more to tell than there is.
func TestCompanyOfAllIsNone(t *testing.T) {
	all := []int{0, 1, 2, 3, 4}
	x := partition.OneBlock(5)
	lists := []osm.List{{Items: all, Order: x}, {Items: all, Order: x}, {Items: all, Order: x}}
	for _, v := range FindCompany(5, lists, 4, 1, 1).Of {
		if v != 0 {
			t.Fatalf("a number %g of items that all have placed", v)
		}
	}
	some := osm.List{Items: []int{5, 6}, Order: partition.OneBlock(2)}
	c := FindCompany(8, append(lists, some), 4, 1, 1)
	told := 0
	for d := range c.Numbers {
		if c.Of[d] != 0 {
			told++
		}
	}
	if told != 1 {
		t.Errorf("two kinds of lists have %d numbers", told)
	}
	for _, v := range c.row(c.Of, 7) {
		if v != 0 {
			t.Errorf("an item that nobody placed has a number %g", v)
		}
	}
}

// A step of the coefficients is along the gradient of the objective, all parameters
// moving with them.
func TestStepOfCoefficients(t *testing.T) {
	const items = 12
	lists, _ := circles(5, items, 3, 0.5, 1)
	options, err := with(LatentDefaults(), func(o *LatentOptions) { o.Hidden, o.Units, o.Company, o.Jobs = 2, latent.Gaussian, 3, 1 }).resolved(lists)
	if err != nil {
		t.Fatal(err)
	}
	f, err := newLatentFit(t.Context(), items, lists, options)
	if err != nil {
		t.Fatal(err)
	}
	c, now := f.companions, f.state.Now
	r := rng.Stream(2, "beside company")
	beside := now.Clone()
	for _, of := range [][]float64{beside.U, beside.W, beside.V} {
		for k := range of {
			of[k] = 0.5 * r.NormFloat64()
		}
	}
	kinds := []struct {
		*shared
		of, beside []float64
	}{{&c.u, now.U, beside.U}, {&c.w, now.W, beside.W}, {&c.v, now.V, beside.V}}
	value := func() (sum float64) {
		for _, kind := range kinds {
			for i := range items {
				mean := kind.row(kind.means, i)
				kind.meanOf(c.row(c.Of, i), mean)
				for k, v := range mean {
					kind.row(kind.of, i)[k] = kind.row(kind.beside, i)[k] + v
				}
			}
		}
		for l := range lists {
			f.list(f.workers[0], f.tasks[l], l, 0)
			sum += f.tasks[l].logLikelihood
		}
		return sum
	}
	for _, kind := range kinds {
		for k := range kind.coefficients {
			kind.coefficients[k] = 0.3 * r.NormFloat64()
		}
	}
	numeric := map[*float64]float64{}
	const step = 1e-5
	for _, kind := range kinds {
		for k := range kind.coefficients {
			a := &kind.coefficients[k]
			was := *a
			*a = was + step
			up := value()
			*a = was - step
			down := value()
			*a = was
			numeric[a] = (up - down) / (2 * step)
		}
	}
	value()
	for l := range lists {
		for n, i := range lists[l].Items {
			c.take(f.tasks[l], n, i)
		}
	}
	c.lists = len(lists)
	s := stride{rate: 0.5, sight: Sight{U: 1, W: 2, V: 3}}
	var want []float64
	for n, kind := range kinds {
		for k, a := range kind.coefficients {
			curvature := kind.prior + kind.squares[k/kind.width]*float64(n+1)
			want = append(want, a+0.5*(numeric[&kind.coefficients[k]]-kind.prior*a)/curvature)
		}
	}
	f.follow(s)
	at, most := 0, 0.0
	for _, kind := range kinds {
		for _, got := range kind.coefficients {
			if !(math.Abs(got-want[at]) < 1e-6) {
				t.Errorf("coefficient %d is %g, by differences %g", at, got, want[at])
			}
			at++
		}
		for i := range items { // what is beside company has stayed
			for k, v := range kind.row(kind.of, i) {
				most = math.Max(most, math.Abs(v-kind.row(kind.means, i)[k]-kind.row(kind.beside, i)[k]))
			}
		}
	}
	if !(most < 1e-12) {
		t.Errorf("what items have beside their company moved by %g", most)
	}
}

// Items that few have placed are judged by their company: what people would say of items
// that they have not placed is foreseen better. The company of other items, the broken
// twin, does not help.
func TestCompanyTellsOfTastes(t *testing.T) {
	const items, numbers = 150, 4
	lists, values := circles(600, items, numbers, 0.6, 3)
	fit := func(numbers int, mixed bool) (right float64) {
		o := with(LatentDefaults(), func(o *LatentOptions) {
			o.Units, o.Hidden, o.PriorW, o.Company, o.Seed = latent.Gaussian, 5, 10, numbers, 1
		})
		if mixed {
			o.Resume = StartLatent(items, o)
			o.Resume.Company = FindCompany(items, lists, numbers, 1, 1)
			order := make([]int, items)
			rng.Permutation(rng.Stream(5, "mixed"), order)
			var of []float64
			for _, i := range order {
				of = append(of, o.Resume.Company.row(o.Resume.Company.Of, i)...)
			}
			o.Resume.Company.Of = of
		}
		c, err := FitLatent(context.Background(), items, lists, o)
		if err != nil {
			t.Fatal(err)
		}
		everything := make([]uint32, items)
		for i := range everything {
			everything[i] = uint32(i)
		}
		scores := make([]float64, items)
		for u, list := range lists {
			taste, err := rank.Fold(c, list)
			if err != nil {
				t.Fatal(err)
			}
			rank.Complete(c, taste, len(list.Items), everything, scores)
			right += correlation(scores, values[u]) / float64(len(lists))
		}
		return right
	}
	without, with, twin := fit(0, false), fit(numbers, false), fit(numbers, true)
	if !(with > without+0.02) || !(twin < without+0.01) {
		t.Errorf("correlation of scores with the truth: %.3f without company, %.3f with, %.3f with that of others", without, with, twin)
	}
}

// Company that does not fit is refused.
func TestCompanyIsRefused(t *testing.T) {
	lists, _ := circles(20, 12, 3, 0.5, 1)
	start := latent.NewCatalogue(12, 2, latent.Gaussian, latent.Options{Size: 2, Centred: true})
	for _, c := range []struct {
		name    string
		options LatentOptions
	}{
		{"absolute", with(LatentDefaults(), func(o *LatentOptions) { o.Company, o.Absolute = 2, true })},
		{"point to start from", with(LatentDefaults(), func(o *LatentOptions) {
			o.Company, o.Hidden, o.Units, o.Start, o.Seen = 2, 2, latent.Gaussian, start, make([]uint32, 12)
		})},
		{"numbers", with(LatentDefaults(), func(o *LatentOptions) { o.Company, o.Resume = 2, &LatentState{Company: &Company{Numbers: 3}} })},
		{"coefficients", with(LatentDefaults(), func(o *LatentOptions) {
			o.Company, o.Resume = 2, &LatentState{Company: &Company{Numbers: 2, Of: make([]float64, 24), U: make([]float64, 3)}}
		})},
	} {
		if r := c.options.Resume; r != nil {
			s := StartLatent(12, c.options)
			s.Company = r.Company
			c.options.Resume = s
		}
		if _, err := FitLatent(context.Background(), 12, lists, c.options); err == nil || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
