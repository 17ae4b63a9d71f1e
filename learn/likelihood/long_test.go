package likelihood

import (
	"errors"
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/learn/ballot"
)

// Lists of 30 to 50 items, drawn from a model, give its parameters back, as near as their errors say.
func TestLongListsGiveTheWorthsBack(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	r := rng.Stream(1, "long lists")
	design := ballot.Design{Items: 60}
	theta := make([]float64, 61)
	var mean float64
	for i := range 60 {
		theta[i] = 0.3 * r.NormFloat64()
		mean += theta[i] / 60
	}
	for i := range 60 {
		theta[i] -= mean
	}
	theta[60] = -0.5
	votes := ballot.Votes{Start: []int32{0}}
	for _, n := range []int{30, 40, 50} {
		v := planted(t, design, theta, 70, n, r)
		votes.Item, votes.Tier, votes.Weight = append(votes.Item, v.Item...), append(votes.Tier, v.Tier...), append(votes.Weight, v.Weight...)
		for range v.Weight {
			votes.Start = append(votes.Start, votes.Start[len(votes.Start)-1]+int32(n))
		}
	}
	d := must[*Data](t)(Group(design, votes))
	if !d.Slots {
		t.Fatal("long lists are not fitted by slots")
	}
	fit := must[*Fit](t)(d.Maximise(t.Context(), Defaults()))
	c := must[Covariance](t)(fit.Sandwich(t.Context()))
	var square float64
	for k, v := range theta {
		z := (fit.Theta[k] - v) / math.Sqrt(c[k*d.Global+k])
		square += z * z / 61
		if e := math.Sqrt(c[k*d.Global+k]); !(e < 0.1) {
			t.Errorf("%s has the error %.3f", d.Name(k), e)
		}
	}
	if !(square > 0.5 && square < 1.8) { // 61 squares of normals: 1, with a standard deviation of 0.18
		t.Errorf("mean squared error %.2f in units of the standard errors", square)
	}
	g := must[*Goodness](t)(fit.Goodness(t.Context()))
	if !(math.Abs(g.Observed-g.Expected) <= 1e-6) || !math.IsNaN(g.Deviance) {
		t.Errorf("ties %.6f observed, %.6f expected; deviance %g", g.Observed, g.Expected, g.Deviance)
	}
}

// Sandwich intervals from long lists hold the truth as often as they claim; those by the information of the slot likelihood,
// which counts every list more than once, do not: most of all that of the tie weight.
func TestIntervalsOfLongListsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	theta := []float64{0.5, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1, 0.1, 0, 0, -0.1, -0.1, -0.2, -0.2, -0.3, -0.3, -0.4, -0.4, -0.5, -0.6}
	design := ballot.Design{Items: 20}
	n := sets(3)
	row := coverage{name: "lists beyond exact sums, sandwich", votes: "120 tier lists of 17 of 20 items", others: []named{{name: "nu"}}}
	var plain, ofNu counted // by the information
	var ratio, ratioOfNu float64
	for set := range n {
		r := rng.Stream(uint64(set), "long coverage")
		d := must[*Data](t)(Group(design, planted(t, design, theta, 120, 17, r)))
		fit := must[*Fit](t)(d.Maximise(t.Context(), Defaults()))
		sandwich, information := must[Covariance](t)(fit.Sandwich(t.Context())), must[Covariance](t)(fit.Covariance())
		row.board(t, fit, sandwich, theta[:20])
		for k, v := range theta {
			e, at := math.Abs(fit.Theta[k]-v), k*d.Global+k
			held, by := e <= z95*math.Sqrt(information[at]), math.Sqrt(sandwich[at]/information[at])/float64(n)
			if k < 20 {
				plain.add(held)
				ratio += by / 20
				continue
			}
			ofNu.add(held)
			ratioOfNu += by
			row.others[0].add(e <= z95*math.Sqrt(sandwich[at]))
		}
	}
	row.check(t, n)
	keepCoverage(t, row)
	t.Logf("by the information: worths %.1f %%, nu %.1f %%", 100*plain.held/plain.all, 100*ofNu.held/ofNu.all)
	t.Logf("sandwich errors over those by the information: worths %.2f, nu %.2f", ratio, ratioOfNu)
	if !(ofNu.held < 0.9*ofNu.all) || !(plain.held < row.worths.held) {
		t.Error("intervals by the information hold the truth as often: the test sees nothing")
	}
}

// The log likelihood by annealing is that of exact sums, from all sets of items and from a sample, in all spaces.
func TestAnnealedIsExact(t *testing.T) {
	for name, design := range map[string]ballot.Design{
		"all": {Items: 12}, "orders": {Items: 12, Space: ballot.WithoutTies}, "two": {Items: 12, Space: ballot.TwoTiers},
		"sizes": {Items: 12, Sizes: 10, Ties: ballot.ItemTies, Places: []string{"length"}},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "sizes" {
				t.Skip("the other spaces start the same goroutines")
			}
			r := rng.Stream(2, "annealed")
			theta := make([]float64, design.Layout().All)
			for k := range theta {
				theta[k] = 0.4 * r.NormFloat64()
			}
			votes := planted(t, design, theta, 30, 10, r)
			exact := must[*Data](t)(Group(design, votes))
			design.Slots = true
			d := must[*Data](t)(Group(design, votes))
			fit := must[*Fit](t)(d.Maximise(t.Context(), Options{Steps: 100, Prior: ballot.Precision{Worth: 1, Tie: 1, Size: 1}}))
			want := must[float64](t)(fit.LogLikelihoodOf(t.Context(), exact)) / d.Weight
			o := DefaultAnnealing()
			o.Steps, o.Runs = 200, 10
			a := must[*Annealed](t)(fit.Anneal(t.Context(), o))
			if !(math.Abs(a.Mean-want) <= 4*a.StdError) || !(a.StdError < 0.05) || a.Used != a.Sets {
				t.Errorf("%.4f with error %.4f by annealing %d of %d, exactly %.4f", a.Mean, a.StdError, a.Used, a.Sets, want)
			}
			o.Budget = 15 * 100 * 200 * 10
			b := must[*Annealed](t)(fit.Anneal(t.Context(), o))
			if !(math.Abs(b.Mean-want) <= 4*b.StdError) || b.Used >= b.Sets || b.StdError <= a.StdError {
				t.Errorf("%.4f with error %.4f by annealing %d of %d, exactly %.4f", b.Mean, b.StdError, b.Used, b.Sets, want)
			}
			fit.jobs = 1
			if again := must[*Annealed](t)(fit.Anneal(t.Context(), o)); *again != *b {
				t.Errorf("one worker has another result: %v and %v", again, b)
			}
		})
	}
}

// Weights of tier sizes that lists were drawn with are found, exactly and by slots, and raise the likelihood; tiers of a size
// that no list has are made rare.
func TestTierSizesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: not with -short")
	}
	r := rng.Stream(5, "sizes")
	design := ballot.Design{Items: 6, Sizes: 5}
	theta := make([]float64, design.Layout().All)
	copy(theta, []float64{0.5, 0.3, 0.1, -0.1, -0.3, -0.5})
	theta[design.Layout().Size+1] = 1.5 // tiers of two
	votes := planted(t, design, theta, 600, 5, r)
	for _, slots := range []bool{false, true} {
		design.Slots = slots
		d := must[*Data](t)(Group(design, votes))
		fit := must[*Fit](t)(d.Maximise(t.Context(), Options{Steps: 100, Prior: ballot.Precision{Size: 0.1}}))
		without := design
		without.Sizes = 0
		plain := must[*Fit](t)(must[*Data](t)(Group(without, votes)).Maximise(t.Context(), Defaults()))
		if !(fit.LogLikelihood > plain.LogLikelihood+20) {
			t.Errorf("slots %v: log likelihood %.1f with sizes, %.1f without", slots, fit.LogLikelihood, plain.LogLikelihood)
		}
		// What no redundancy changes: splitting a tier of three into one and two, which are not the last.
		every, _ := fit.TierSizes().Rows()
		if got := every[1] + every[2] - every[3] - 2*fit.Nu(); !(math.Abs(got-1.5) < 0.5) {
			t.Errorf("slots %v: a split of three into one and two weighs %.2f, not 1.5", slots, got)
		}
	}
	design.Slots = false
	if _, err := must[*Data](t)(Group(design, votes)).Maximise(t.Context(), Defaults()); err == nil {
		t.Error("sizes without a prior")
	}
}

// Votes without ties, and more parameters than a matrix holds, are refused with the remedy, with a prior too.
func TestRefusedFits(t *testing.T) {
	votes := ballot.Votes{Start: []int32{0, 2, 4}, Item: []int32{0, 1, 0, 1}, Tier: []int32{0, 1, 1, 0}, Weight: []float64{1, 1}}
	o := Defaults()
	o.Prior.Worth = 1
	if _, err := must[*Data](t)(Group(ballot.Design{Items: 2}, votes)).Maximise(t.Context(), o); !errors.Is(err, ErrNoTies) {
		t.Errorf("no ties: %v", err)
	}
	if err := must[*Data](t)(Group(ballot.Design{Items: 2}, votes)).Exists(nil); !errors.Is(err, ErrNoTies) {
		t.Errorf("no ties: %v", err)
	}
	if _, err := must[*Data](t)(Group(ballot.Design{Items: 2, Space: ballot.WithoutTies}, votes)).Maximise(t.Context(), o); err != nil {
		t.Errorf("orders: %v", err)
	}
	tied := votes
	tied.Tier = []int32{0, 0, 0, 0}
	if _, err := must[*Data](t)(Group(ballot.Design{Items: 2}, tied)).Maximise(t.Context(), o); err == nil {
		t.Error("all tied")
	}
	if _, err := must[*Data](t)(Group(ballot.Design{Items: MaxParameters}, votes)).Maximise(t.Context(), o); err == nil {
		t.Error("too many parameters")
	}
}
