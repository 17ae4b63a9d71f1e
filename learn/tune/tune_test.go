package tune_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/learn/tune"
)

// noisy has items of which few are rated often: shrinking their means matters.
func noisy(t testing.TB, seed uint64) *ratings.Set {
	t.Helper()
	r := rng.Stream(seed, "noisy")
	quality := make([]float64, 60)
	for i := range quality {
		quality[i] = 3 + 0.3*r.NormFloat64()
	}
	b := ratings.NewBuilder()
	for u := range 150 {
		for i := range quality {
			if r.Float64() < 0.15 {
				v := math.Round(quality[i] + 1.5*r.NormFloat64())
				if err := b.Add(fmt.Append(nil, u), fmt.Appendf(nil, "%02d", i), float32(min(5, max(1, v))), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Fixed settings are those of every trial, the defaults and the chosen one too, and others are searched.
func TestFixedSettingsAreNotSearched(t *testing.T) {
	found, err := tune.Search(context.Background(), ratings.Everything(noisy(t, 1)), "osm", tune.Options{Budget: 6, Seed: 1, Jobs: 1, Fixed: map[string]float64{"epochs": 3}})
	if err != nil {
		t.Fatal(err)
	}
	others := 0
	for _, trial := range found.Trials {
		if trial.Settings["epochs"] != 3 || trial.Number == 0 && len(trial.Settings) != 1 {
			t.Errorf("trial %d has %v", trial.Number, trial.Settings)
		}
		others += len(trial.Settings) - 1
	}
	if found.Best["epochs"] != 3 || others == 0 {
		t.Errorf("best %v, and %d other settings", found.Best, others)
	}
}

// The search spends its budget, is the same for any number of workers and when it
// is resumed, and its result is at least as good as the default on what it saw.
func TestSearch(t *testing.T) {
	training := ratings.Everything(noisy(t, 1))
	budget := 12
	if testing.Short() {
		budget = 4
	}
	var seen []tune.Fit
	first, err := tune.Search(context.Background(), training, "latent-osm", tune.Options{Budget: budget, Seed: 1, Jobs: 1, Observe: func(f tune.Fit, _ int) { seen = append(seen, f) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Fits) < budget-2 || len(first.Fits) > budget+2 || len(seen) != len(first.Fits) {
		t.Errorf("%d fits, %d told, for a budget of %d", len(first.Fits), len(seen), budget)
	}
	var defaults tune.Trial
	for _, trial := range first.Trials {
		if trial.Number == 0 {
			defaults = trial
		}
	}
	if best := first.Trials[0]; !(best.Value >= defaults.Value) || best.Folds < 2 || defaults.Folds != best.Folds {
		t.Errorf("best %+v, default %+v", best, defaults)
	}
	for _, o := range []tune.Options{{Budget: budget, Seed: 1, Jobs: 3}, {Budget: budget, Seed: 1, Done: seen[:len(seen)/2]}} {
		again, err := tune.Search(context.Background(), training, "latent-osm", o)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(again.Best, first.Best) || !reflect.DeepEqual(again.Trials, first.Trials) {
			t.Errorf("another run with %+v found %+v", o.Jobs, again.Best)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	_, err = tune.Search(ctx, training, "osm", tune.Options{Budget: budget, Observe: func(tune.Fit, int) { stop() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// Where ratings are noise no settings are better than others. The best of a few
// looks so often enough; the defaults must stay then, unless it is ahead by more
// than two standard errors of its gain.
func TestLuckIsNotChosen(t *testing.T) {
	lucky, kept := 0, 0
	for seed := range uint64(8) {
		r := rng.Stream(seed, "luck")
		b := ratings.NewBuilder()
		for u := range 60 {
			for i := range 8 {
				if err := b.Add(fmt.Append(nil, u), fmt.Append(nil, (u+5*i)%40), float32(1+r.IntN(5)), ratings.NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		s, _, err := b.Build(ratings.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		found, err := tune.Search(context.Background(), ratings.Everything(s), "pmf", tune.Options{Budget: 8, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		chosen := found.Trials[0]
		if chosen.Number != 0 && !(chosen.Gain > 2*chosen.StdErr && chosen.StdErr > 0) {
			t.Errorf("seed %d: chose trial %d, ahead by %g, error %g", seed, chosen.Number, chosen.Gain, chosen.StdErr)
		}
		for _, trial := range found.Trials {
			if trial.Folds == chosen.Folds && trial.Value > chosen.Value { // which a search by value alone would take
				lucky++
				if chosen.Number == 0 {
					kept++
				}
				break
			}
		}
	}
	if kept == 0 || kept < lucky {
		t.Errorf("of 8 searches on noise %d had a luckier trial than the chosen one, and %d of these kept the defaults", lucky, kept)
	}
}

func TestMistakes(t *testing.T) {
	training := ratings.Everything(noisy(t, 1))
	if _, err := tune.Search(context.Background(), training, "svd", tune.Options{Budget: 2}); err == nil {
		t.Error("an unknown model was tuned")
	}
	if _, err := tune.Search(context.Background(), training, "osm", tune.Options{}); err == nil {
		t.Error("no fits were enough")
	}
	if _, err := tune.Search(context.Background(), training, "osm", tune.Options{Budget: -1}); err == nil {
		t.Error("a negative budget was spent")
	}
	empty, _, err := ratings.NewBuilder().Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tune.Search(context.Background(), ratings.Everything(empty), "osm", tune.Options{Budget: 2}); err == nil {
		t.Error("nothing was tuned on")
	}
}

// No test rating can reach the search. Exported functions of the package take
// training ratings and no type that leads to others; and whatever is held out of a
// split, the search finds the same.
func TestNothingIsTunedOnTestRatings(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	takes := 0
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), entry.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		inspect := func(where string, fields *ast.FieldList) {
			if fields == nil {
				return
			}
			ast.Inspect(fields, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == "ratings" {
						if s.Sel.Name == "Training" {
							takes++
						} else {
							t.Errorf("%s takes ratings.%s", where, s.Sel.Name)
						}
					}
				}
				return true
			})
		}
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() {
					inspect(d.Name.Name, d.Type.Params)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.IsExported() {
						if st, ok := ts.Type.(*ast.StructType); ok {
							inspect(ts.Name.Name, st.Fields)
						}
					}
				}
			}
		}
	}
	if takes == 0 {
		t.Error("the search takes no training ratings: this test looks at the wrong thing")
	}

	set := noisy(t, 2)
	split, err := set.Given(4, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := tune.Search(context.Background(), split.Training, "item-mean", tune.Options{Budget: 6})
	if err != nil {
		t.Fatal(err)
	}
	// The same training ratings alone, their test ratings gone for good.
	b := ratings.NewBuilder()
	known := split.Training.Set()
	for u := range known.Users().Len() {
		row := known.Row(u)
		for k, i := range row.Items {
			if err := b.Add([]byte(known.Users().ID(uint32(u))), []byte(known.Items().ID(i)), row.Values[k], ratings.NoTime); err != nil {
				t.Fatal(err)
			}
		}
	}
	alone, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tune.Search(context.Background(), ratings.Everything(alone), "item-mean", tune.Options{Budget: 6})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Trials, want.Trials) {
		t.Errorf("with test ratings around: %+v, without: %+v", want.Trials, got.Trials)
	}
}
