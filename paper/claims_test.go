package paper

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
)

// Two models that are apart by a little for everybody are distinguished, though users differ
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
	}{{a, b, confirmed}, {b, a, refuted}, {c, b, undecided}, {a, Value{users: a.users[1:], each: a.each[1:]}, undecided}, {a, Value{}, undecided}} {
		if found, difference := ahead(try.a, try.b, 3); found != try.want {
			t.Errorf("%s, %s; expected %s", found, difference, try.want)
		}
	}
	// Two standard errors, as if independent, are far more than the difference.
	if unpaired := 2 * math.Sqrt2 / math.Sqrt(200); !(unpaired > 5*0.02) {
		t.Errorf("the test cannot separate paired errors (2 errors are %g otherwise)", unpaired)
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

// The claims of the page that need no data have a text, a place, a verdict and a number each, and their numbers are
// those of the arithmetic.
func TestTheoremClaims(t *testing.T) {
	seen, rows := map[string]bool{}, 0
	for line := range strings.Lines(reportText) {
		if cells := strings.Split(strings.TrimSpace(line), " | "); strings.HasPrefix(line, "| ") && rows < 31 {
			if rows++; len(cells) != 4 || seen[cells[0]] || slices.Contains(cells, "") {
				t.Errorf("%q", cells)
			}
			seen[cells[0]] = true
		}
	}
	if rows != 31 { // with the heading
		t.Errorf("%d rows", rows)
	}
	const n = 30
	base := math.Exp((partition.LogFubini(n) - logFactorial(n) + math.Ln2) / (n + 1))
	first := math.Exp(logFactorial(10)-math.Ln2-11*math.Log(math.Ln2)) / math.Exp(partition.LogFubini(10))
	// The series over k^N / 2^(k+1), to where its terms no longer count.
	series := new(big.Float).SetPrec(200)
	for k := int64(1); k < 400; k++ {
		term := new(big.Float).SetPrec(200).SetInt(new(big.Int).Exp(big.NewInt(k), big.NewInt(10), nil))
		series.Add(series, term.SetMantExp(term, -int(k+1)))
	}
	sum, _ := series.Float64()
	if !(math.Abs(base-6.93145) > 5) || !(math.Abs(first-1) < 1e-6) || !(math.Abs(sum/math.Exp(partition.LogFubini(10))-1) < 1e-12) {
		t.Errorf("base %g, ratio %g, sum %g", base, first, sum)
	}
	// docs/maths.md#split-proposal has these two for three items of worth 0, nu = 2.
	right, printed := math.Exp(6)/(math.Exp(6)+6*math.Exp(2)+6), math.Exp(6)/(math.Exp(6)+12*math.Exp(2)+12)
	for _, want := range []string{
		fmt.Sprintf("6.93145^(N+1) | abstract, section 1 | refuted | the base is %.4f = 1/ln 2 at N = %d |", base, n),
		fmt.Sprintf("| confirmed | off by a factor of 1 %+.0e at N = 10 |", first-1),
		fmt.Sprintf("| confirmed | %.0f at N = 10 |", sum),
		fmt.Sprintf("| confirmed | log Fubini(%d) = %.1f, log %d! = %.1f |", n, partition.LogFubini(n), n, logFactorial(n)),
		fmt.Sprintf("| confirmed | %.4f at N = 10, exactly %.4f |", logFactorial(10)-11*math.Log(math.Ln2)-math.Ln2, partition.LogFubini(10)),
		fmt.Sprintf("| refuted | sizes a and b: a b times that; two items off a set of three 1/%d, not 1/12 |", 12/(2*1)),
		fmt.Sprintf("| refuted | three items, worths 0, nu = 2: all tied in %.4f of draws, should be %.4f |", printed, right),
	} {
		if !strings.Contains(reportText, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
