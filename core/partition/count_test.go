package partition_test

import (
	"math"
	"math/big"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/stattest"
)

// logBig is the natural logarithm of a large integer: mantissa and exponent apart.
func logBig(x *big.Int) float64 {
	var mantissa big.Float
	exponent := new(big.Float).SetInt(x).MantExp(&mantissa)
	m, _ := mantissa.Float64()
	return math.Log(m) + float64(exponent)*math.Ln2
}

// stirlingSum is the paper's own formula, a second witness: sum of T! S(n, T).
func stirlingSum(n int) *big.Int { return partition.Space{}.Count(n) }

func TestFubiniBothWays(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 17, 60, 151, 200, 300, 400, 499, 500} {
		if a, b := partition.Fubini(n), stirlingSum(n); a.Cmp(b) != 0 {
			t.Errorf("Fubini(%d) is %v by the top block, %v by Stirling numbers", n, a, b)
		}
	}
}

// Fubini numbers are known to have period 4 in their last digit from n = 1 on,
// which reaches numbers too long to list.
func TestFubiniLastDigitsTo500(t *testing.T) {
	ten := big.NewInt(10)
	for n := 1; n+4 <= 500; n++ {
		a := new(big.Int).Mod(partition.Fubini(n), ten)
		b := new(big.Int).Mod(partition.Fubini(n+4), ten)
		if a.Cmp(b) != 0 {
			t.Fatalf("Fubini(%d) ends in %v, Fubini(%d) in %v", n, a, n+4, b)
		}
	}
}

func TestLogFubiniAgainstExact(t *testing.T) {
	for n := 0; n <= 500; n++ {
		got, want := partition.LogFubini(n), logBig(partition.Fubini(n))
		if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
			t.Errorf("LogFubini(%d) = %.17g, exact %.17g", n, got, want)
		}
	}
}

// Beyond the exact table the other series of the paper, sum of k^n / 2^(k+1),
// is a witness that shares nothing with the formula used: summed here in
// 200-bit arithmetic.
func TestLogFubiniTo10000(t *testing.T) {
	for _, n := range []int{600, 1000, 5000, 10_000} {
		sum := new(big.Float).SetPrec(200)
		mode := float64(n) / math.Ln2
		spread := 12 * math.Sqrt(float64(n)) / math.Ln2 // what lies outside is below e^-70
		for k := math.Floor(mode - spread); k <= mode+spread; k++ {
			term := power(big.NewFloat(k).SetPrec(200), n)
			sum.Add(sum, term.SetMantExp(term, -int(k)-1))
		}
		var mantissa big.Float
		exponent := sum.MantExp(&mantissa)
		m, _ := mantissa.Float64()
		want := math.Log(m) + float64(exponent)*math.Ln2
		if got := partition.LogFubini(n); !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("LogFubini(%d) = %.17g, series %.17g", n, got, want)
		}
	}
}

func power(base *big.Float, n int) *big.Float {
	result := new(big.Float).SetPrec(200).SetInt64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result.Mul(result, base)
		}
		base = new(big.Float).SetPrec(200).Mul(base, base)
	}
	return result
}

// The paper's abstract has the base 6.93145 where log-Fubini grows by 1/log 2.
func TestThePapersBaseIsWrong(t *testing.T) {
	const n = 400
	factorial, _ := math.Lgamma(n + 1)
	perItem := math.Exp((logBig(partition.Fubini(n)) - factorial + math.Ln2) / (n + 1))
	if !(math.Abs(perItem-1/math.Ln2) <= 1e-12) {
		t.Errorf("growth beyond n!/2 is %.12g per item, expected 1/log 2 = %.12g", perItem, 1/math.Ln2)
	}
}

func TestSpacesCountWhatTheyContain(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for _, s := range []partition.Space{{}, partition.Permutations(n), partition.TwoBlocks(), partition.AtMost(3), {Min: 2}, {Min: 2, Max: 4}} {
			var listed int64
			for x := range partition.All(n) {
				if s.Contains(x.Len()) {
					listed++
				}
			}
			if got := s.Count(n).Int64(); got != listed {
				t.Errorf("n = %d, %+v: counts %d, lists %d", n, s, got, listed)
			}
			if _, _, err := s.Bounds(n); (err == nil) != (listed > 0) {
				t.Errorf("n = %d, %+v: %d partitions, error %v", n, s, listed, err)
			}
		}
	}
	if _, _, err := (partition.Space{Min: -1}).Bounds(3); err == nil {
		t.Error("a negative bound was taken")
	}
	if _, _, err := (partition.Space{}).Bounds(0); err == nil {
		t.Error("a space of no items was taken")
	}
}

func TestUniformDrawsAreUniform(t *testing.T) {
	for n := 1; n <= 5; n++ {
		index := map[string]int{}
		for x := range partition.All(n) {
			index[x.String()] = len(index)
		}
		u, x := partition.NewUniform(n), partition.OneBlock(n)
		r := rng.Stream(1, "uniform", uint64(n))
		observed := make([]int, len(index))
		for range 100 * len(index) {
			u.Draw(r, x)
			if err := x.Check(); err != nil {
				t.Fatal(err)
			}
			observed[index[x.String()]]++
		}
		expected := make([]float64, len(index))
		for i := range expected {
			expected[i] = 100
		}
		if p := stattest.ChiSquare(observed, expected); !(p > 1e-6) {
			t.Errorf("n = %d: uniform draws fail the chi-square test, p = %g", n, p)
		}
	}
}

// A twin that forgets the law of k (always n boxes) must fail the same test.
func TestUniformTestCanFail(t *testing.T) {
	index := map[string]int{}
	for x := range partition.All(3) {
		index[x.String()] = len(index)
	}
	r := rng.Stream(1, "not uniform")
	observed := make([]int, 13)
	for range 1300 {
		x, err := partition.FromLevels([]int{r.IntN(3), r.IntN(3), r.IntN(3)})
		if err != nil {
			t.Fatal(err)
		}
		observed[index[x.String()]]++
	}
	expected := make([]float64, 13)
	for i := range expected {
		expected[i] = 100
	}
	if p := stattest.ChiSquare(observed, expected); !(p < 1e-6) {
		t.Errorf("the test cannot see a wrong law of k: p = %g", p)
	}
}
