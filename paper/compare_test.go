package paper

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/judge/evaluate"
	"fubini/paper/cells"
)

// Two models that are apart by a little for everybody are distinguished, though users differ by far more; three splits of which
// one turns out otherwise are not, though every user's mean is apart.
func TestValuesAreComparedOverSplitsAndUsers(t *testing.T) {
	r := rng.Stream(1, "values")
	value := func(users int, bySplit ...float64) Value {
		runs := make([]*cells.Outcome, len(bySplit))
		for s, add := range bySplit {
			runs[s] = &cells.Outcome{Metrics: []string{"m"}, Values: [][]float64{nil}}
			for u := range users {
				runs[s].Users = append(runs[s].Users, u)
				runs[s].Values[0] = append(runs[s].Values[0], float64(u%7)+add+0.05*r.NormFloat64())
			}
		}
		return mean("m", runs...)
	}
	zero := value(200, 0, 0, 0)
	for _, try := range []struct {
		name  string
		a, b  Value
		apart bool
	}{
		{"the same in all splits", value(200, 0.02, 0.02, 0.02), zero, true},
		{"one split is otherwise", value(200, 0.05, 0.05, -0.04), zero, false},
		{"one split", value(200, 0.02), value(200, 0), true},
	} {
		d, err := try.a.Minus(try.b)
		if err != nil || (d.Low > 0) != try.apart {
			t.Errorf("%s: %+.4f (%+.4f to %+.4f), %v", try.name, d.Mean, d.Low, d.High, err)
		}
	}
	a := value(200, 0.05, 0.05, -0.04)
	if d := evaluate.Paired(a.each, zero.each, "m", 1); !(d.Low > 0) {
		t.Errorf("the test cannot tell: over users alone, %+.4f (%+.4f to %+.4f)", d.Mean, d.Low, d.High)
	}
	for _, other := range []Value{value(199, 0, 0, 0), value(199, 0), {}} {
		if d, err := zero.Minus(other); err == nil {
			t.Errorf("values of other users differ by %g", d.Mean)
		}
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
		difference, stdErr, way := Change(curve(try.of))
		if way != try.want || !(stdErr > 0) {
			t.Errorf("%s: %+.4f ± %.4f, way %d", try.name, difference, stdErr, way)
		}
	}
	if _, _, way := Change(overEpochs([]float64{1, 2}), overEpochs([]float64{9, 9})); way != 0 {
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
