package evaluate_test

import (
	"math"
	"testing"

	"fubini/core/rng"
	"fubini/judge/evaluate"
)

// splitResults has a result for every split: a has the differences, b zeros.
func splitResults(table [][]float64) (a, b []*evaluate.Result) {
	for _, row := range table {
		users := make([]int, len(row))
		for u := range users {
			users[u] = u
		}
		a = append(a, &evaluate.Result{Metrics: []string{"m"}, Users: users, Values: [][]float64{row}})
		b = append(b, &evaluate.Result{Metrics: []string{"m"}, Users: users, Values: [][]float64{make([]float64, len(row))}})
	}
	return a, b
}

func crossed(t *testing.T, table [][]float64) evaluate.Difference {
	t.Helper()
	a, b := splitResults(table)
	d, err := evaluate.Crossed(a, b, "m", 1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// plantedTable draws a table with effects of splits and users of these standard deviations.
func plantedTable(r *rng.Rand, splits, users int, mean, bySplit, byUser, rest float64) [][]float64 {
	own := make([]float64, users)
	for u := range own {
		own[u] = byUser * r.NormFloat64()
	}
	table := make([][]float64, splits)
	for s := range table {
		shared := bySplit * r.NormFloat64()
		for _, v := range own {
			table[s] = append(table[s], mean+shared+v+rest*r.NormFloat64())
		}
	}
	return table
}

// The interval covers the mean as often as it claims where splits have effects, large, small
// or none, and users too. Its broken twin, the bootstrap over users of the mean over splits,
// leaves the effects of splits out and covers far less often.
func TestCrossedIntervalCovers(t *testing.T) {
	const times = 1000
	for _, c := range []struct {
		name                   string
		splits, users          int
		bySplit, byUser, rest  float64
		least, most, twinBelow float64
	}{
		{"splits matter, three of them", 3, 60, 0.5, 1, 1, 0.935, 0.995, 0.75},
		{"splits matter, ten of them", 10, 60, 0.5, 1, 1, 0.935, 0.99, 0.85},
		{"splits matter a little", 5, 60, 0.1, 1, 1, 0.935, 0.995, 1},
		{"splits do not matter", 5, 60, 0, 1, 1, 0.935, 0.995, 1},
		{"users do not matter", 5, 60, 0.5, 0, 1, 0.935, 0.995, 0.75},
		{"nothing but the rest", 4, 60, 0, 0, 1, 0.935, 1, 1},
	} {
		covered, twin, draws := 0, 0, rng.Stream(5, c.name)
		for k := range times {
			const truth = 0.3
			table := plantedTable(draws, c.splits, c.users, truth, c.bySplit, c.byUser, c.rest)
			if d := crossed(t, table); d.Low <= truth && truth <= d.High {
				covered++
			}
			if k < times/10 {
				a, _ := splitResults(table)
				d, err := evaluate.Pool(a).Mean("m", uint64(k))
				if err != nil {
					t.Fatal(err)
				}
				if d.Low <= truth && truth <= d.High {
					twin++
				}
			}
		}
		share, twinShare := float64(covered)/times, float64(twin)/(times/10)
		if !(share >= c.least && share <= c.most) {
			t.Errorf("%s: the interval covers the mean %.3f of the time", c.name, share)
		}
		if !(twinShare <= c.twinBelow) {
			t.Errorf("%s: the bootstrap over users covers %.3f of the time: this test cannot see the effect of splits", c.name, twinShare)
		}
	}
}

// By hand: two splits, three users.
func TestCrossedByHand(t *testing.T) {
	// Means of splits 2 and 5, of users 2.5, 3.5, 4.5; the mean is 3.5. Mean squares: splits
	// 3*(1.5^2+1.5^2)/1 = 13.5, users 2*(1+0+1)/2 = 2. The variance is 15.5/6, the critical
	// value that of t with 1 and 2 degrees of freedom: (13.5*12.7062 + 2*4.30265)/15.5.
	d := crossed(t, [][]float64{{1, 2, 3}, {4, 5, 6}})
	if !(math.Abs(d.Mean-3.5) <= 1e-12) {
		t.Errorf("mean %g, by hand 3.5", d.Mean)
	}
	if half, want := d.High-d.Mean, (13.5*12.7062+2*4.30265)/15.5*math.Sqrt(15.5/6); !(math.Abs(half-want) <= 1e-3 && math.Abs(d.Mean-d.Low-half) <= 1e-9) {
		t.Errorf("half the interval is %g, by hand %g", half, want)
	}
	if !(d.P > 0.05 && d.P < 1) {
		t.Errorf("P is %g where the interval holds zero", d.P)
	}
	edge := crossed(t, [][]float64{{1 - d.Low, 2 - d.Low, 3 - d.Low}, {4 - d.Low, 5 - d.Low, 6 - d.Low}})
	if !(math.Abs(edge.P-0.05) <= 1e-6) {
		t.Errorf("P is %g where the interval ends at zero", edge.P)
	}
	if same := crossed(t, [][]float64{{1, 1}, {1, 1}}); same.Mean != 1 || same.Low != 1 || same.High != 1 || same.P != 0 {
		t.Errorf("equal differences: %+v", same)
	}
	if none := crossed(t, [][]float64{{0, 0}, {0, 0}}); none.P != 1 || none.Mean != 0 {
		t.Errorf("no differences: %+v", none)
	}
}

// One split is compared by users alone; users that a split lacks count in the others; results that do not match are refused.
func TestCrossedUsers(t *testing.T) {
	a, b := splitResults([][]float64{{1, 2, 4}})
	one, err := evaluate.Crossed(a, b, "m", 3)
	want, _ := evaluate.Compare(a[0], b[0], "m", 3)
	if err != nil || one != want {
		t.Errorf("one split: %+v, %v; users alone %+v", one, err, want)
	}
	a, b = splitResults([][]float64{{1, 2, 4}, {3, 5, 7}})
	for _, r := range []*evaluate.Result{a[1], b[1]} {
		r.Users = []int{0, 1, 9}
	}
	if d, err := evaluate.Crossed(a, b, "m", 1); err != nil || !(math.Abs(d.Mean-4.125) <= 1e-12) { // (2 + 3.5 + 4 + 7)/4
		t.Errorf("users of one split or both: %+v, %v", d, err)
	}
	if _, err := evaluate.Crossed(a, b[:1], "m", 1); err == nil {
		t.Error("two splits were compared with one")
	}
	b[0].Users = []int{0, 1, 3}
	if _, err := evaluate.Crossed(a, b, "m", 1); err == nil {
		t.Error("different users were compared")
	}
}

// Users who are often in a split may differ from those who are seldom in one: the mean is over all of them, as that of the table, and the interval covers it. The broken
// twin compares the users of every split alone, whose mean is another.
func TestCrossedUsersOfSomeSplits(t *testing.T) {
	const times, splits, users, often, seldom = 400, 5, 80, 0.6, 0.0
	seen := 1 - math.Pow(0.7, splits) // of the others nearly all
	truth := (often + seen*seldom) / (1 + seen)
	covered, twin, draws := 0, 0, rng.Stream(6, "some splits")
	for range times {
		table := plantedTable(draws, splits, users, 0, 0.05, 0.2, 0.3)
		a, b := splitResults(table)
		times := make([]int, users)
		for s := range table {
			var who []int
			var values []float64
			for u, v := range table[s] {
				chance, effect := 0.9, often
				if u%2 == 1 {
					chance, effect = 0.3, seldom
				}
				if draws.Float64() < chance {
					times[u]++
					who, values = append(who, u), append(values, v+effect)
				}
			}
			for _, r := range []*evaluate.Result{a[s], b[s]} {
				r.Users = who
			}
			a[s].Values[0], b[s].Values[0] = values, make([]float64, len(values))
		}
		d, err := evaluate.Crossed(a, b, "m", 1)
		if err != nil {
			t.Fatal(err)
		}
		if d.Low <= truth && truth <= d.High {
			covered++
		}
		complete := make([][]float64, splits)
		for s, r := range a {
			for k, u := range r.Users {
				if times[u] == splits {
					complete[s] = append(complete[s], r.Values[0][k])
				}
			}
		}
		if d := crossed(t, complete); d.Low <= truth && truth <= d.High {
			twin++
		}
	}
	if share := float64(covered) / times; !(share >= 0.93 && share <= 0.999) {
		t.Errorf("the interval covers the mean %.3f of the time", share)
	}
	if share := float64(twin) / times; !(share < 0.7) {
		t.Errorf("that of the users of every split covers it %.3f of the time: this test cannot see who is left out", share)
	}
}

// Holm's values by hand; and among true null hypotheses a corrected value below 0.05 is
// as rare as it should be, where plain ones are common.
// The interval for splits with users of their own covers the mean as often as it claims, with and without effects of splits.
func TestNestedIntervalCovers(t *testing.T) {
	const times, truth = 1000, 0.3
	for _, c := range []struct {
		name            string
		splits          int
		bySplit, byUser float64
	}{{"splits matter", 5, 0.5, 1}, {"splits do not matter", 3, 0, 1}} {
		covered, twin, draws := 0, 0, rng.Stream(6, c.name)
		for range times {
			var table [][]float64
			for range c.splits { // users of its own
				table = append(table, plantedTable(draws, 1, 30, truth, c.bySplit, c.byUser, 0.5)[0])
			}
			a, b := splitResults(table)
			d, err := evaluate.Nested(a, b, "m", 1)
			if err != nil {
				t.Fatal(err)
			}
			if d.Low <= truth && truth <= d.High {
				covered++
			}
			if (d.P <= 0.05) != (d.Low > 0 || d.High < 0) {
				t.Fatalf("p = %g beside %g to %g", d.P, d.Low, d.High)
			}
			if e := math.Abs(d.Mean - truth); e <= 1.96*math.Sqrt(c.byUser*c.byUser+0.25)/math.Sqrt(float64(30*c.splits)) {
				twin++ // users alone
			}
		}
		if share := float64(covered) / times; !(share > 0.93 && share < 0.97) {
			t.Errorf("%s: covers %.3f", c.name, share)
		}
		if share := float64(twin) / times; c.bySplit > 0 && !(share < 0.8) {
			t.Errorf("%s: users alone cover %.3f, so that this test cannot tell one from the other", c.name, share)
		}
	}
}

func TestHolm(t *testing.T) {
	got := evaluate.Holm([]float64{0.04, 0.01, 0.03, 0.5})
	for k, want := range []float64{0.09, 0.04, 0.09, 0.5} {
		if !(math.Abs(got[k]-want) <= 1e-12) {
			t.Errorf("value %d is %g, by hand %g", k, got[k], want)
		}
	}
	const times, tests = 2000, 10
	r, wrong, plain := rng.Stream(6, "holm"), 0, 0
	for range times {
		p := make([]float64, tests)
		for k := range p {
			p[k] = r.Float64()
		}
		least, leastPlain := 1.0, 1.0
		for k, v := range evaluate.Holm(p) {
			least, leastPlain = min(least, v), min(leastPlain, p[k])
		}
		if least <= 0.05 {
			wrong++
		}
		if leastPlain <= 0.05 {
			plain++
		}
	}
	// 0.05 of 2000, with 5 standard errors of 10; plain values reject 40 % of the time.
	if wrong > 150 || plain < 600 {
		t.Errorf("of %d families without effects Holm rejects in %d, plain p-values in %d", times, wrong, plain)
	}
}
