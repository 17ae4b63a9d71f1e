package likelihood

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"fubini/core/rng"
	"fubini/learn/ballot"
)

// The number of parameters that votes determine is the trace of information over information with prior, on vectors whose worths,
// and tie deviations, sum to zero; without a prior all are counted, and weights of sizes that explain the same as others are not.
func TestEffectiveParameters(t *testing.T) {
	for name, c := range map[string]struct {
		design ballot.Design
		prior  ballot.Precision
	}{
		"none":     {ballot.Design{Items: 5}, ballot.Precision{}},
		"worths":   {ballot.Design{Items: 5, Places: []string{"home"}}, ballot.Precision{Worth: 20}},
		"item":     {ballot.Design{Items: 5, Ties: ballot.ItemTies}, ballot.Precision{Worth: 3, Tie: 30}},
		"sizes":    {ballot.Design{Items: 5, Sizes: 4}, ballot.Precision{Size: 1}},
		"distance": {ballot.Design{Items: 5, Ties: ballot.DistanceTies, Sizes: 4}, ballot.Precision{Worth: 5, Size: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			theta := make([]float64, c.design.Layout().All)
			copy(theta, []float64{0.5, 0.4, 0, -0.3, -0.6, 0.1})
			d := must[*Data](t)(Group(c.design, planted(t, c.design, theta, 150, 4, rng.Stream(1, "effective"))))
			fit := must[*Fit](t)(d.Maximise(t.Context(), Options{Steps: 100, Prior: c.prior}))
			got := must[float64](t)(fit.Effective())
			g, free := d.Global, fit.Free()
			basis := mat.NewDense(g, free, nil) // of the vectors that are not redundant
			column := 0
			for k := range g {
				last := false
				for _, r := range d.Redundant() {
					if last = last || k == r[1]-1; k >= r[0] && k < r[1]-1 {
						basis.Set(r[1]-1, column, -1)
					}
				}
				if !last {
					basis.Set(k, column, 1)
					column++
				}
			}
			if column != free {
				t.Fatalf("%d vectors, %d parameters", column, free)
			}
			information, prior := mat.NewSymDense(g, nil), mat.NewDiagDense(g, nil)
			for i := range g {
				for j := range i + 1 {
					information.SetSym(i, j, fit.point.information[i*g+j])
				}
				precision, _ := d.prior(i, c.prior)
				prior.SetDiag(i, precision)
			}
			var of, with, hat mat.Dense
			of.Product(basis.T(), information, basis)
			with.Product(basis.T(), prior, basis)
			with.Add(&with, &of)
			if err := hat.Solve(&with, &of); err != nil {
				t.Fatal(err)
			}
			if want := mat.Trace(&hat); !(math.Abs(got-want) <= 1e-6) || !(got <= float64(free)+1e-9) || (got < float64(free)-1e-6) != (c.prior != ballot.Precision{}) {
				t.Errorf("%.6f of %d parameters, by the trace %.6f", got, free, want)
			}
		})
	}
}

// With worths drawn from the prior the deviance of a penalised fit has the mean Degrees: with all parameters counted in place of
// those that votes determine it would be too large.
func TestDevianceOfAPenalisedFit(t *testing.T) {
	if testing.Short() {
		t.Skip("statistical: not with -short")
	}
	const items, each, precision, sets = 8, 100, 120, 300
	design := ballot.Design{Items: items}
	var mean, square, shrunk float64
	for set := range sets {
		r := rng.Stream(uint64(set), "penalised deviance")
		var worths [items]float64
		for i := range worths {
			worths[i] = r.NormFloat64() / math.Sqrt(precision)
		}
		votes := ballot.Votes{Start: []int32{0}}
		for i := range int32(items) {
			for j := range i {
				win, loss := math.Exp((worths[i]-worths[j])/2), math.Exp((worths[j]-worths[i])/2)
				z := win + loss + 1
				wins := distuv.Binomial{N: each, P: win / z, Src: r}.Rand()
				losses := distuv.Binomial{N: each - wins, P: loss / (loss + 1), Src: r}.Rand()
				for o, tiers := range [][]int32{{0, 1}, {1, 0}, {0, 0}} {
					votes.Item, votes.Tier = append(votes.Item, i, j), append(votes.Tier, tiers...)
					votes.Weight = append(votes.Weight, [...]float64{wins, losses, each - wins - losses}[o])
					votes.Start = append(votes.Start, int32(len(votes.Item)))
				}
			}
		}
		fit := must[*Fit](t)(must[*Data](t)(Group(design, votes)).Maximise(t.Context(), Options{Steps: 100, Jobs: 1, Prior: ballot.Precision{Worth: precision}}))
		g := must[*Goodness](t)(fit.Goodness(t.Context()))
		mean += (g.Deviance - g.Degrees) / sets
		square += (g.Deviance - g.Degrees) * (g.Deviance - g.Degrees) / sets
		shrunk += (float64(fit.Free()) - g.Effective) / sets
	}
	e := math.Sqrt((square - mean*mean) / sets)
	t.Logf("deviance less degrees %.2f, standard error %.2f; all parameters counted %.2f", mean, e, mean+shrunk)
	if !(math.Abs(mean) <= 4*e+0.4) { // 0.4: the deviance of 28 pairs of 100 votes is that much above chi-square
		t.Errorf("the deviance is %.2f above its degrees, standard error %.2f", mean, e)
	}
	if !(mean+shrunk > 4*e+0.4) {
		t.Error("with all parameters counted it is not either: the test sees nothing")
	}
}
