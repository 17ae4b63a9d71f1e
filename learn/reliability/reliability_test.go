package reliability

import (
	"math"
	"slices"
	"testing"

	"fubini/core/logprob"
	"fubini/learn/ballot"
	"fubini/learn/ballot/drawn"
)

func must[V any](t testing.TB) func(v V, err error) V {
	return func(v V, err error) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// panel is a panel, its points on a grid or on none.
func panel(t *testing.T, design ballot.Design, votes ballot.Votes, onGrid bool) *Panel {
	t.Helper()
	d := must[*ballot.Data](t)(ballot.Gather(design, votes))
	p := &Panel{Data: d}
	if onGrid {
		p.rows = newRows(d)
	}
	return p
}

// bruteForce is the log likelihood of pairs with common ties and reliabilities integrated out, by a fine sum over each.
func bruteForce(votes ballot.Votes, theta []float64, items, raters int) (log float64) {
	nu, spread := theta[items], math.Exp(theta[items+1])
	const steps, width = 12000, 30.0 // a rater with very many votes may be 10 and more standard deviations away
	logs := make([]float64, steps)
	for r := range int32(raters) {
		for k := range steps {
			z := width * (2*(float64(k)+0.5)/steps - 1)
			s := math.Exp(spread*z - spread*spread/2)
			logs[k] = -z*z/2 + math.Log(2*width/steps/math.Sqrt(2*math.Pi))
			for v, w := range votes.Weight {
				if votes.Rater[v] != r {
					continue
				}
				d := s * (theta[votes.Item[2*v]] - theta[votes.Item[2*v+1]]) / 2
				weights := []float64{d, nu, -d}
				outcome := 1
				if a, b := votes.Tier[2*v], votes.Tier[2*v+1]; a < b {
					outcome = 0
				} else if a > b {
					outcome = 2
				}
				logs[k] += w * (weights[outcome] - logprob.SumExp(weights))
			}
		}
		log += logprob.SumExp(logs)
	}
	return log
}

// The likelihood with reliabilities integrated out is that by brute force, for raters of few votes and of many, on a grid and on none.
func TestIntegralsByBruteForce(t *testing.T) {
	design := ballot.Design{Items: 4, Raters: 5}
	votes := drawn.Votes(design, 25, 2, 3)
	for v := range votes.Weight { // one rater has many votes, all the same way round
		if votes.Rater[v] == 4 {
			votes.Weight[v] = 40
			a, b := votes.Item[2*v], votes.Item[2*v+1]
			votes.Tier[2*v], votes.Tier[2*v+1] = 0, 0
			if a < b {
				votes.Tier[2*v+1] = 1
			} else {
				votes.Tier[2*v] = 1
			}
		}
	}
	for _, c := range []struct{ spread, tolerance float64 }{{0.05, 1e-6}, {0.3, 1e-5}, {0.5, 1e-4}, {1, 3e-3}} {
		theta := []float64{0.9, 0.3, -0.4, -0.8, 0.2, math.Log(c.spread), 1, 1, 1, 1, 1}
		want := bruteForce(votes, theta, 4, 5)
		for _, onGrid := range []bool{false, true} {
			p := panel(t, design, votes, onGrid)
			p = must[*Panel](t)(p.Placed(t.Context(), theta, 1))
			got := must[*Sum](t)(p.Gradient(t.Context(), theta, 1)).Value
			if !(math.Abs(got-want) <= c.tolerance) {
				t.Errorf("spread %g, grid %v: log likelihood %.6f, by brute force %.6f", c.spread, onGrid, got, want)
			}
			if onGrid != (p.grid.used != nil) {
				t.Errorf("spread %g: points are on a grid: %v", c.spread, !onGrid)
			}
			p.points[4] = pointsAt(Place{0, 3}) // points far apart
			if off := must[*Sum](t)(p.Gradient(t.Context(), theta, 1)).Value; !(math.Abs(off-want) > 1e-2) {
				t.Errorf("spread %g: the test cannot see points too far apart", c.spread)
			}
		}
	}
}

// designs are small data sets of all kinds of design.
func designs() map[string]ballot.Design {
	all := map[string]ballot.Design{}
	for name, d := range drawn.Designs() {
		if d.Ties == ballot.DistanceTies {
			continue // refused
		}
		all[name] = d
		d.Slots = true
		all[name+" slots"] = d
	}
	choices := drawn.Full(ballot.CommonTies, ballot.AllOrders)
	choices.Choices, choices.Pairs = true, drawn.Full(ballot.CommonTies, ballot.AllOrders).Pairs
	choices.Pairs.Ties, choices.Pairs.Orders = nil, nil
	all["choices"] = choices
	return all
}

// The gradient is the slope of the value, and the information less what is missing that of the gradient.
func TestGradientAndObservedInformationAreSlopes(t *testing.T) {
	for name, design := range designs() {
		t.Run(name, func(t *testing.T) {
			votes := drawn.Votes(design, 9, 3, 1)
			p := panel(t, design, votes, len(name)%2 == 0)
			theta := drawn.Point(p.All)
			p = must[*Panel](t)(p.Placed(t.Context(), theta, 2))
			here := must[*Sum](t)(p.Observed(t.Context(), theta, 2))
			const h = 1e-5
			for i := range p.Global {
				moved := slices.Clone(theta)
				moved[i] = theta[i] + h
				up := must[*Sum](t)(p.Gradient(t.Context(), moved, 1))
				moved[i] = theta[i] - h
				down := must[*Sum](t)(p.Gradient(t.Context(), moved, 1))
				if slope := (up.Value - down.Value) / (2 * h); !(math.Abs(slope-here.Gradient[i]) <= 1e-5*(1+math.Abs(slope))) {
					t.Errorf("%s: gradient %g, slope %g", p.Name(i), here.Gradient[i], slope)
				}
				if design.Choices && i >= p.Nu && i < p.Spread {
					continue
				}
				for j := range i + 1 {
					at := i*p.Global + j
					if slope := (down.Gradient[j] - up.Gradient[j]) / (2 * h); !(math.Abs(slope-here.Information[at]+here.Missing[at]) <= 1e-4*(1+math.Abs(slope))) {
						t.Errorf("%s, %s: information %g less %g, slope %g", p.Name(i), p.Name(j), here.Information[at], here.Missing[at], slope)
					}
				}
			}
		})
	}
}

// A table of the points of the grid gives what each rater's votes give by themselves, for any number of workers.
func TestTableIsTheSameByItself(t *testing.T) {
	for name, design := range designs() {
		t.Run(name, func(t *testing.T) {
			p := panel(t, design, drawn.Votes(design, 12, 3, 2), true)
			theta := drawn.Point(p.All)
			p = must[*Panel](t)(p.Placed(t.Context(), theta, 2))
			p = p.Times([]float64{1, 2, 0})
			by := *p
			by.points, by.grid = slices.Clone(p.points), grid{}
			for r := range by.points {
				by.points[r].stride = 0
			}
			got, want := must[*Sum](t)(p.Observed(t.Context(), theta, 3)), must[*Sum](t)(by.Observed(t.Context(), theta, 1))
			near := func(what string, a, b float64) {
				if !(math.Abs(a-b) <= 1e-9*(1+math.Abs(b))) {
					t.Errorf("%s: %.12g, without the table %.12g", what, a, b)
				}
			}
			near("value", got.Value, want.Value)
			for k := range want.Gradient {
				near("gradient", got.Gradient[k], want.Gradient[k])
			}
			for k := range want.Information {
				near("information", got.Information[k], want.Information[k])
				near("missing", got.Missing[k], want.Missing[k])
			}
			directions := drawn.Point(2 * p.Global)
			effects, each := must[[]float64](t)(p.Effects(t.Context(), theta, directions, 2, 2)), must[[]float64](t)(by.Effects(t.Context(), theta, directions, 2, 1))
			for k := range each {
				near("effect", effects[k], each[k])
			}
		})
	}
}

// Effects are the changes of the gradient with the weights of votes.
func TestEffectsAreSlopes(t *testing.T) {
	design := drawn.Full(ballot.CommonTies, ballot.AllOrders)
	p := panel(t, design, drawn.Votes(design, 12, 3, 2), false)
	theta := drawn.Point(p.All)
	p = must[*Panel](t)(p.Placed(t.Context(), theta, 2))
	directions := make([]float64, p.Global)
	for k := range directions {
		directions[k] = float64(k%3) - 1
	}
	effects := must[[]float64](t)(p.Effects(t.Context(), theta, directions, 1, 1))
	along := func(weights []float64) (sum float64) {
		for k, v := range must[*Sum](t)(p.Reweighted(p.Data.Reweighted(weights)).Gradient(t.Context(), theta, 1)).Gradient {
			sum += directions[k] * v
		}
		return sum
	}
	for o := range p.Orders {
		weights := make([]float64, len(p.Orders))
		for k := range weights {
			weights[k] = p.Orders[k].Weight
		}
		const h = 1e-4
		weights[o] += h
		up := along(weights)
		weights[o] -= 2 * h
		if slope := (up - along(weights)) / (2 * h); !(math.Abs(slope-effects[o]) <= 1e-6*(1+math.Abs(slope))) {
			t.Errorf("order %d: effect %g, slope %g", o, effects[o], slope)
		}
	}
}
