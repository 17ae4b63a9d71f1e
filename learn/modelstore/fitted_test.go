package modelstore_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/modelfile"
	"fubini/data/votes"
	"fubini/infer/exact"
	"fubini/learn/ballot"
	"fubini/learn/leaderboard/boardtest"
	"fubini/learn/likelihood"
	"fubini/learn/modelstore"
	"fubini/model/osm"
	"fubini/use/board"
)

// votesOf are votes of two to four items of five, in a space, with a covariate of places and one of votes, by three raters.
func votesOf(space ballot.Space, covariates bool) *votes.Set {
	r := rng.Stream(4, "votes")
	set := &votes.Set{Start: []int32{0}, Items: []string{"a", "b", "c", "d", "e"}, Names: []string{"A", "b", "C", "d", "e"}}
	if covariates {
		set.PlaceColumns, set.VoteColumns, set.Raters = []string{"length"}, []string{"hurry"}, []string{"x", "y", "z"}
	}
	all := make([]int, 5)
	for range 120 {
		rng.Permutation(r, all)
		n := 2 + r.IntN(3)
		if r.IntN(10) < 6 { // item a is the best
			slices.Sort(all[:n])
		}
		tied := false
		for k := range n {
			tier := int32(k)
			switch space {
			case ballot.AllOrders:
				tier = int32(r.IntN(2) * k)
				if k > 0 {
					tier = min(tier, slices.Max(set.Tier[len(set.Tier)-k:])+1)
				}
			case ballot.TwoTiers:
				if k > 1 {
					tier = int32(r.IntN(2))
				}
			}
			tied = tied || slices.Contains(set.Tier[len(set.Tier)-k:], tier)
			set.Item, set.Tier = append(set.Item, int32(all[k])), append(set.Tier, tier)
			if covariates {
				set.Place = append(set.Place, r.NormFloat64())
			}
		}
		set.Start, set.Weight = append(set.Start, int32(len(set.Item))), append(set.Weight, float64(1+r.IntN(3)))
		if tied {
			set.Counts.Ties += set.Weight[len(set.Weight)-1]
		}
		if covariates {
			set.Vote, set.Rater = append(set.Vote, r.NormFloat64()), append(set.Rater, int32(r.IntN(3)))
		}
	}
	return set
}

// fitted fits a form to votes and keeps it.
func fitted(t *testing.T, ties ballot.Ties, space ballot.Space, covariates bool) (*votes.Set, *likelihood.Fit, *modelstore.Saved) {
	t.Helper()
	set := votesOf(space, covariates)
	d := ballot.Design{Items: 5, Ties: ties, Space: space, Places: set.PlaceColumns, Votes: set.VoteColumns, Raters: len(set.Raters)}
	prior := ballot.Precision{Worth: 0.5, Tie: 1}
	if covariates {
		d.Item = ballot.Columns{Names: []string{"price"}, Values: []float64{1, 3, 2, 5, 4}}
		prior.Worth, prior.Spread = 5, 4
		if ties == ballot.DistanceTies { // goes with no reliabilities
			d.Raters = 0
		}
	}
	fit, b := boardtest.Fit(t, set, d, prior, 0.9, 7)
	return set, fit, modelstore.NewFitted(b, nil)
}

// reopened is a model written to a file and read again, and the bytes of the file.
func reopened(t *testing.T, s *modelstore.Saved) (*modelstore.Saved, []byte) {
	t.Helper()
	f, err := s.File()
	if err != nil {
		t.Fatal(err)
	}
	text, read := written(t, f)
	back, err := modelstore.Open(read)
	if err != nil {
		t.Fatal(err)
	}
	return back, text
}

// logLikelihood of votes under the potentials and the space of a file, by the exact normaliser of every list.
func logLikelihood(t *testing.T, v *osm.Visible, set *votes.Set) (total float64) {
	t.Helper()
	for k := range set.Len() {
		items, tiers := set.At(k)
		numbers, levels := make([]int, len(items)), make([]int, len(items))
		for place, i := range items {
			numbers[place], levels[place] = int(i), -int(tiers[place])
		}
		m, err := v.Model(numbers)
		if err != nil {
			t.Fatal(err)
		}
		x, err := partition.FromLevels(levels)
		if err != nil {
			t.Fatal(err)
		}
		space := v.Space.Of(len(items))
		if !space.Contains(x.Len()) {
			t.Fatalf("vote %d is outside the space", k)
		}
		table, err := exact.NewTable(m, space)
		if err != nil {
			t.Fatal(err)
		}
		total += set.Weight[k] * (m.LogWeight(x) - table.LogZ())
	}
	return total
}

// Every form of a fit comes back from its file: the probabilities of pairs and whole lists are those of the fit, the
// report is the same, and so are the bytes when it is written again.
func TestFitsAreKept(t *testing.T) {
	for k, ties := range ballot.TieNames {
		for _, space := range []ballot.Space{ballot.AllOrders, ballot.WithoutTies, ballot.TwoTiers} {
			for _, covariates := range []bool{false, true} {
				t.Run(fmt.Sprint(ties, space, covariates), func(t *testing.T) {
					set, fit, s := fitted(t, ballot.Ties(k), space, covariates)
					back, text := reopened(t, s)
					if again, more := reopened(t, back); !bytes.Equal(text, more) || again.Board == nil {
						t.Error("written again, the file is another")
					}
					if err := back.Board.Prepare(); err != nil {
						t.Fatal(err)
					}
					want, err := json.Marshal(s.Board.Report)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := json.Marshal(back.Board.Report); err != nil || string(got) != string(want) {
						t.Errorf("report %s, kept %s, %v", want, got, err)
					}
					v := back.Visible()
					for i := range 5 {
						for j := range 5 {
							if i == j {
								continue
							}
							got := back.Board.Pair(back.Board.Board, i, j)
							win, tie, loss := fit.Pair(i, j)
							if d := math.Abs(got.Fitted[0]-win) + math.Abs(got.Fitted[1]-tie) + math.Abs(got.Fitted[2]-loss); !(d <= 1e-12) {
								t.Errorf("%d against %d: %v, of the fit %g %g %g", i, j, got.Fitted, win, tie, loss)
							}
						}
					}
					if covariates {
						if n := len(back.Board.Report.Raters); n != fit.Raters || n > 0 && back.Board.Report.Raters[1].ID != "y" {
							t.Errorf("%d raters are kept", n)
						}
						return
					}
					if got := logLikelihood(t, v, set); !(math.Abs(got-fit.LogLikelihood) <= 1e-9*math.Abs(got)) {
						t.Errorf("the votes have the log likelihood %g, by the fit %g", got, fit.LogLikelihood)
					}
					// The broken twin: worths and one tie weight alone, or another space.
					plain := &osm.Visible{Worths: v.Worths, Nu: v.Nu}
					if ties == "common" && space == ballot.AllOrders {
						plain.Nu += 0.1
					}
					if got := logLikelihood(t, plain, set); math.Abs(got-fit.LogLikelihood) <= 1e-4 {
						t.Errorf("the test cannot tell the form from worths and one tie weight: %g, %g", got, fit.LogLikelihood)
					}
				})
			}
		}
	}
}

// samePairs holds the pairs of a kept board against those of the fit.
func samePairs(t *testing.T, fit *likelihood.Fit, before *board.Fitted, s *modelstore.Saved) {
	t.Helper()
	if err := s.Board.Prepare(); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		for j := range 5 {
			if i == j {
				continue
			}
			got, was := s.Board.Pair(s.Board.Board, i, j), before.Pair(before.Board, i, j)
			win, tie, loss := fit.Pair(i, j)
			if d := math.Abs(got.Fitted[0]-win) + math.Abs(got.Fitted[1]-tie) + math.Abs(got.Fitted[2]-loss); !(d <= 1e-12) {
				t.Errorf("%d against %d: %v, of the fit %g %g %g", i, j, got.Fitted, win, tie, loss)
			}
			if *got.Counted != *was.Counted || *got.Expected != *was.Expected || *got.P != *was.P {
				t.Errorf("%d against %d: %v, %v, kept %v, %v", i, j, *was.Counted, *was.Expected, *got.Counted, *got.Expected)
			}
		}
	}
}

// Features of pairs are kept: of ties and of orders, in the space of all weak orders and in that of two tiers.
func TestFitsWithFeaturesOfPairsAreKept(t *testing.T) {
	near := osm.Feature{Name: "near", Value: func(i, j int) float64 { return float64((i + j) % 3) }}
	lead := osm.Feature{Name: "lead", Value: func(i, j int) float64 { return float64((2*i + j) % 4) }}
	for _, space := range []ballot.Space{ballot.AllOrders, ballot.WithoutTies, ballot.TwoTiers} {
		set := votesOf(space, false)
		d := ballot.Design{Items: 5, Space: space, Pairs: osm.Features{Orders: []osm.Feature{lead}}}
		if space != ballot.WithoutTies {
			d.Pairs.Ties = []osm.Feature{near}
		}
		fit, b := boardtest.Fit(t, set, d, ballot.Precision{Worth: 0.5}, 0.9, 7)
		back, text := reopened(t, modelstore.NewFitted(b, nil))
		if _, more := reopened(t, back); !bytes.Equal(text, more) {
			t.Error("written again, the file is another")
		}
		samePairs(t, fit, b, back)
		v := back.Visible()
		if got := logLikelihood(t, v, set); !(math.Abs(got-fit.LogLikelihood) <= 1e-9*math.Abs(got)) {
			t.Errorf("%s: the votes have the log likelihood %g, by the fit %g", space, got, fit.LogLikelihood)
		}
		v.PairOrders = nil
		if got := logLikelihood(t, v, set); math.Abs(got-fit.LogLikelihood) <= 1e-4 {
			t.Errorf("%s: the test cannot tell that a feature is lost: %g", space, got)
		}
	}
}

// With weights of tier sizes the board is kept beside them.
func TestFitsWithTierSizesAreKept(t *testing.T) {
	set := votesOf(ballot.AllOrders, false)
	fit, b := boardtest.Fit(t, set, ballot.Design{Items: 5, Sizes: 4}, ballot.Precision{Worth: 0.5, Size: 1}, 0.9, 7)
	back, text := reopened(t, modelstore.NewFitted(b, fit.TierSizes()))
	if again, more := reopened(t, back); !bytes.Equal(text, more) || again.Board == nil {
		t.Fatal("written again, the file is another")
	}
	samePairs(t, fit, b, back)
	if every, _ := catalogueOf(t, back).Sizes.Rows(); every[2] == 0 {
		t.Error("the test cannot see a lost weight of pairs")
	}
	if _, _, err := modelstore.Extend(t.Context(), back, planted(t, 10, 5), modelstore.Request{Seed: 1}); err == nil {
		t.Error("a fit to votes takes ratings in")
	}
}

// A person's odds, and nothing else of the model of ratings, depend on the form: no ratings are taken into a fit.
func TestFitsAreNotExtended(t *testing.T) {
	_, _, s := fitted(t, ballot.CommonTies, ballot.AllOrders, false)
	_, _, err := modelstore.Extend(t.Context(), s, planted(t, 10, 5), modelstore.Request{Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "fit all votes together") {
		t.Error(err)
	}
}

// A file whose parts do not fit together, or hold what cannot be, is refused.
func TestBoardsOfAFileAreChecked(t *testing.T) {
	_, _, s := fitted(t, ballot.ItemTies, ballot.AllOrders, false)
	square := func(size int, diagonal float64) []float64 {
		m := make([]float64, size*size)
		for i := range size {
			m[i*size+i] = diagonal
		}
		return m
	}
	for name, c := range map[string]struct {
		spoil func(f *modelfile.File)
		says  string
	}{
		"space":             {func(f *modelfile.File) { f.Metadata["visible"] = `{"space":"five"}` }, "no sample space"},
		"unknown field":     {func(f *modelfile.File) { f.Metadata["visible"] = `{"space":"all","more":1}` }, "more"},
		"no space":          {func(f *modelfile.File) { delete(f.Metadata, "visible") }, "no sample space"},
		"deviations":        {func(f *modelfile.File) { modelfile.Set(f, "tie_deviations", make([]float64, 4)) }, "tie_deviations"},
		"huge deviation":    {func(f *modelfile.File) { modelfile.Set(f, "tie_deviations", []float64{1e300, 0, 0, 0, 0}) }, "must be between"},
		"distances":         {func(f *modelfile.File) { modelfile.Set(f, "tie_distance", make([]float64, 2)) }, "tie_distance"},
		"hidden units":      {func(f *modelfile.File) { spoilShape(f, `"hidden":0`, `"hidden":1`) }, "W"},
		"size":              {func(f *modelfile.File) { spoilShape(f, `"size":0`, `"size":2`) }, "weights by size"},
		"covariance":        {func(f *modelfile.File) { modelfile.Set(f, "board.covariance", square(4, 1), 4, 4) }, "board.covariance"},
		"flat covariance":   {func(f *modelfile.File) { modelfile.Set(f, "board.covariance", square(5, 1)) }, "board.covariance"},
		"quasi":             {func(f *modelfile.File) { modelfile.Set(f, "board.quasi", []float64{1, 1, 1, 1, -1}) }, "quasi-variance -1"},
		"few quasi":         {func(f *modelfile.File) { modelfile.Set(f, "board.quasi", []float64{1}) }, "board.quasi"},
		"counted":           {func(f *modelfile.File) { modelfile.Set(f, "board.counted", make([]float64, 10), 2, 5) }, "board.counted"},
		"counted outside":   {func(f *modelfile.File) { modelfile.Set(f, "board.counted", []float64{0, 5, 1, 1, 1, 1}, 1, 6) }, "items 0 and 5 of 5"},
		"counted backwards": {func(f *modelfile.File) { modelfile.Set(f, "board.counted", []float64{3, 2, 1, 1, 1, 1}, 1, 6) }, "items 3 and 2"},
		"counted halves":    {func(f *modelfile.File) { modelfile.Set(f, "board.counted", []float64{0.5, 2, 1, 1, 1, 1}, 1, 6) }, "items 0.5 and 2"},
		"counted below 0":   {func(f *modelfile.File) { modelfile.Set(f, "board.counted", []float64{0, 2, -1, 1, 1, 1}, 1, 6) }, "-1 votes"},
		"counted twice": {func(f *modelfile.File) {
			modelfile.Set(f, "board.counted", []float64{0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1}, 2, 6)
		}, "items 0 and 1"},
		"probability":      {func(f *modelfile.File) { modelfile.Set(f, "board.counted", []float64{0, 2, 1, 1, 1, 2}, 1, 6) }, "probability 2"},
		"expected":         {func(f *modelfile.File) { modelfile.Set(f, "board.expected", make([]float64, 6), 2, 3) }, "votes of 10 pairs, and expects those of 2"},
		"expected below 0": {func(f *modelfile.File) { modelfile.Set(f, "board.expected", slices.Repeat([]float64{-1}, 30), 10, 3) }, "-1 are expected"},
		"tie errors":       {func(f *modelfile.File) { modelfile.Set(f, "board.tie_errors", slices.Repeat([]float64{-1}, 5)) }, "standard error -1"},
		"pairs of ties":    {func(f *modelfile.File) { modelfile.Set(f, "tie_pairs", square(4, 1), 4, 4) }, "tie_pairs"},
		"one-sided ties":   {func(f *modelfile.File) { m := square(5, 0); m[1] = 1; modelfile.Set(f, "tie_pairs", m, 5, 5) }, "has the weights 1 and 0"},
		"report":           {func(f *modelfile.File) { f.SetStrings("board.report", []string{`{"items":7}`}) }, "report of the board"},
		"two reports":      {func(f *modelfile.File) { f.SetStrings("board.report", []string{`{}`, `{}`}) }, "board.report"},
		"unknown report":   {func(f *modelfile.File) { f.SetStrings("board.report", []string{`{"unheard":7}`}) }, "unheard"},
		"more":             {func(f *modelfile.File) { f.SetStrings("board.report", []string{`{}{}`}) }, "more follows"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := s.File()
			if err != nil {
				t.Fatal(err)
			}
			c.spoil(f)
			_, read := written(t, f)
			if _, err := modelstore.Open(read); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v; expected it to say %q", err, c.says)
			}
		})
	}
	// What only the board itself can find out.
	for _, spoil := range []func(b *board.Fitted){
		func(b *board.Fitted) { b.Report.Level = 1 },
		func(b *board.Fitted) { b.Report.Level = 0 },
		func(b *board.Fitted) { b.Covariance = square(5, -1) },
		func(b *board.Fitted) { b.Covariance = square(5, 0) },
	} {
		back, _ := reopened(t, s)
		spoil(back.Board)
		if back.Board.Prepare() == nil {
			t.Error("a board that cannot be is prepared")
		}
	}
}

// spoilShape changes the shape of the model in the metadata.
func spoilShape(f *modelfile.File, old, put string) {
	f.Metadata["latent"] = strings.Replace(f.Metadata["latent"], old, put, 1)
}
