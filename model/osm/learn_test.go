package osm_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/model/osm"
)

// foods is a family with features of every kind over catalogue items.
func foods() osm.Features {
	sweet := []float64{1, 0, 0, 1, 0, 1, 0}
	price := []float64{3, 1, 2, 5, 4, 2, 1}
	return osm.Features{
		Ties: []osm.Feature{
			{Name: "constant", Value: func(int, int) float64 { return 1 }},
			{Name: "same kind", Value: func(i, j int) float64 { return 1 - math.Abs(sweet[i]-sweet[j]) }},
		},
		Orders: []osm.Feature{
			{Name: "sweet", Value: func(i, _ int) float64 { return sweet[i] }},
			{Name: "cheaper", Value: func(i, j int) float64 { return price[j] - price[i] }},
		},
	}
}

func families() map[string]osm.Family {
	sized := foods()
	sized.Size = 3
	return map[string]osm.Family{
		"worths":          osm.WorthFamily{Items: 7},
		"worths, size":    osm.WorthFamily{Items: 7, Options: osm.Options{Size: 4}},
		"worths, tiers":   osm.WorthFamily{Items: 7, Options: osm.Options{Size: 0.3}, Tiers: 6},
		"features":        foods(),
		"features, sized": sized,
	}
}

// The gradient of the log-likelihood is observed minus expected statistics,
// against finite differences of the exact log-likelihood.
func TestGradientByFiniteDifferences(t *testing.T) {
	items := []int{5, 0, 3, 6}
	x, err := partition.Parse("2 > 0~3 > 1")
	if err != nil {
		t.Fatal(err)
	}
	for name, family := range families() {
		theta := normals("gradient", family.Dim())
		bound := must[osm.Bound](t)(family.Bind(items))
		logLikelihood := func() float64 {
			bound.SetParameters(theta)
			return must[float64](t)(osm.LogLikelihood(bound, x))
		}
		bound.SetParameters(theta)
		observed, gradient := make([]float64, len(bound.Index())), make([]float64, len(bound.Index()))
		bound.Statistics(x, observed)
		if err := osm.Gradient(bound, x, gradient); err != nil {
			t.Fatal(err)
		}
		// Log-linear: the log weight itself is theta times the statistics.
		var weight float64
		for a, k := range bound.Index() {
			weight += theta[k] * observed[a]
		}
		if !near(weight, bound.LogWeight(x), 1e-13) {
			t.Errorf("%s: log weight %g, theta times statistics %g", name, bound.LogWeight(x), weight)
		}
		told := make([]float64, family.Dim())
		for a, k := range bound.Index() {
			told[k] = gradient[a]
		}
		for k := range theta {
			const step = 1e-5
			was := theta[k]
			theta[k] = was + step
			up := logLikelihood()
			theta[k] = was - step
			down := logLikelihood()
			theta[k] = was
			if slope := (up - down) / (2 * step); !(math.Abs(slope-told[k]) <= 1e-8) {
				t.Errorf("%s, %s: slope %.10g, gradient %.10g", name, family.Name(k), slope, told[k])
			}
		}
	}
}

// The information of one list is the covariance of its statistics, here by
// listing; sampling, for lists too long to be exact, comes near.
func TestInformationAgainstListing(t *testing.T) {
	items := []int{5, 0, 3, 6}
	for name, family := range families() {
		theta := normals("information", family.Dim())
		bound := must[osm.Bound](t)(family.Bind(items))
		bound.SetParameters(theta)
		list := must[*exact.Listing](t)(exact.List(bound, partition.Space{}))
		d := family.Dim()
		want := mat.NewSymDense(d, nil)
		mean, s := make([]float64, len(bound.Index())), make([]float64, len(bound.Index()))
		for x, p := range list.All() {
			bound.Statistics(x, s)
			for a := range s {
				mean[a] += p * s[a]
			}
		}
		for x, p := range list.All() {
			bound.Statistics(x, s)
			full := mat.NewVecDense(d, nil)
			for a, k := range bound.Index() {
				full.SetVec(k, s[a]-mean[a])
			}
			want.SymRankOne(want, p, full)
		}
		twice := []osm.List{{Items: items, Order: partition.OneBlock(4)}, {Items: items, Order: partition.OneBlock(4)}}
		got := must[*mat.SymDense](t)(osm.Information(family, theta, twice, osm.InformationOptions{}))
		sampled := must[*mat.SymDense](t)(osm.Information(family, theta, twice, osm.InformationOptions{ExactTo: -1, Sweeps: 20000, Seed: 1}))
		for i := range d {
			for j := range d {
				if !(math.Abs(got.At(i, j)-2*want.At(i, j)) <= 1e-6*(1+math.Abs(want.At(i, j)))) {
					t.Errorf("%s: information of %s and %s is %.9g, listed %.9g", name, family.Name(i), family.Name(j), got.At(i, j), 2*want.At(i, j))
				}
				// A covariance from 20,000 sweeps is good to some percent of the
				// two standard deviations.
				size := 2 * math.Sqrt(want.At(i, i)*want.At(j, j))
				if math.Min(want.At(i, i), want.At(j, j)) < 0.01 {
					continue // a tier size that so many sweeps hardly meet
				}
				if !(math.Abs(sampled.At(i, j)-2*want.At(i, j)) <= 0.05*size+1e-12) {
					t.Errorf("%s: sampled information of %s and %s is %.4g, exact %.4g", name, family.Name(i), family.Name(j), sampled.At(i, j), 2*want.At(i, j))
				}
			}
		}
	}
}

// Information scales with the square of a feature, however large or small, in
// lists that are listed and in longer ones.
func TestInformationOfFeaturesOfAnySize(t *testing.T) {
	for _, items := range [][]int{{0, 1, 2}, {0, 1, 2, 3, 4, 5, 6}} {
		lists := []osm.List{{Items: items, Order: partition.OneBlock(len(items))}}
		var first float64
		for _, size := range []float64{1, 1e-6, 1e-3, 1e3, 1e6} {
			family := osm.Features{Orders: []osm.Feature{{Name: "number", Value: func(i, j int) float64 { return size * float64(i-j) }}}}
			information := must[*mat.SymDense](t)(osm.Information(family, []float64{0.1 / size}, lists, osm.InformationOptions{}))
			got := information.At(0, 0) / (size * size)
			if size == 1 {
				first = got
			}
			if !near(got, first, 1e-6) {
				t.Errorf("%d items, size %g: information %.9g over its square, at size 1 %.9g", len(items), size, got, first)
			}
		}
	}
}

// Two features that are the same cannot be told apart.
func TestCollinearFeaturesHaveNoStandardErrors(t *testing.T) {
	same := func(i, j int) float64 { return float64(i - j) }
	family := osm.Features{Orders: []osm.Feature{{Name: "one", Value: same}, {Name: "two", Value: same}}}
	lists := []osm.List{{Items: []int{0, 1, 2}, Order: partition.OneBlock(3)}}
	information := must[*mat.SymDense](t)(osm.Information(family, []float64{0.1, 0.2}, lists, osm.InformationOptions{}))
	if got, err := osm.StandardErrors(family, information, 0); err == nil {
		t.Errorf("standard errors %v", got)
	}
	if _, err := osm.StandardErrors(osm.WorthFamily{Items: 5}, information, 1); err == nil {
		t.Error("a matrix of another family was taken")
	}
}

// Standard errors of worths follow from the constrained problem: fix the sum
// by eliminating the last worth, invert, and read the same variances.
func TestStandardErrorsUnderTheSumConvention(t *testing.T) {
	family := osm.WorthFamily{Items: 4}
	theta := normals("errors", 5)
	lists := []osm.List{
		{Items: []int{0, 1, 2, 3}, Order: partition.OneBlock(4)},
		{Items: []int{1, 3, 0}, Order: partition.OneBlock(3)},
	}
	information := must[*mat.SymDense](t)(osm.Information(family, theta, lists, osm.InformationOptions{}))
	got := must[[]float64](t)(osm.StandardErrors(family, information, 0))

	free := mat.NewDense(5, 4, nil) // u_3 = -(u_0 + u_1 + u_2); nu stays
	for k := range 3 {
		free.Set(k, k, 1)
		free.Set(3, k, -1)
	}
	free.Set(4, 3, 1)
	var half, reduced, inverse, wide, spread mat.Dense
	half.Mul(information, free)
	reduced.Mul(free.T(), &half)
	if err := inverse.Inverse(&reduced); err != nil {
		t.Fatal(err)
	}
	wide.Mul(&inverse, free.T())
	spread.Mul(free, &wide)
	for k := range got {
		if want := math.Sqrt(spread.At(k, k)); !near(got[k], want, 1e-6) {
			t.Errorf("standard error of %s is %g, by elimination %g", family.Name(k), got[k], want)
		}
	}
}

func TestStandardErrorsThatDoNotExist(t *testing.T) {
	family := osm.WorthFamily{Items: 3}
	theta := make([]float64, 4)
	pair := osm.List{Items: []int{0, 1}, Order: partition.OneBlock(2)}
	information := must[*mat.SymDense](t)(osm.Information(family, theta, []osm.List{pair}, osm.InformationOptions{}))
	if got, err := osm.StandardErrors(family, information, 0); err == nil {
		t.Errorf("item 2 was never listed, yet has a standard error: %v", got)
	}
	// With a prior everything has one, however much or little data there is.
	big := mat.NewSymDense(4, nil)
	big.ScaleSym(1e7, information)
	for _, precision := range []float64{0.01, 20} {
		got, err := osm.StandardErrors(family, big, precision)
		if err != nil {
			t.Errorf("precision %g: %v", precision, err)
		} else if want := 1 / math.Sqrt(precision); !near(got[2], want, 1e-6) {
			t.Errorf("an item without data has the standard deviation %g of its prior, got %g", want, got[2])
		}
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := osm.StandardErrors(family, information, bad); err == nil {
			t.Errorf("precision %g was taken", bad)
		}
	}
	if _, err := osm.Information(family, theta[:2], []osm.List{pair}, osm.InformationOptions{}); err == nil {
		t.Error("too few parameters were taken")
	}
}

// Connectivity agrees with the definition by cuts: worths exist exactly when
// every set of items was met, at or above one of its members, from outside.
func TestConnectivityAgainstAllCuts(t *testing.T) {
	const items = 5
	for trial := range 300 {
		r := rng.Stream(1, "cuts", uint64(trial))
		var lists []osm.List
		for range 1 + r.IntN(4) {
			n := 2 + r.IntN(2)
			picked := make([]int, items)
			rng.Permutation(r, picked)
			x := partition.OneBlock(n)
			partition.NewUniform(n).Draw(r, x)
			lists = append(lists, osm.List{Items: picked[:n], Order: x})
		}
		exists := true
		for cut := 1; cut < 1<<items-1; cut++ {
			met := false
			for _, l := range lists {
				for a, i := range l.Items {
					for b, j := range l.Items {
						if cut>>i&1 == 0 && cut>>j&1 == 1 && l.Order.Relation(a, b) >= partition.Tied {
							met = true
						}
					}
				}
			}
			exists = exists && met
		}
		c := must[*osm.Connected](t)(osm.Connectivity(items, lists))
		if err := c.Err(false, nil); (err == nil) != exists {
			t.Fatalf("trial %d: by cuts %v, by connectivity %v", trial, exists, err)
		} else if err != nil && !errors.Is(err, osm.ErrNoMaximum) {
			t.Fatalf("trial %d: %v is no ErrNoMaximum", trial, err)
		}
	}
}

func TestConnectivityOfNu(t *testing.T) {
	order := func(text string) osm.List {
		x, err := partition.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return osm.List{Items: []int{0, 1, 2}, Order: x}
	}
	strict := []osm.List{order("0 > 1 > 2"), order("2 > 1 > 0")}
	tied := []osm.List{order("0~1~2")}
	both := append(strict, tied...)
	for _, c := range []struct {
		name       string
		lists      []osm.List
		fixed, all bool
	}{{"strict", strict, true, false}, {"tied", tied, true, false}, {"both", both, true, true}} {
		report := must[*osm.Connected](t)(osm.Connectivity(3, c.lists))
		if err := report.Err(false, nil); (err == nil) != c.fixed {
			t.Errorf("%s, nu given: %v", c.name, err)
		}
		if err := report.Err(true, nil); (err == nil) != c.all {
			t.Errorf("%s, nu learned: %v", c.name, err)
		}
	}
	if _, err := osm.Connectivity(2, strict); err == nil {
		t.Error("an item outside the catalogue was taken")
	}
}

func ExampleConnectivity() {
	always, _ := partition.Parse("0 > 1~2")
	report, _ := osm.Connectivity(3, []osm.List{{Items: []int{0, 1, 2}, Order: always}})
	fmt.Println(report.Groups[0], "never loses;", errors.Is(report.Err(true, nil), osm.ErrNoMaximum))
	// Output: [0] never loses; true
}
