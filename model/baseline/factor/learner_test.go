package factor

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// table builds a set from (user, item, value).
func table(t testing.TB, rows ...[3]float64) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for _, r := range rows {
		if err := b.Add(fmt.Appendf(nil, "u%03.0f", r[0]), fmt.Appendf(nil, "i%03.0f", r[1]), float32(r[2]), ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// planted has two kinds of users, who like opposite halves of the items, with
// some noise and a share of the table filled.
func planted(t testing.TB, users, items int, share float64) *ratings.Set {
	r := rng.Stream(1, "planted")
	var rows [][3]float64
	for u := range users {
		for i := range items {
			if r.Float64() >= share {
				continue
			}
			v := 2.0
			if (u%2 == 0) == (i%2 == 0) {
				v = 4
			}
			rows = append(rows, [3]float64{float64(u), float64(i), v + float64(r.IntN(3)) - 1})
		}
	}
	return table(t, rows...)
}

// without is a set in which user 0 is there but has no ratings, and somebody
// rates an item only outside training.
func without(t testing.TB, s *ratings.Set) *ratings.Set {
	t.Helper()
	split, err := ratings.Divided(s, nil, table(t, [3]float64{900, 0, 1}, [3]float64{0, 900, 1}))
	if err != nil {
		t.Fatal(err)
	}
	return split.Training.Set()
}

// checkPlanted fits a recipe on planted data and expects most pairs of held-back
// ratings in order, for users of the training set and for those folded in.
func checkPlanted(t *testing.T, recipe model.Recipe, want float64) {
	t.Helper()
	s := planted(t, 60, 24, 0.6)
	split, err := s.Random(0.25, 3)
	if err != nil {
		t.Fatal(err)
	}
	m, err := recipe.Fit(context.Background(), split.Training.Set(), model.Run{Seed: 1, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := fitting.Concordance(m, split, fitting.Run{Run: model.Run{Jobs: 1}}); !(got >= want) {
		t.Errorf("%.3f of held-back pairs in order, expected %.3f", got, want)
	}
	if got := fitting.Concordance(foldedIn{m}, split, fitting.Run{Run: model.Run{Jobs: 1}}); !(got >= want-0.02) {
		t.Errorf("%.3f of held-back pairs in order for users folded in, expected %.3f", got, want-0.02)
	}
	f := modelfile.New()
	if err := m.Save(f); err != nil {
		t.Fatal(err)
	}
	var buffer bytes.Buffer
	if _, err := f.WriteTo(&buffer); err != nil {
		t.Fatal(err)
	}
	if f, err = modelfile.Read(bytes.NewReader(buffer.Bytes()), int64(buffer.Len())); err != nil {
		t.Fatal(err)
	}
	loaded, err := recipe.Load(f, s.Items().Len())
	if err != nil {
		t.Fatal(err)
	}
	for u := range 5 {
		p, items := model.Person{Index: -1, Known: split.Holdout.Known(u)}, []uint32{0, 1, 2, 3}
		got, want := make([]float64, 4), make([]float64, 4)
		loaded.Score(p, items, got)
		m.Score(p, items, want)
		if !slices.Equal(got, want) {
			t.Errorf("user %d: loaded %v, fitted %v", u, got, want)
		}
	}
	if _, err := recipe.Load(f, s.Items().Len()+1); err == nil {
		t.Error("loaded for a larger catalogue")
	}
}

// foldedIn forgets who was in training.
type foldedIn struct{ model.Model }

func (m foldedIn) Score(p model.Person, items []uint32, scores []float64) {
	p.Index = -1
	m.Model.Score(p, items, scores)
}

// checkAnyJobs expects the same bits for any number of jobs, and finite scores
// for everybody and everything, rated or not.
func checkAnyJobs(t *testing.T, recipe model.Recipe) {
	t.Helper()
	s := without(t, planted(t, 30, 12, 0.6))
	var first []float64
	for _, jobs := range []int{1, 2, 5} {
		m, err := recipe.Fit(context.Background(), s, model.Run{Seed: 7, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		var all []float64
		items := make([]uint32, s.Items().Len())
		for i := range items {
			items[i] = uint32(i)
		}
		for u := range s.Users().Len() {
			scores := make([]float64, 2*len(items))
			m.Score(model.Person{Index: u, Known: s.Row(u)}, items, scores)
			m.Score(model.Person{Index: -1, Known: s.Row(u)}, items, scores[len(items):])
			all = append(all, scores...)
		}
		for k, x := range all {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("score %d is %g", k, x)
			}
		}
		if first == nil {
			first = all
		}
		if !slices.Equal(first, all) {
			t.Errorf("%d jobs give other scores than one", jobs)
		}
	}
}

// checkEquivariant renumbers users and items and expects the same scores.
func checkEquivariant(t *testing.T, recipe model.Recipe) {
	t.Helper()
	const users, items = 20, 10
	s := planted(t, users, items, 0.7)
	r := rng.Stream(5, "renumber")
	toUser, toItem := make([]int, users), make([]int, items)
	rng.Permutation(r, toUser)
	rng.Permutation(r, toItem)
	var rows [][3]float64
	itemAs, userAs := make([]int, items), make([]int, users)
	for u := range users {
		userAs[toUser[u]] = u
		for k, i := range s.Row(u).Items {
			rows = append(rows, [3]float64{float64(toUser[u]), float64(toItem[i]), float64(s.Row(u).Values[k])})
		}
	}
	for i := range items {
		itemAs[toItem[i]] = i
	}
	a, err := recipe.Fit(context.Background(), s, model.Run{Seed: 3, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	moved := table(t, rows...)
	b, err := recipe.Fit(fitting.WithNumbers(t.Context(), itemAs, userAs), moved, model.Run{Seed: 3, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for u := range users {
		for _, known := range []bool{true, false} {
			p, q := model.Person{Index: u, Known: s.Row(u)}, model.Person{Index: toUser[u], Known: moved.Row(toUser[u])}
			if !known {
				p.Index, q.Index = -1, -1
			}
			for i := range items {
				var x, y [1]float64
				a.Score(p, []uint32{uint32(i)}, x[:])
				b.Score(q, []uint32{uint32(toItem[i])}, y[:])
				if !(math.Abs(x[0]-y[0]) <= 1e-5*(1+math.Abs(x[0]))) { // sums in another order
					t.Fatalf("user %d, item %d, in training %v: %g, renumbered %g", u, i, known, x[0], y[0])
				}
			}
		}
	}
}

// toy is a loss with a parameter, in which scores meet each other.
type toy struct{ shared [1]float64 }

func (l *toy) Parameters() []float64 { return l.shared[:] }

func (l *toy) Of(values []float32, scores, slope, shared []float64, _ *Row) float64 {
	if shared == nil {
		shared = make([]float64, 1)
	}
	var total, sum float64
	for k, s := range scores {
		d := s - l.shared[0]*float64(values[k])
		total += d * d * d * d / 4
		slope[k] = d * d * d
		shared[0] -= d * d * d * float64(values[k])
		sum += s
	}
	for k := range slope {
		slope[k] += sum
	}
	return total + sum*sum/2
}

// The slopes of a block are those of the objective, by finite differences.
func TestFactorGradient(t *testing.T) {
	s := without(t, planted(t, 6, 5, 0.8))
	for _, has := range []Biases{{}, {Item: true}, {User: true, Item: true}} {
		l := &toy{[1]float64{0.3}}
		o := Options{Hidden: 3, Rate: 0.1, UserPrior: 0.4, ItemPrior: 0.6, BiasPrior: 0.2, Scale: 0.8, Batch: 100}
		f, err := New(s, fitting.Run{Run: model.Run{Seed: 1, Jobs: 2}}, o, has, l)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for _, vectors := range []struct{ x, prior []float64 }{{f.items, f.itemPrior}, {f.users, f.userPrior}} {
			for at := range vectors.x {
				if vectors.prior[at%f.width] >= 0 {
					vectors.x[at] = r.NormFloat64()
				}
			}
		}
		check := func(what string, x *float64, slope float64) {
			t.Helper()
			const h = 1e-5
			at := *x
			*x = at + h
			up := f.gradient(f.order) + f.penalty(f.users)
			*x = at - h
			down := f.gradient(f.order) + f.penalty(f.users)
			*x = at
			if want := (up - down) / (2 * h); !(math.Abs(slope-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("%v: slope by %s is %g, by differences %g", has, what, slope, want)
			}
		}
		f.gradient(f.order)
		check("the parameter", &l.shared[0], f.sharedSlope[0])
		for k := range f.block {
			f.gradient(f.order)
			slope, u := slices.Clone(f.block[k].slope), f.block[k].user
			for d, prior := range f.userPrior {
				if x := &f.userVector(u)[d]; prior >= 0 {
					check(fmt.Sprintf("user %d, %d", u, d), x, slope[d]+prior**x)
				}
			}
		}
		for i := range 5 {
			f.gradient(f.order)
			slope, share := slices.Clone(f.itemSlope(uint32(i))), f.itemRows[i]/f.ratingsOf[i]
			for d, prior := range f.itemPrior {
				if x := &f.itemVector(i)[d]; prior >= 0 {
					check(fmt.Sprintf("item %d, %d", i, d), x, slope[d]+share*prior**x)
				}
			}
		}
		// Folding in goes down the same slope.
		f.gradient(f.order)
		b := &f.block[0]
		f.steps, f.mean = 1, slices.Clone(f.userVector(b.user))
		folded := f.foldIn(b.row)
		step := slices.Clone(f.mean)
		f.descend(step, b.slope, make([]float64, f.width), f.userPrior, 1)
		for d := range folded {
			if !(math.Abs(folded[d]-step[d]) <= 1e-12*(1+math.Abs(step[d]))) {
				t.Errorf("%v: folding in goes to %v, a step in training to %v", has, folded, step)
			}
		}
	}
}

// However many jobs share the work, the bits are the same; and it goes down.
func TestFactorJobs(t *testing.T) {
	s := without(t, planted(t, 40, 9, 0.7))
	o := Options{Hidden: 3, Rate: 0.05, UserPrior: 0.4, ItemPrior: 0.6, BiasPrior: 0.2, Scale: 0.1, Batch: 7}
	var first []float64
	for _, jobs := range []int{1, 2, 5} {
		l := &toy{[1]float64{0.3}}
		f, err := New(s, fitting.Run{Run: model.Run{Seed: 1, Jobs: jobs}}, o, Biases{User: true, Item: true}, l)
		if err != nil {
			t.Fatal(err)
		}
		var objectives [20]float64
		for e := range objectives {
			objectives[e] = f.Epoch()
		}
		if !(objectives[19] < objectives[0]/2) {
			t.Errorf("objectives %v", objectives)
		}
		all := slices.Concat(f.users, f.items, f.mean, l.shared[:], objectives[:])
		if first == nil {
			first = all
		}
		if !slices.Equal(first, all) {
			t.Errorf("%d jobs give another result than one", jobs)
		}
	}
}

// Rosenbrock's valley has its minimum of 0 at (1, 1).
func TestMinimise(t *testing.T) {
	x := []float64{-1.2, 1}
	value := lbfgs(func(x, g []float64) float64 {
		a, b := 1-x[0], x[1]-x[0]*x[0]
		g[0], g[1] = -2*a-400*x[0]*b, 200*b
		return a*a + 100*b*b
	}, x)
	if !(math.Abs(x[0]-1) <= 1e-6 && math.Abs(x[1]-1) <= 1e-6 && value <= 1e-12) {
		t.Errorf("%g at %v", value, x)
	}
}

// Random keys differ between items and draws; fixed ones are the same in every epoch.
func TestRandomKeys(t *testing.T) {
	row := NewRow(fitting.Run{}, 1, 2, []uint32{3, 4})
	keys, again := row.RandomKeys(false), row.RandomKeys(false)
	if keys[0] == keys[1] || keys[0] == again[0] {
		t.Errorf("keys %v, then %v", keys, again)
	}
	fixed, later := row.RandomKeys(true), NewRow(fitting.Run{}, 1, 3, []uint32{3, 4}).RandomKeys(true)
	if !slices.Equal(fixed, later) || fixed[0] == fixed[1] {
		t.Errorf("fixed keys %v, then %v", fixed, later)
	}
}

// The power method against so many steps that nothing is left to gain.
func TestLargestSlope(t *testing.T) {
	set := without(t, planted(t, 40, 12, 0.7))
	f, err := New(set, fitting.Run{Run: model.Run{Seed: 1}}, Options{Rate: 1, Batch: 10}, Biases{Item: true}, &topOne{Largest: 5})
	if err != nil {
		t.Fatal(err)
	}
	got := f.largestSlope()
	matrix := make([][]float64, 40)
	for k := range f.block {
		b := &f.block[k]
		matrix[b.user] = make([]float64, 12)
		for j, i := range b.row.Items {
			matrix[b.user][i] = b.slopes[j]
		}
	}
	x := []float64{1, 2, 3, 4, 5, 6, -7, 8, -9, 10, 11, -12}
	var want float64
	for range 5000 {
		next := make([]float64, 12)
		for _, row := range matrix {
			fitting.Add(next, fitting.Dot(row, x), row)
		}
		want = math.Sqrt(math.Sqrt(fitting.Dot(next, next)))
		for i := range x {
			x[i] = next[i] / (want * want)
		}
	}
	if !(math.Abs(got-want) <= 0.03*want) {
		t.Errorf("largest singular value %g, want %g", got, want)
	}
}

// with changes a recipe.
func with[T any](recipe *T, change func(o *T)) *T {
	change(recipe)
	return recipe
}
