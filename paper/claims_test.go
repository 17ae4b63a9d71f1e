package paper

import (
	"math"
	"strings"
	"testing"

	"fubini/core/rng"
)

// Two models that are apart by a little for everybody are told apart, though users differ
// by far more: errors taken as independent would see nothing.
func TestClaimsCompareUserByUser(t *testing.T) {
	r := rng.Stream(1, "claims")
	var a, b, c Value
	for u := range 200 {
		person := r.NormFloat64()
		a.users, a.each = append(a.users, u), append(a.each, person+0.02+0.05*r.NormFloat64())
		b.users, b.each = append(b.users, u), append(b.each, person)
		c.users, c.each = append(c.users, u), append(c.each, person+0.05*r.NormFloat64())
	}
	for _, try := range []struct {
		a, b Value
		want string
	}{{a, b, confirmed + here}, {b, a, refuted + here}, {c, b, unsettled + here}, {a, Value{users: a.users[1:], each: a.each[1:]}, unsettled + here}, {a, Value{}, unsettled + here}} {
		if found, difference := ahead(try.a, try.b, 3); found != try.want {
			t.Errorf("%s, %s; expected %s", found, difference, try.want)
		}
	}
	// Two standard errors, as if independent, are far more than the difference.
	if unpaired := 2 * math.Sqrt2 / math.Sqrt(200); !(unpaired > 5*0.02) {
		t.Errorf("the test cannot tell paired errors (2 errors are %g otherwise)", unpaired)
	}
}

// A curve is down when its last fifth is below the first by two standard errors; one that
// swings is not, however its ends lie.
func TestCurvesAreJudgedByTheirError(t *testing.T) {
	r := rng.Stream(1, "curves")
	curve := func(of func(epoch float64) float64) (first, last Value) {
		values := make([]float64, 100)
		for e := range values {
			values[e] = of(float64(e)) + 0.001*r.NormFloat64()
		}
		return overEpochs(values[:20]), overEpochs(values[80:])
	}
	for _, try := range []struct {
		name string
		of   func(epoch float64) float64
		want int
	}{
		{"falling", func(e float64) float64 { return 0.6 - e/1000 }, -1},
		{"rising", func(e float64) float64 { return 0.6 + e/1000 }, 1},
		{"swinging", func(e float64) float64 { return 0.6 + 0.1*math.Cos(e/9) }, 0},
	} {
		difference, stdErr, way := change(curve(try.of))
		if way != try.want || !(stdErr > 0) {
			t.Errorf("%s: %+.4f ± %.4f, way %d", try.name, difference, stdErr, way)
		}
	}
	if _, _, way := change(overEpochs([]float64{1, 2}), overEpochs([]float64{9, 9})); way != 0 {
		t.Error("a verdict without an error")
	}
}

// Ties are broken by place and nothing else changes order, however fine the scale.
func TestUntiedKeepsTheOrderOfFineScales(t *testing.T) {
	for _, step := range []float32{1, 0.1, 0.001} {
		values := []float32{2 * step, 3 * step, 2 * step, 0, 3 * step, step, step, 2 * step, 0, 4 * step}
		scores := untied(values)
		for a := range values {
			for b := range values {
				above := values[a] > values[b] || values[a] == values[b] && a < b
				if (scores[a] > scores[b]) != above {
					t.Errorf("step %g: items %d and %d, values %g and %g, scores %g and %g", step, a, b, values[a], values[b], scores[a], scores[b])
				}
			}
		}
	}
}

// The error of a log of a mean is the spread that other draws would give.
func TestLogMeanKnowsItsError(t *testing.T) {
	const trials, draws = 2000, 200
	r := rng.Stream(1, "log means")
	for _, shared := range []bool{false, true} {
		var square, claimed, bias float64
		for range trials {
			var list []drawn
			if shared { // two states of the units, each annealed once
				times := 0
				for range draws {
					if r.Float64() < 0.3 {
						times++
					}
				}
				list = []drawn{{times, -3 + 0.2*r.NormFloat64(), 0.2}, {draws - times, -4 + 0.2*r.NormFloat64(), 0.2}}
			} else {
				for range draws {
					list = append(list, drawn{1, -3 + 0.8*r.NormFloat64(), 0})
				}
			}
			truth := -3 + 0.8*0.8/2
			if shared {
				truth = math.Log(0.3*math.Exp(-3)+0.7*math.Exp(-4)) + 0.2*0.2/2
			}
			e := logMean(list)
			square += (e.logLik - truth) * (e.logLik - truth) / trials
			claimed += e.noise * e.noise / trials
			bias += (e.logLik - truth) / trials
		}
		if ratio := claimed / square; !(ratio > 0.85 && ratio < 1.15) {
			t.Errorf("shared %t: errors of %.4f claimed, of %.4f seen", shared, math.Sqrt(claimed), math.Sqrt(square))
		}
		// What the table says of the bias: half the squared error, downwards. Five standard errors of its mean.
		if want := -claimed / 2; !shared && !(math.Abs(bias-want) <= 5*math.Sqrt(square/trials)) {
			t.Errorf("bias %.5f, expected %.5f", bias, want)
		}
	}
}

// No claim is without a verdict and a number.
func TestTheoremClaimsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range theoremClaims() {
		if c.Text == "" || c.Where == "" || c.Verdict == "" || c.Number == "" || seen[c.Text] || strings.Contains(c.Number, "NaN") {
			t.Errorf("%+v", c)
		}
		seen[c.Text] = true
	}
}
