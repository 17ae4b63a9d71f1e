package evaluate_test

import (
	"math"
	"math/big"
	"testing"

	"fubini/core/rng"
	"fubini/judge/evaluate"
)

// against is a comparison of two models whose values differ by so much for each user.
func against(t testing.TB, apart []float64, seed uint64) evaluate.Difference {
	t.Helper()
	a := &evaluate.Result{Metrics: []string{"m"}, Users: make([]int, len(apart)), Values: [][]float64{make([]float64, len(apart))}}
	b := &evaluate.Result{Metrics: []string{"m"}, Users: make([]int, len(apart)), Values: [][]float64{make([]float64, len(apart))}}
	for u, d := range apart {
		a.Users[u], b.Users[u] = u, u
		a.Values[0][u] = d
	}
	d, err := evaluate.Compare(a, b, "m", seed)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A paired comparison needs the same users in the same order; as many are not enough.
func TestOtherUsersAreNotCompared(t *testing.T) {
	values := [][]float64{{0.5, 0.2, 0.9}}
	a := &evaluate.Result{Metrics: []string{"m"}, Users: []int{0, 1, 2}, Values: values}
	for _, users := range [][]int{{0, 1, 3}, {1, 0, 2}, {0, 1}, {0, 1, 2, 3}} {
		b := &evaluate.Result{Metrics: []string{"m"}, Users: users, Values: [][]float64{make([]float64, len(users))}}
		if d, err := evaluate.Compare(a, b, "m", 1); err == nil {
			t.Errorf("users %v and %v were compared: %+v", a.Users, users, d)
		}
	}
}

// The observed assignment is one of all: where no other is as extreme, p is one in
// 10,001 and not zero.
func TestTheObservedAssignmentCounts(t *testing.T) {
	apart := make([]float64, 60) // one chance in 2^59 that signs agree again
	for u := range apart {
		apart[u] = 1
	}
	if d := against(t, apart, 1); d.P != 1.0/10001 {
		t.Errorf("p = %g, want 1/10001", d.P)
	}
}

// p is near that of all sign patterns, listed or counted, in both tails, with ties.
func TestPAgainstAllSignPatterns(t *testing.T) {
	for name, apart := range map[string][]float64{
		"ten users":       {3, 1, 4, 1, -5, 9, 2, -6, 5, 3},
		"ten, the other":  {-3, -1, -4, -1, 5, -9, -2, 6, -5, -3},
		"equal sizes":     {1, 1, 1, 1, -1, 1, 1, 1},
		"many, ones":      ones(64, 55, 9), // more users than the 64 coins of one draw
		"many, the other": ones(55, 64, 9),
	} {
		want := 0.0
		if len(apart) <= 10 {
			want = listed(apart)
		} else {
			want = counted(apart)
		}
		got := against(t, apart, 3).P
		// Five standard errors of a share of 10,000, and the observed one.
		if within := 5*math.Sqrt(want*(1-want)/10_000) + 1e-4; !(math.Abs(got-want) <= within) {
			t.Errorf("%s: p = %.4f, over all sign patterns %.4f", name, got, want)
		}
	}
}

// ones has some users ahead by one, some behind by one, and some level.
func ones(ahead, behind, level int) (apart []float64) {
	for range ahead {
		apart = append(apart, 1)
	}
	for range behind {
		apart = append(apart, -1)
	}
	return append(apart, make([]float64, level)...)
}

// listed is the share of sign patterns with a sum at least as large as observed.
func listed(apart []float64) float64 {
	var observed float64
	for _, d := range apart {
		observed += d
	}
	extreme := 0
	for signs := range 1 << len(apart) {
		var sum float64
		for u, d := range apart {
			if signs>>u&1 == 1 {
				d = -d
			}
			sum += d
		}
		if math.Abs(sum) >= math.Abs(observed) {
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<len(apart))
}

// counted is the same where users are ahead or behind by one: a binomial tail.
func counted(apart []float64) float64 {
	n, observed := int64(0), int64(0)
	for _, d := range apart {
		if d != 0 {
			n++
			observed += int64(d)
		}
	}
	all, extreme := new(big.Int).Lsh(big.NewInt(1), uint(n)), new(big.Int)
	for up := int64(0); up <= n; up++ {
		if sum := 2*up - n; max(sum, -sum) >= max(observed, -observed) {
			extreme.Add(extreme, new(big.Int).Binomial(n, up))
		}
	}
	share, _ := new(big.Rat).SetFrac(extreme, all).Float64()
	return share
}

// The ends of an interval lie where the bootstrap distribution of very many users has
// its 2.5 % and 97.5 % points, 1.96 standard errors from the mean, and hardly depend on
// the seed: with 2000 resamples an end varies by 0.06 standard errors, with 40 by 0.4.
func TestIntervalsAreSteady(t *testing.T) {
	const users, seeds = 200, 25
	r := rng.Stream(1, "steady")
	apart := make([]float64, users)
	for u := range apart {
		apart[u] = r.NormFloat64()
	}
	mean, stdErr := evaluate.MeanError(apart)
	stdErr *= math.Sqrt((users - 1.0) / users) // of resamples, whose variance is that of these users
	one := &evaluate.Result{Metrics: []string{"m"}, Users: make([]int, users), Values: [][]float64{apart}}
	var ends [2][]float64
	for seed := range uint64(seeds) {
		d, err := one.Mean("m", seed)
		if err != nil {
			t.Fatal(err)
		}
		ends[0] = append(ends[0], (d.Low-mean)/stdErr)
		ends[1] = append(ends[1], (d.High-mean)/stdErr)
	}
	for k, want := range []float64{-1.96, 1.96} {
		at, off := evaluate.MeanError(ends[k])
		if spread := off * math.Sqrt(seeds); !(spread > 0.03 && spread < 0.1) {
			t.Errorf("end %d varies by %.3f standard errors with the seed", k, spread)
		}
		// A hundredth for chance, the rest for a skew of the users: 1/6 skew (z^2-1)/sqrt(users).
		if !(math.Abs(at-want) < 0.06) {
			t.Errorf("end %d lies %.3f standard errors from the mean, want %.2f", k, at, want)
		}
	}
}
