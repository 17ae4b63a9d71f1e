package baseline_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline"
	"fubini/model/baseline/counting"
	"fubini/model/baseline/fitting"
	"fubini/model/baseline/planted"
)

// One contract for all baselines: every kind goes through every check of this file,
// of contractfiles_test.go and of contractrefusals_test.go.

// kind is a baseline by name.
type kind = baseline.Entry

// with is a recipe with some settings changed.
func with[T any](recipe *T, change func(o *T)) *T {
	change(recipe)
	return recipe
}

// forAll runs a check for every kind.
func forAll(t *testing.T, check func(t *testing.T, k kind)) {
	t.Helper()
	for _, k := range baseline.All() {
		t.Run(k.Name, func(t *testing.T) { check(t, k) })
	}
}

// skipIfShort leaves out what takes long on one core where time is short: the race
// detector sees the same code in the one epoch of TestContractRepeatable and
// TestContractConcurrentUse.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long, and on one core")
	}
}

// recipeWith is a recipe with the settings that it has among these.
func recipeWith(t testing.TB, k kind, values map[string]float64) model.Recipe {
	t.Helper()
	r := k.New()
	for name, v := range values {
		if at, err := setting.Find(r.Settings(), name); err == nil {
			if err := at.Set(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	return r
}

func hasSetting(k kind, name string) bool {
	_, err := setting.Find(k.New().Settings(), name)
	return err == nil
}

// quickSettings are for a fit that is over at once, goodSettings for one that is good.
var (
	quickSettings = map[string]float64{"hidden": 3, "epochs": 3, "sweeps": 6, "burn": 2}
	goodSettings  = map[string]float64{"hidden": 3}
)

// briefSettings are quickSettings, or still fewer epochs where time is short.
func briefSettings() map[string]float64 {
	if testing.Short() {
		return map[string]float64{"hidden": 3, "epochs": 1, "sweeps": 3, "burn": 1}
	}
	return quickSettings
}

// fitKind returns a model that must come out.
func fitKind(t testing.TB, k kind, set *ratings.Set, run model.Run, values map[string]float64) model.Model {
	t.Helper()
	m, err := recipeWith(t, k, values).Fit(context.Background(), set, run)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// scoresFor are the scores of all items for a person; they must be finite.
func scoresFor(t testing.TB, m model.Model, items int, p model.Person) []float64 {
	t.Helper()
	which, scores := make([]uint32, items), make([]float64, items)
	for i := range which {
		which[i], scores[i] = uint32(i), math.NaN()
	}
	m.Score(p, which, scores)
	for i, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			t.Fatalf("item %d has score %g for person %d with %d ratings", i, s, p.Index, p.Known.Len())
		}
	}
	return scores
}

// allScores are the scores of all items for all users of the training set, for
// strangers who say what the first few of them said, and for one who says nothing.
func allScores(t testing.TB, m model.Model, set *ratings.Set) [][]float64 {
	t.Helper()
	items := set.Items().Len()
	rows := [][]float64{scoresFor(t, m, items, model.Person{Index: -1})}
	for u := range set.Users().Len() {
		rows = append(rows, scoresFor(t, m, items, model.Person{Index: u, Known: set.Row(u)}))
		if u < strangers {
			rows = append(rows, scoresFor(t, m, items, model.Person{Index: -1, Known: set.Row(u)}))
		}
	}
	return rows
}

const strangers = 8

func sameBits(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(x, y []float64) bool {
		return slices.EqualFunc(x, y, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
	})
}

func TestContractLearnsAPlantedPattern(t *testing.T) {
	skipIfShort(t)
	p := planted.New(t, nil, nil)
	set := p.Split.Training.Set()
	means, err := counting.NewItemMean().Fit(context.Background(), set, model.Run{})
	if err != nil {
		t.Fatal(err)
	}
	floor := fitting.Concordance(means, p.Split, fitting.Run{Run: model.Run{Jobs: 1}})
	if !(floor > 0.55 && floor < 0.75) {
		t.Fatalf("item-mean has %.3f of all pairs right; the pattern is too easy or too hard", floor)
	}
	forAll(t, func(t *testing.T, k kind) {
		if k.Picks {
			return // it has no opinion on ratings; see package picks
		}
		got := fitting.Concordance(fitKind(t, k, set, model.Run{Seed: 1}, goodSettings), p.Split, fitting.Run{Run: model.Run{Jobs: 2}})
		t.Logf("%.3f of held-out pairs in the right order, item-mean %.3f", got, floor)
		if want := floor + 0.1; k.Name != "item-mean" && !(got > want) {
			t.Errorf("%.3f of held-out pairs in the right order, expected more than %.3f", got, want)
		}
	})
}

// The same data with users and items numbered otherwise, and with the same numbers
// drawn for each, must give the same scores but for rounding.
func TestContractRenumbering(t *testing.T) {
	skipIfShort(t)
	plain := planted.New(t, nil, nil)
	users, items := rng.Stream(2, "users").Perm(planted.Users), rng.Stream(2, "items").Perm(planted.Items)
	mixed := planted.New(t, users, items)
	renumbered := fitting.WithNumbers(t.Context(), inverseOf(items), inverseOf(users))
	forAll(t, func(t *testing.T, k kind) {
		a := fitKind(t, k, plain.Split.Training.Set(), model.Run{Seed: 5}, quickSettings)
		b, err := recipeWith(t, k, quickSettings).Fit(renumbered, mixed.Split.Training.Set(), model.Run{Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		compare := func(u int) {
			x := scoresFor(t, a, planted.Items, model.Person{Index: u, Known: plain.Split.Training.Set().Row(max(u, 0))})
			y := scoresFor(t, b, planted.Items, model.Person{Index: numberOf(users, u), Known: mixed.Split.Training.Set().Row(users[max(u, 0)])})
			spread := slices.Max(x) - slices.Min(x) + 1e-9
			for i := range x {
				worst = max(worst, math.Abs(x[i]-y[items[i]])/spread)
			}
		}
		for u := -1; u < planted.Users; u++ {
			compare(u)
		}
		// A few short epochs on a few hundred ratings: rounding stays far below this.
		if !(worst <= 1e-6) {
			t.Errorf("renumbered, scores differ by %.2g of their spread", worst)
		}
	})
}

func numberOf(as []int, u int) int {
	if u < 0 {
		return u
	}
	return as[u]
}

func inverseOf(permutation []int) []int {
	out := make([]int, len(permutation))
	for k, p := range permutation {
		out[p] = k
	}
	return out
}

func TestContractRepeatable(t *testing.T) {
	set := planted.New(t, nil, nil).Split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		scores := func(run model.Run, settings map[string]float64) [][]float64 {
			return allScores(t, fitKind(t, k, set, run, settings), set)
		}
		first := scores(model.Run{Seed: 9, Jobs: 1}, briefSettings())
		jobs := []int{2, 5}
		if testing.Short() {
			jobs = jobs[1:]
		}
		for _, n := range jobs {
			if !sameBits(first, scores(model.Run{Seed: 9, Jobs: n}, briefSettings())) {
				t.Errorf("other scores with the same seed, 1 and %d jobs", n)
			}
		}
		if testing.Short() {
			return
		}
		if hasSetting(k, "hidden") && sameBits(first, scores(model.Run{Seed: 10}, briefSettings())) {
			t.Error("the same scores with another seed")
		}
		stopped := map[string]float64{"hidden": 2, "sweeps": 12, "burn": 4} // early, for there are no epochs
		if !sameBits(scores(model.Run{Seed: 9, Jobs: 1}, stopped), scores(model.Run{Seed: 9, Jobs: 5}, stopped)) {
			t.Error("stopped early: other scores with the same seed, 1 and 5 jobs")
		}
	})
}

func TestContractPersons(t *testing.T) {
	skipIfShort(t)
	p := planted.New(t, nil, nil)
	set := p.Split.Training.Set()
	forAll(t, func(t *testing.T, k kind) {
		m := fitKind(t, k, set, model.Run{Seed: 1}, goodSettings)
		general := scoresFor(t, m, planted.Items, model.Person{Index: -1})
		if cold := scoresFor(t, m, planted.Items, model.Person{Index: p.ColdUser}); !slices.Equal(cold, general) {
			t.Error("a user of the training set without ratings does not get the general order")
		}
		if r := planted.RankCorrelation(general, p.Quality); !k.Picks && !(r > 0.4) {
			t.Errorf("the general order has rank correlation %.2f with what everybody finds good", r)
		}
		// Folding somebody in who says the same as a user is nearly that user again; not
		// quite where early stopping left the user on the way.
		var sum, count float64
		for u := range set.Users().Len() {
			if row := set.Row(u); row.Len() > 2 {
				sum += planted.RankCorrelation(scoresFor(t, m, planted.Items, model.Person{Index: u, Known: row}), scoresFor(t, m, planted.Items, model.Person{Index: -1, Known: row}))
				count++
			}
		}
		t.Logf("rank correlation %.3f of users with themselves folded in", sum/count)
		if !(sum/count > 0.8) {
			t.Errorf("users have rank correlation %.3f with themselves folded in", sum/count)
		}
		// Known ratings decide for somebody without any in training, and never change the model.
		row := set.Row(0)
		told := scoresFor(t, m, planted.Items, model.Person{Index: p.ColdUser, Known: row})
		if !slices.Equal(told, scoresFor(t, m, planted.Items, model.Person{Index: -1, Known: row})) {
			t.Error("a user without training ratings is not folded in")
		}
		if !slices.Equal(general, scoresFor(t, m, planted.Items, model.Person{Index: -1})) {
			t.Error("folding in changed the model")
		}
		for _, odd := range []ratings.Row{
			set.Row(p.KnowsFewItems),
			{Items: []uint32{uint32(p.ColdItem)}, Values: []float32{5}},
			{Items: []uint32{0, uint32(p.ColdItem)}, Values: []float32{1, 5}},
			{Items: []uint32{0, 1, 2}, Values: []float32{3, 3, 3}},
			{Items: []uint32{0, 1, 2}, Values: []float32{-100, 0.5, 100}}, // not on the scale
		} {
			scoresFor(t, m, planted.Items, model.Person{Index: -1, Known: odd})
		}
		scoresFor(t, m, planted.Items, model.Person{Index: p.KnowsFewItems, Known: set.Row(p.KnowsFewItems)})
		m.Score(model.Person{Index: -1, Known: row}, nil, nil)
		// A score belongs to its item, wherever the item stands among others.
		few := make([]float64, 3)
		m.Score(model.Person{Index: 0, Known: row}, []uint32{7, 2, 7}, few)
		if whole := scoresFor(t, m, planted.Items, model.Person{Index: 0, Known: row}); few[0] != whole[7] || few[1] != whole[2] || few[2] != whole[7] {
			t.Error("a score depends on the other items asked for")
		}
	})
}
