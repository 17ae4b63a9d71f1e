package interest

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fubini/core/cholesky"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model/interest"
)

// picks makes a set of people who each rated some of the items: more of those whose number has the parity of theirs.
func picks(t *testing.T, people, items int) *ratings.Set {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(people)))
	return setOf(t, people, items, func(u, i int) float32 {
		chance := .1
		if u%2 == i%2 {
			chance = .4
		}
		if r.Float64() < chance/(1+float64(i)/20) {
			return float32(1 + r.IntN(5))
		}
		return 0
	})
}

// setOf makes a set of ratings; 0 is none.
func setOf(t *testing.T, people, items int, rating func(u, i int) float32) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for u := range people {
		for i := range items {
			if v := rating(u, i); v > 0 {
				if err := b.Add(fmt.Appendf(nil, "u%04d", u), fmt.Appendf(nil, "i%03d", i), v, ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func fitted(t *testing.T, set *ratings.Set, o Options) *interest.Model {
	t.Helper()
	m, err := Fit(context.Background(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// table has the weight of every placement, a row for each person; 0 for none.
func table(set *ratings.Set) [][]float64 {
	low, high := set.Range()
	rows := make([][]float64, set.Users().Len())
	for u := range rows {
		rows[u] = make([]float64, set.Items().Len())
		for k, i := range set.Row(u).Items {
			rows[u][i] = interest.Weight(float64(set.Row(u).Values[k]), low, high, Defaults().Lowest)
		}
	}
	return rows
}

// counts is the matrix of weighted co-occurrence, straight from its definition, without one person.
func counts(set *ratings.Set, o Options, without int) []float64 {
	n, mean := set.Items().Len(), float64(set.Len())/float64(set.Users().Len())
	g := make([]float64, n*n)
	for u, x := range table(set) {
		if u == without {
			continue
		}
		row, weight := set.Row(u), math.Pow(mean/float64(set.Row(u).Len()), o.Length)
		for a, i := range row.Items {
			for b, j := range row.Items {
				more := 0.
				if set.HasTimes() {
					more = o.Periods * max(0, 1-float64(apart(row, a, b))/2)
				}
				g[int(i)*n+int(j)] += x[i] * x[j] * weight * (1 + more)
			}
		}
	}
	addKinds(g, set, o.Kinds)
	return g
}

// regression is the ridge regression of item j on the other inputs: coefficients by item, from the normal equations of
// these items alone. ridges has the counts that κ multiplies.
func regression(g, ridges []float64, n, j int, inputs []int, o Options) []float64 {
	var from []int
	for _, i := range inputs {
		if i != j {
			from = append(from, i)
		}
	}
	a, x := make([]float64, len(from)*len(from)), make([]float64, len(from))
	for r, i := range from {
		for c, k := range from {
			a[r*len(from)+c] = g[i*n+k]
		}
		a[r*len(from)+r] += (1-o.Share)/o.Share*ridges[i*n+i] + o.Ridge
		x[r] = g[i*n+j]
	}
	cholesky.Must(cholesky.Solve(a, x))
	weights := make([]float64, n)
	for r, i := range from {
		weights[i] = x[r]
	}
	return weights
}

func dense(w *interest.Weights, n int) []float64 {
	d := make([]float64, n*n)
	for i := range n {
		for k := w.Start[i]; k < w.Start[i+1]; k++ {
			d[i*n+int(w.Target[k])] = float64(w.Value[k])
		}
	}
	return d
}

func all(n int) (numbers []int) {
	for i := range n {
		numbers = append(numbers, i)
	}
	return numbers
}

// farthest is the largest distance of weights from those of ridge regressions on the inputs, solved one by one.
func farthest(w *interest.Weights, set *ratings.Set, inputs []int, o Options) (worst float64) {
	n, g := set.Items().Len(), counts(set, o, -1)
	got := dense(w, n)
	for j := range n {
		for i, want := range regression(g, g, n, j, inputs, o) {
			if gap := math.Abs(got[i*n+j] - want); !(gap <= worst) {
				worst = gap
			}
		}
	}
	return worst
}

const narrow = 1e-6 // what float32 leaves of weights and co-occurrences of about one

func TestAgainstRegressions(t *testing.T) {
	set, o := picks(t, 60, 30), Defaults()
	o.Ridge, o.Least = 3, 0
	n := set.Items().Len()
	m := fitted(t, set, o)
	if worst := farthest(&m.Near, set, all(n), o); !(worst <= narrow) {
		t.Errorf("weights are off by %g", worst)
	}
	o.Share *= .9
	if worst := farthest(&m.Near, set, all(n), o); !(worst > 1e-3) {
		t.Errorf("the test cannot see another share: off by %g", worst)
	}
}

// mostPicked are the items in most lists, of equal ones the first.
func mostPicked(set *ratings.Set, count int) []int {
	items := all(set.Items().Len())
	lists := make([]int, len(items))
	for u := range set.Users().Len() {
		for _, i := range set.Row(u).Items {
			lists[i]++
		}
	}
	slices.SortStableFunc(items, func(a, b int) int { return lists[b] - lists[a] })
	return items[:count]
}

// With fewer inputs than items, the most picked predict all items.
func TestFewInputs(t *testing.T) {
	set, o := picks(t, 60, 30), Defaults()
	o.Ridge, o.Inputs, o.Least = 3, 12, 0
	inputs := mostPicked(set, o.Inputs)
	m := fitted(t, set, o)
	if worst := farthest(&m.Near, set, inputs, o); !(worst <= narrow) {
		t.Errorf("weights are off by %g", worst)
	}
}

// Of all weights the largest in absolute value are kept, as they are: as many as asked for an item on average, and those
// of about the size at which the cut is.
func TestStrongest(t *testing.T) {
	set, o := picks(t, 60, 30), Defaults()
	n := set.Items().Len()
	whole := dense(&fitted(t, set, o).Near, n)
	o.Neighbours = 5
	few := dense(&fitted(t, set, o).Near, n)
	var kept, left []float64
	most := 0 // kept for one item
	for j := range n {
		own := 0
		for i := range n {
			switch v := whole[i*n+j]; {
			case v == 0:
			case few[i*n+j] == v:
				kept = append(kept, math.Abs(v))
				own++
			case few[i*n+j] == 0:
				left = append(left, math.Abs(v))
			default:
				t.Fatalf("weight of %d for %d is %g, in full %g", i, j, few[i*n+j], v)
			}
		}
		most = max(most, own)
	}
	slices.Sort(kept)
	if want := o.Neighbours * n; len(kept) < want || !(kept[len(kept)-want] <= 1.01*kept[0]) || !(kept[0] >= slices.Max(left)) {
		t.Errorf("kept %d weights of at least %g, left some of %g", len(kept), kept[0], slices.Max(left))
	}
	if most == o.Neighbours {
		t.Error("all items have the same number of weights: the test cannot see a cut for each item apart")
	}
}

// Where all weights are the same a cut leaves all of them, or, where fewer are asked for, that number for every item: a file is bounded by it.
func TestCutOfEqualWeights(t *testing.T) {
	set := picks(t, 60, 200)
	n := set.Items().Len()
	l := &lists{set: set, place: make([]int32, n)}
	p := make([]float32, n*n)
	for i := range n {
		l.inputs, l.place[i] = append(l.inputs, uint32(i)), int32(i)
		for j := range n {
			p[i*n+j] = -1
		}
		p[i*n+i] = 1
	}
	for neighbours, want := range map[int]int{250: n - 1, 20: 20, 1: 1} {
		o := Defaults()
		o.Neighbours = neighbours
		if w, err := l.weights(t.Context(), p, o); err != nil || len(w.Value) != n*want {
			t.Errorf("%d weights for %d items of which %d were asked for each", len(w.Value), n, neighbours)
		}
	}
}

// The low-rank part projects on the leading eigenvectors of a matrix made straight from its definition.
func TestSmoothAgainstEigenvectors(t *testing.T) {
	set, o := picks(t, 60, 30), Defaults()
	o.Tasks = 0
	o.Units = 2 // odd and even items: beyond these eigenvalues are alike
	n := set.Items().Len()
	g, d := mat.NewSymDense(n, nil), make([]float64, n)
	for _, x := range table(set) {
		length := 0.
		for _, v := range x {
			if v > 0 {
				length++
			}
		}
		for i, v := range x {
			d[i] += v * v / length
			for j := range i + 1 {
				g.SetSym(i, j, g.At(i, j)+v*x[j]/length)
			}
		}
	}
	for i := range d {
		d[i] = math.Pow(d[i], o.Scale)
	}
	for i := range n {
		for j := range i + 1 {
			g.SetSym(i, j, g.At(i, j)/d[i]/d[j])
		}
	}
	var eigen mat.EigenSym
	var vectors mat.Dense
	if !eigen.Factorize(g, true) {
		t.Fatal("no eigenvectors")
	}
	eigen.VectorsTo(&vectors)
	m := fitted(t, set, o)
	for k, e := range m.Eigen {
		if want := eigen.Values(nil)[n-1-k] / eigen.Values(nil)[n-1]; !(math.Abs(e-want) <= 1e-5) {
			t.Errorf("eigenvalue %d is %g, not %g", k, e, want)
		}
	}
	for i := range n {
		for j := range n {
			var want, got float64
			for k := range o.Units {
				want += vectors.At(i, n-1-k) / d[i] * vectors.At(j, n-1-k) * d[j]
				got += m.In[i*o.Units+k] * m.In[j*o.Units+k] * m.Gain[j]
			}
			if !(math.Abs(got-want) <= 2e-3) { // after a fixed number of steps: 7e-4 where it is largest
				t.Fatalf("%d on %d: %g, by eigenvectors %g", i, j, got, want)
			}
		}
	}
}

// The scores that the calibration learns from are those of regressions without the person.
func TestLeftOut(t *testing.T) { leftOutIsExact(t, picks(t, 40, 20), narrow) }

func leftOutIsExact(t *testing.T, set *ratings.Set, tolerance float64) {
	t.Helper()
	o := Defaults()
	o.Ridge, o.Smooth, o.Short, o.Long, o.Tasks, o.Least = 3, 1e-300, 0, 0, 0, 0
	n, g := set.Items().Len(), counts(set, o, -1)
	m, l, p := fitted(t, set, o), index(set, o), make([]float32, n*n)
	if err := l.precision(t.Context(), p, o); err != nil {
		t.Fatal(err)
	}
	left, err := l.leaveOut(t.Context(), m, p, func(u int) []int { return all(set.Row(u).Len()) }, 2)
	if err != nil {
		t.Fatal(err)
	}
	var change float64 // between the fits with and without the person
	for at, u := range left.people {
		x, without := table(set)[u], counts(set, o, u)
		for j := range n {
			weights, full := regression(without, g, n, j, all(n), o), regression(g, g, n, j, all(n), o)
			var want, with float64
			for i := range n {
				want += x[i] * weights[i]
				with += x[i] * full[i]
			}
			if got := left.scores[at*n+j]; !(math.Abs(got-want) <= tolerance) {
				t.Fatalf("person %d, item %d: score %g, by a fit without the person %g", u, j, got, want)
			}
			change = max(change, math.Abs(want-with))
		}
	}
	if !(change > 1e-2) {
		t.Errorf("the test cannot see a person who was not left out: scores differ by %g", change)
	}
}

// The same bytes for any number of jobs.
func TestJobs(t *testing.T) { sameBytes(t, picks(t, 100, 150), Defaults()) }

// sameBytes fits with several numbers of goroutines, which must give the same file.
func sameBytes(t *testing.T, set *ratings.Set, o Options) {
	t.Helper()
	var first []byte
	for _, jobs := range []int{1, 2, 5} {
		o.Jobs = jobs
		f := modelfile.New()
		if err := fitted(t, set, o).Save(f); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := f.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b.Bytes()
		} else if !bytes.Equal(first, b.Bytes()) {
			t.Errorf("other bytes with %d jobs", jobs)
		}
	}
}

// Of people drawn like those of the fit, who pick much or little, 1, 5, 20 or 40 items are known. Of the others there are about as many picks as are expected, among those of a probability below and
// above a tenth. By a curve for whole lists, as it was before the length counted, there are not: the test can see it.
func TestCalibration(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var much float64
	both := setOf(t, 3000, 300, func(u, i int) float32 {
		if i == 0 {
			much = .4 * math.Exp(.8*r.NormFloat64())
		}
		if r.Float64() < 1-math.Exp(-much/(1+float64(i)/30)/float64(1+(u+i)%2*3)) {
			return float32(1 + r.IntN(5))
		}
		return 0
	})
	training := both.OfUsers(func(u int) bool { return u < 1500 })
	o := Defaults()
	o.Ridge, o.Units = 20, 2
	m := fitted(t, training, o)
	for _, n := range []int{1, 5, 20, 40} {
		if wrong := misjudged(t, m, both, 1500, n); !(wrong <= .25) { // two samples of 1,500 lists, whose lengths have about the standard deviation of their mean, make .04; the form makes the rest
			t.Errorf("%d items known: expected picks are off by %.2f", n, wrong)
		}
	}
	l := index(training, o)
	p := make([]float32, len(l.inputs)*len(l.inputs))
	if err := l.precision(t.Context(), p, o); err != nil {
		t.Fatal(err)
	}
	left, err := l.leaveOut(t.Context(), m, p, func(u int) []int { return all(training.Row(u).Len()) }, 2)
	if err != nil {
		t.Fatal(err)
	}
	for k, u := range left.people { // a listed item has the score given the others
		left.hidden[k], left.weight[k] = l.list(u).places, 1
	}
	m.Calibration = left.curve(2)
	for _, n := range []int{1, 5, 40} {
		if wrong := misjudged(t, m, both, 1500, n); !(wrong > .5) {
			t.Errorf("%d items known: the test cannot see a curve for whole lists: off by %.2f", n, wrong)
		}
	}
}

// misjudged is by how much, as a share, the expected picks differ from the observed ones of people from a first one on of whom n items are known, among pairs of a probability below
// or above a tenth, where it is more. Fewer than 500 picks, expected or observed, are not looked at.
func misjudged(t *testing.T, m *interest.Model, set *ratings.Set, first, n int) (worst float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(8, uint64(n)))
	scores := make([]float64, m.Items())
	var expected, picked [2]float64 // below and above a tenth
	for u := first; u < set.Users().Len(); u++ {
		row := set.Row(u)
		if row.Len() <= n {
			continue
		}
		given, rest := divided(row, r.Perm(row.Len())[:n])
		if err := m.Score(given, scores); err != nil {
			t.Fatal(err)
		}
		for i, s := range scores {
			if has(given, i) {
				continue
			}
			p, ok := m.Probability(s, n)
			if !ok {
				t.Fatal("no calibration")
			}
			half := 0
			if p > .1 {
				half = 1
			}
			expected[half] += p
			if has(rest, i) {
				picked[half]++
			}
		}
	}
	for half := range expected {
		if wrong := math.Abs(expected[half]/picked[half] - 1); max(expected[half], picked[half]) >= 500 && !(wrong <= worst) {
			worst = wrong
		}
	}
	return worst
}

func TestUnusualLists(t *testing.T) {
	always := func(_, _ int) float32 { return 1 }
	rated := func(u, i int) float32 { return float32(1 + (u+i)%5) }
	for name, set := range map[string]*ratings.Set{
		"one item":                               setOf(t, 3, 1, always),
		"one person":                             setOf(t, 1, 5, always),
		"everybody picked everything":            setOf(t, 4, 5, always),
		"everybody rated everything":             setOf(t, 4, 5, rated),
		"items that nobody has, one person left": picks(t, 20, 10).OfUsers(func(u int) bool { return u < 1 }),
	} {
		m := fitted(t, set, Defaults())
		scores := make([]float64, m.Items())
		for _, list := range []ratings.Row{{}, {Items: []uint32{0}, Values: []float32{1}}} {
			if err := m.Score(list, scores); err != nil {
				t.Fatal(err)
			}
			for i, s := range scores {
				if p, ok := m.Probability(s, list.Len()); math.IsNaN(s) || math.IsInf(s, 0) || !ok || !(p >= 0 && p <= 1) {
					t.Errorf("%s: item %d scores %g, with probability %g", name, i, s, p)
				}
			}
		}
	}
}

// A catalogue of many items, most of them in one list alone, has its number of weights and of inputs bounded, and a score
// for every item.
func TestManyRareItems(t *testing.T) {
	b := ratings.NewBuilder()
	add := func(u, i int) {
		if err := b.Add(fmt.Append(nil, u), fmt.Append(nil, i), 1, ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	const people, rare = 400, 40
	for u := range people {
		for k := range 5 {
			add(u, (u*7+k*k)%40) // common
		}
		for k := range rare {
			add(u, 1000+u*rare+k)
		}
	}
	set, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	o := Defaults()
	o.Units, o.Tasks = 2, 20
	m := fitted(t, set, o)
	if n := len(m.Near.Target); m.Items() < people*rare || n > 40*m.Items() {
		t.Errorf("%d items have %d weights, of at most 40 inputs each", m.Items(), n)
	}
	scores := make([]float64, m.Items())
	if err := m.Score(set.Row(0), scores); err != nil {
		t.Fatal(err)
	}
	for i, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			t.Fatalf("item %d scores %g", i, s)
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, change := range map[string]func(o *Options){
		"ridge": func(o *Options) { o.Ridge = -1 }, "noise": func(o *Options) { o.Noise = -1 }, "share": func(o *Options) { o.Share = 1.5 },
		"lowest": func(o *Options) { o.Lowest = math.NaN() }, "length": func(o *Options) { o.Length = -1 }, "scale": func(o *Options) { o.Scale = math.NaN() },
		"smooth": func(o *Options) { o.Smooth = -1 }, "taste": func(o *Options) { o.Taste = -1 }, "short": func(o *Options) { o.Short = -1 }, "long": func(o *Options) { o.Long = -1 }, "periods": func(o *Options) { o.Periods = math.NaN() },
		"popularity": func(o *Options) { o.Popularity = math.NaN() }, "tasks": func(o *Options) { o.Tasks = -1 }, "least": func(o *Options) { o.Least = -1 },
		"inputs": func(o *Options) { o.Inputs = 0 }, "neighbours": func(o *Options) { o.Neighbours = 0 }, "units": func(o *Options) { o.Units = -1 },
	} {
		o := Defaults()
		change(&o)
		if err := o.check(10); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if err := Defaults().check(3_000_000); err == nil || !strings.Contains(err.Error(), "2500000") {
		t.Errorf("three million items: error %v", err)
	}
	if _, err := Fit(context.Background(), setOf(t, 0, 0, nil), Defaults()); err == nil {
		t.Error("fitted nothing")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Fit(ctx, picks(t, 5, 5), Defaults()); err == nil {
		t.Error("no error after the context ended")
	}
}

// ending is a context that ends after a number of questions whether it has.
type ending struct {
	context.Context
	left, asked int
}

func (e *ending) Err() error {
	if e.asked++; e.asked > e.left {
		return context.Canceled
	}
	return nil
}

// A fit asks in each of its stages whether its context has ended, and ends with it: whenever that is, there is no model.
func TestFitEndsWithItsContext(t *testing.T) {
	set, o := picks(t, 60, 30), Defaults()
	o.Least, o.Jobs = 5, 1 // some items do not predict
	whole := &ending{Context: t.Context(), left: math.MaxInt}
	if _, err := Fit(whole, set, o); err != nil {
		t.Fatal(err)
	}
	for left := 0; left < whole.asked; left += 1 + whole.asked/40 {
		ctx := &ending{Context: t.Context(), left: left}
		if m, err := Fit(ctx, set, o); m != nil || err != context.Canceled {
			t.Fatalf("ended at question %d of %d: model %v, %v", left+1, whole.asked, m, err)
		}
	}

	m, l := fitted(t, set, o), index(set, o)
	n := len(l.inputs)
	p, counts := make([]float32, n*n), make([]float32, n*n)
	if err := l.precision(t.Context(), p, o); err != nil {
		t.Fatal(err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	for stage, do := range map[string]func() error{
		"counts and inverse": func() error { return l.precision(ended, counts, o) },
		"low-rank part":      func() error { _, err := l.smooth(ended, m, l.people, nil, o); return err },
		"choice of weights":  func() error { _, _, err := l.weigh(ended, m, p, o); return err },
		"strongest weights":  func() error { _, err := l.weights(ended, p, o); return err },
		"scores left out":    func() error { _, err := l.leaveOut(ended, m, p, func(int) []int { return nil }, 2); return err },
	} {
		if err := do(); err != context.Canceled {
			t.Errorf("%s: %v", stage, err)
		}
	}
	if slices.ContainsFunc(counts, func(v float32) bool { return v != 0 }) {
		t.Error("counted after the end")
	}
}

// What a fit takes grows with the ratings by the indexes alone: by 16 bytes for each, and by one sum of the vectors for each person.
func TestMemoryOfIndex(t *testing.T) {
	const people, items = 3000, 40
	set := picks(t, people, items)
	o := Defaults()
	o.Jobs = 1
	allocated := func(do func()) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	var l *lists
	indexes := allocated(func() { l = index(set, o) })
	lists := 24 * float64(people)                                   // numbers of people, weights and starts of lists
	if got := (indexes - lists) / float64(set.Len()); !(got < 20) { // whole pages are taken
		t.Errorf("indexes take %.1f bytes a rating", got)
	}
	vectors, out, inverse := make([]float64, items*8), make([]float64, items*8), make([]float64, items)
	if first := allocated(func() { l.multiply(l.people, vectors, out, inverse, 8, 1) }); !(first >= 4*8*people) {
		t.Errorf("the sums of %d people are said to take %.0f bytes", people, first)
	}
	if again := allocated(func() { l.multiply(l.people, vectors, out, inverse, 8, 1) }); !(again < 4*8*people) {
		t.Errorf("a second multiplication takes %.0f bytes", again)
	}
}
