package rival

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"fubini/core/knob"
	"fubini/data/modelfile"
	"fubini/data/ratings"
)

// CoFiLoss is what a [CoFiRank] minimises over a user's ratings.
type CoFiLoss int

// The losses of the paper.
const (
	CoFiSquared CoFiLoss = iota // of predicted ratings
	CoFiOrdinal                 // of pairs within a margin
	CoFiNDCG                    // of the NDCG at the top, bounded from above
)

func (l CoFiLoss) String() string {
	return [...]string{"cofirank-regress", "cofirank-ordinal", "cofirank-ndcg"}[l]
}

// Pairs says how much a pair of different ratings counts in an ordinal loss.
type Pairs int

// Pairs count as the ratings differ, or all the same.
const (
	PairsByGap Pairs = iota
	PairsEven
)

// CoFiRank is maximum margin matrix factorisation for ranking (Weimer,
// Karatzoglou, Le and Smola 2007), with offsets and adaptive regularisation
// (Weimer, Karatzoglou and Smola 2008). Scores are f_ui = b_i + U_u·M_i, and
//
//	Σ_u loss(f_u, y_u) + ½ λ Σ_u |U_u|² + ½ λ Σ_i (n_i/n̄)^adapt |M_i|² + ½ offset Σ_i b_i²
//
// is minimised in turn over M and b, jointly, and over the U_u, one by one. Both
// are convex problems, solved by a bundle method; those of the squared loss are
// ridge regressions, solved exactly.
type CoFiRank struct {
	Loss CoFiLoss

	Hidden int     // factors; 0 means 20, or as many as there are users or items
	Epochs int     // rounds; 0 means early stopping
	Lambda float64 // prior on factors, as a share of the level of chance; the default depends on the loss
	Offset float64 // prior on offsets of items; the default depends on the loss
	Adapt  float64 // exponent of the number of ratings in the prior; negative means 0
	Pairs  Pairs   // ordinal loss only
	Top    int     // NDCG loss only; 0 means 10
	Decay  float64 // NDCG loss only: places have weights place^-decay; 0 means 0.25
}

// cofiDefaults are by loss, chosen by the order of held-back training ratings on
// MovieLens 1M (10, 20 and 50 a user) and 100K, on splits of other seeds.
var cofiDefaults = [...]CoFiRank{
	CoFiSquared: {Lambda: 0.7, Offset: 3, Adapt: 0.5},
	CoFiOrdinal: {Lambda: 0.7, Offset: 0.15, Adapt: 0.5},
	CoFiNDCG:    {Lambda: 0.85, Offset: 6, Adapt: 0.5},
}

// Knobs implements [Recipe].
func (m *CoFiRank) Knobs() []knob.Knob {
	d := cofiDefaults[m.Loss]
	knobs := []knob.Knob{
		knob.Int(&m.Hidden, knob.Knob{Name: "hidden", Means: "factors of a user and an item", Default: 20, Low: 2, High: 50, Log: true}),
		knob.Int(&m.Epochs, knob.Knob{Name: "epochs", Means: "rounds over items and users, 0 for early stopping"}),
		knob.Float(&m.Lambda, knob.Knob{Name: "lambda", Means: "prior on factors, as a share of the level of chance", Default: d.Lambda, Low: 0.3, High: 1.5, Log: true}),
		knob.Float(&m.Offset, knob.Knob{Name: "offset", Means: "prior on offsets of items", Default: d.Offset, Low: d.Offset / 10, High: d.Offset * 10, Log: true}),
		knob.Float(&m.Adapt, knob.Knob{Name: "adapt", Means: "exponent of the number of ratings in the prior", Default: d.Adapt, Low: 0.01, High: 1}),
	}
	switch m.Loss {
	case CoFiOrdinal:
		knobs = append(knobs, knob.Choice(&m.Pairs, knob.Knob{Name: "pairs", Means: "how much a pair counts"}, "gap", "even"))
	case CoFiNDCG:
		knobs = append(knobs,
			knob.Int(&m.Top, knob.Knob{Name: "top", Means: "places that count", Default: 10}),
			knob.Float(&m.Decay, knob.Knob{Name: "decay", Means: "exponent with which weights of places fall", Default: 0.25, Low: 0.1, High: 1, Log: true}))
	}
	return knobs
}

// resolved fills in defaults and checks.
func (m *CoFiRank) resolved() (CoFiRank, error) {
	r, d := *m, cofiDefaults[m.Loss]
	r.Lambda, r.Offset = cmp.Or(r.Lambda, d.Lambda), cmp.Or(r.Offset, d.Offset)
	r.Adapt = max(0, cmp.Or(r.Adapt, d.Adapt))
	r.Top, r.Decay = cmp.Or(r.Top, 10), cmp.Or(r.Decay, 0.25)
	for _, each := range []struct {
		name  string
		value float64
	}{{"lambda", r.Lambda}, {"offset", r.Offset}, {"top", float64(r.Top)}, {"decay", r.Decay}} {
		if !(each.value > 0) || math.IsInf(each.value, 1) {
			return r, fmt.Errorf("rival: %v: %s %g must be positive", r.Loss, each.name, each.value)
		}
	}
	if r.Hidden < 0 {
		return r, fmt.Errorf("rival: %v: hidden %d must be positive", r.Loss, r.Hidden)
	}
	if !(r.Adapt <= 2) {
		return r, fmt.Errorf("rival: %v: adapt %g must be at most 2", r.Loss, r.Adapt)
	}
	return r, nil
}

// Fit implements [Recipe].
func (m *CoFiRank) Fit(ctx context.Context, set *ratings.Set, run Run) (Model, error) {
	r, err := m.resolved()
	if err != nil {
		return nil, err
	}
	plan := schedule{Epochs: r.Epochs, Most: 30, Patience: 6, Remedy: "bring lambda and offset nearer to their defaults"}
	return orError(learn(ctx, r.Loss.String(), set, run, plan, func(set *ratings.Set) (*cofiLearner, error) {
		return newCoFiLearner(r, set, run)
	}))
}

// Load implements [Recipe].
func (m *CoFiRank) Load(f *modelfile.File, items int) (Model, error) {
	return orError(loadCoFi(m.Loss, f, items))
}
