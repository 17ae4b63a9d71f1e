package report

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/paper"
)

// A verdict needs two runs, however sure one of them is; with them a difference beyond its interval decides.
func TestVerdictsNeedRuns(t *testing.T) {
	for _, try := range []struct {
		runs, way int
		want      string
	}{{1, 1, undecided}, {1, -1, undecided}, {2, 1, confirmed}, {3, -1, refuted}, {3, 0, undecided}} {
		if got := verdict(try.runs, moved(try.way)); got != try.want {
			t.Errorf("%d runs, %+d: %s, want %s", try.runs, try.way, got, try.want)
		}
	}
	if found, difference := ahead(3, paper.Value{}, paper.Value{}, 3); found != undecided || difference != "no users in common" {
		t.Errorf("%s, %s", found, difference)
	}
	if oneRun(1) == "" || oneRun(2) != "" {
		t.Error("one run is not named, or two are")
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

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
