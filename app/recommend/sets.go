package recommend

import (
	"errors"
	"fmt"

	"fubini/core/rng"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/model/interest"
	"fubini/use/odds"
	"fubini/use/rank"
)

// setDraws is the number of draws of a person's hidden units by which a set is chosen, and chanceDraws that by which its
// chance is estimated: the standard error, half over the root of it, is at most 0.008.
const (
	setDraws    = 400
	chanceDraws = 4000
)

// Set is a set of items chosen so that the probability of at least one success is large. By the aim of the recommender
// a success is an item that belongs in the best tier, one that the person would pick, or one that is both.
type Set struct {
	Rows    []Row     // items in the order of choice
	Chances []float64 // probability of the set up to each item
	Top     float64   // the same probability for the n items with the highest scores
}

// ErrSetNext is the error for a set by the aim next: what comes next has scores and no probabilities.
var ErrSetNext = errors.New("recommend: a set is chosen by probabilities, and what comes next has scores alone; ask for the aim interest")

// Together chooses a set of n items for a person. The model must be an Ordered Set Model, but for the aim interest.
func (r *Recommender) Together(person model.Person, n int, seed uint64) (*Set, error) {
	if r.Aim == modelstore.AimNext {
		return nil, ErrSetNext
	}
	wide := r.rest(person, nil)
	items := make([]int, len(wide))
	for k, i := range wide {
		items[k] = int(i)
	}
	c, err := r.successes(person, wide)
	if err != nil {
		return nil, err
	}
	chances, err := c.of(items, setDraws, rng.Stream(seed, "set"))
	if err != nil {
		return nil, err
	}
	picked, _ := chances.Choose(n)
	scores := make([]float64, len(items))
	if err := r.Saved.ScoreFor(r.Aim, person, wide, scores); err != nil {
		return nil, err
	}
	// The chance is estimated from draws that had no part in the choice: of the set first, then of the others.
	var asked, set, top []int
	for k, at := range picked {
		asked, set = append(asked, items[at]), append(set, k)
	}
	for k, at := range rank.Best(scores, n) {
		asked, top = append(asked, items[at]), append(top, len(picked)+k)
	}
	fresh, err := c.of(asked, chanceDraws, rng.Stream(seed, "set told")) // fixed: another name changes results
	if err != nil {
		return nil, err
	}
	out := &Set{Top: fresh.Of(top)}
	for k, at := range picked {
		row := Row{Rank: k + 1, Item: items[at], Score: scores[at]}
		if c.placer != nil {
			found := c.placer.Place(items[at])
			row.Odds = &found
		}
		out.Rows = append(out.Rows, row)
		out.Chances = append(out.Chances, fresh.Of(set[:k+1]))
	}
	if r.HasInterest() {
		return out, r.addInterest(person, out.Rows, &interest.Folded{})
	}
	return out, nil
}

// successes computes the chances of items for one person under an aim.
type successes struct {
	aim    modelstore.Aim
	placer *odds.Placer    // nil for a model of picks alone
	picks  map[int]float64 // probability of a pick of each item; nil for the aim taste
}

func (r *Recommender) successes(person model.Person, items []uint32) (c successes, err error) {
	c.aim = r.Aim
	if _, err = r.Saved.Catalogue(); err == nil {
		if v := r.Saved.Visible(); v != nil && !v.OneTieWeight() {
			return c, fmt.Errorf("recommend: a set of items needs one tie weight for all pairs: fit the votes with --ties common and without features of pairs for that")
		}
		c.placer, err = r.Saved.Placer(person)
	} else if r.Aim == modelstore.AimInterest {
		err = nil
	}
	if err != nil || r.Aim == modelstore.AimTaste {
		return c, err
	}
	scores := make([]float64, len(items))
	if err := r.Saved.ScoreFor(modelstore.AimInterest, person, items, scores); err != nil {
		return c, err
	}
	c.picks = make(map[int]float64, len(items))
	for k, i := range items {
		chance, calibrated := r.Saved.Interest.Probability(scores[k], person.Known.Len())
		if !calibrated {
			return c, fmt.Errorf("recommend: a set is chosen by the probability of picks, and the model has none; ask for the aim taste")
		}
		c.picks[int(i)] = chance
	}
	return c, nil
}

// of are the chances of some items, by draws of the person's hidden units for all aims but interest.
func (c successes) of(items []int, draws int, stream *rng.Rand) (*odds.Chances, error) {
	picks := make([]float64, len(items))
	for k, i := range items {
		picks[k] = c.picks[i]
	}
	if c.aim == modelstore.AimInterest {
		return odds.Independent(picks), nil
	}
	chances, err := c.placer.Chances(items, draws, stream)
	if err == nil && c.aim == modelstore.AimBalanced {
		chances.Times(picks)
	}
	return chances, err
}
