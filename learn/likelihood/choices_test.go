package likelihood

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fubini/learn/ballot"
	"fubini/learn/ballot/drawn"
)

// choiceDesign has every kind of parameter that choices have.
func choiceDesign() ballot.Design {
	d := drawn.Full(ballot.CommonTies, ballot.AllOrders)
	d.Pairs, d.Choices = ballot.Design{}.Pairs, true
	return d
}

// Gradient and information of choices are the first and second differences of the log likelihood.
func TestChoicesGradientAndInformation(t *testing.T) {
	design := choiceDesign()
	design.Raters = 0 // package reliability has tests of its own
	d := must[*Data](t)(Group(design, drawn.Votes(design, 25, 6, 1)))
	theta := drawn.Point(d.All)
	here := must[*point](t)(d.evaluate(t.Context(), theta, 2, true))
	const h = 1e-5
	for k := range d.Global {
		moved := slices.Clone(theta)
		moved[k] = theta[k] + h
		up := must[*point](t)(d.evaluate(t.Context(), moved, 1, true))
		moved[k] = theta[k] - h
		down := must[*point](t)(d.evaluate(t.Context(), moved, 1, true))
		if slope := (up.value - down.value) / (2 * h); !(math.Abs(slope-here.gradient[k]) <= 1e-5*(1+math.Abs(slope))) {
			t.Errorf("%s: gradient %g, slope %g", d.Name(k), here.gradient[k], slope)
		}
		for j := range k + 1 {
			if curve := (down.gradient[j] - up.gradient[j]) / (2 * h); !(math.Abs(curve-here.information[k*d.Global+j]) <= 1e-5*(1+math.Abs(curve))) {
				t.Errorf("%s, %s: information %g, curvature %g", d.Name(k), d.Name(j), here.information[k*d.Global+j], curve)
			}
		}
	}
}

// On pairs choices and the Ordered Set Model are one: Davidson's. On triples they are not.
func TestChoicesOfPairsAreDavidsons(t *testing.T) {
	for most, same := range map[int]bool{2: true, 3: false} {
		design := ballot.Design{Items: 6}
		votes := drawn.Votes(design, 200, most, 5)
		o := Defaults()
		whole := must[*Fit](t)(must[*Data](t)(Group(design, votes)).Maximise(t.Context(), o))
		design.Choices = true
		if most > 2 {
			o.Prior.Worth = 1e-9
		}
		chosen := must[*Fit](t)(must[*Data](t)(Group(design, votes)).Maximise(t.Context(), o))
		var gap float64
		for k, v := range chosen.Worths() {
			gap = max(gap, math.Abs(v-whole.Worths()[k]))
		}
		if same != (gap <= 1e-9) {
			t.Errorf("votes of up to %d items: estimates differ by %g", most, gap)
		}
		if !same {
			continue
		}
		if !(math.Abs(whole.LogLikelihood-chosen.LogLikelihood) <= 1e-9) || !(math.Abs(whole.Nu()-chosen.Nu()) <= 1e-9) {
			t.Errorf("log likelihood %g and %g, nu %g and %g", whole.LogLikelihood, chosen.LogLikelihood, whole.Nu(), chosen.Nu())
		}
		a, b := must[*Goodness](t)(whole.Goodness(t.Context())), must[*Goodness](t)(chosen.Goodness(t.Context()))
		if !(math.Abs(a.Expected-b.Expected) <= 1e-9) || !(math.Abs(a.Deviance-b.Deviance) <= 1e-8) || a.Degrees != b.Degrees {
			t.Errorf("expected ties %g and %g, deviance %g and %g, degrees %g and %g", a.Expected, b.Expected, a.Deviance, b.Deviance, a.Degrees, b.Degrees)
		}
		first, second := must[Covariance](t)(whole.Sandwich(t.Context())), must[Covariance](t)(chosen.Sandwich(t.Context()))
		for k := range first {
			if !(math.Abs(first[k]-second[k]) <= 1e-9) {
				t.Fatalf("sandwich errors differ: %g and %g", first[k], second[k])
			}
		}
	}
}

// Estimates and standard errors that the documentation of R's PlackettLuce prints (its README, and the vignette
// "Introduction to PlackettLuce").
func TestChoicesAgreeWithPlackettLuce(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: not with -short")
	}
	// PrefLib 00004-00000138: orders of Mean Girls, Beverly Hills Cop, The Mummy Returns and Mission: Impossible II.
	films := []struct {
		weight float64
		order  [4]int32
	}{
		{68, [4]int32{1, 0, 3, 2}}, {53, [4]int32{0, 1, 3, 2}}, {49, [4]int32{1, 0, 2, 3}}, {44, [4]int32{0, 1, 2, 3}}, {39, [4]int32{1, 3, 0, 2}}, {37, [4]int32{2, 1, 0, 3}},
		{37, [4]int32{1, 2, 0, 3}}, {36, [4]int32{1, 2, 3, 0}}, {31, [4]int32{2, 1, 3, 0}}, {29, [4]int32{1, 3, 2, 0}}, {22, [4]int32{0, 2, 1, 3}}, {19, [4]int32{2, 0, 1, 3}},
		{17, [4]int32{2, 3, 1, 0}}, {17, [4]int32{3, 1, 2, 0}}, {16, [4]int32{3, 1, 0, 2}}, {14, [4]int32{0, 3, 1, 2}}, {10, [4]int32{0, 2, 3, 1}}, {10, [4]int32{3, 0, 1, 2}},
		{9, [4]int32{3, 2, 0, 1}}, {8, [4]int32{2, 3, 0, 1}}, {8, [4]int32{0, 3, 2, 1}}, {7, [4]int32{2, 0, 3, 1}}, {7, [4]int32{3, 2, 1, 0}}, {1, [4]int32{3, 0, 2, 1}},
	}
	votes := ballot.Votes{Start: []int32{0}}
	add := func(weight float64, order ...int32) {
		for place, item := range order {
			votes.Item, votes.Tier = append(votes.Item, item), append(votes.Tier, int32(place))
		}
		votes.Weight, votes.Start = append(votes.Weight, weight), append(votes.Start, int32(len(votes.Item)))
	}
	for _, f := range films {
		add(f.weight, f.order[:]...)
	}
	seen := must[*Data](t)(Group(ballot.Design{Items: 4, Choices: true}, votes))
	for film := range int32(4) { // its default: half a win and half a loss of each item against one more
		add(0.5, film, 4)
		add(0.5, 4, film)
	}
	fit := must[*Fit](t)(must[*Data](t)(Group(ballot.Design{Items: 5, Choices: true}, votes)).Maximise(t.Context(), Defaults()))
	// Its errors leave out the added votes.
	here := must[*point](t)(seen.evaluate(t.Context(), fit.Theta[:4], 1, true))
	covariance := must[Covariance](t)((&Fit{Data: seen, Theta: fit.Theta[:4], point: here}).Covariance())
	for film, want := range map[int][2]float64{1: {0.67080, 0.07472}, 2: {-0.31404, 0.07593}, 3: {-0.43128, 0.07489}} {
		variance := covariance[0] + covariance[film*5] - 2*covariance[film]
		if value := fit.Theta[film] - fit.Theta[0]; !(math.Abs(value-want[0]) <= 6e-6) || !(math.Abs(math.Sqrt(variance)-want[1]) <= 6e-6) {
			t.Errorf("film %d: %.5f with standard error %.5f, want %.5f and %.5f", film, value, math.Sqrt(variance), want[0], want[1])
		}
	}

	file := string(must[[]byte](t)(os.ReadFile("testdata/nascar2002.txt")))
	votes = ballot.Votes{Start: []int32{0}}
	for line := range strings.Lines(file) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var order []int32
		for _, driver := range strings.Fields(line) {
			order = append(order, int32(must[int](t)(strconv.Atoi(driver)))-1)
		}
		add(1, order...)
	}
	fit = must[*Fit](t)(must[*Data](t)(Group(ballot.Design{Items: 83, Choices: true}, votes)).Maximise(t.Context(), Defaults()))
	// PJ Jones, Scott Pruett, Mark Martin, Dave Marcis, Dick Trickle and Joe Varde, relative to A. Cameron: the numbers follow
	// the drivers' first names, and were matched to the six by the races these drove in.
	for driver, want := range map[int]float64{58: 4.15, 68: 3.62, 51: 2.08, 15: 0.03, 17: -0.31, 40: -0.15} {
		if value := fit.Theta[driver-1] - fit.Theta[0]; !(math.Abs(value-want) <= 0.0051) {
			t.Errorf("driver %d: %.2f, want %.2f", driver, value, want)
		}
	}
}
