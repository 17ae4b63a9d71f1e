package recommend

import (
	"fmt"

	"fubini/core/rng"
	"fubini/model"
	"fubini/use/rank"
)

// setDraws is the number of draws of a person's hidden units by which a set is chosen, and chanceDraws that by which its
// chance is estimated: the standard error, half over the root of it, is at most 0.008.
const (
	setDraws    = 400
	chanceDraws = 4000
)

// Set is a set of items chosen so that the probability of at least one belonging in the best tier is large.
type Set struct {
	Rows    []Row     // items in the order of choice
	Chances []float64 // probability of the set up to each item
	Top     float64   // the same probability for the n items with the highest scores
}

// Together chooses a set of n items for a person. The model must be an Ordered Set Model.
func (r *Recommender) Together(person model.Person, n int, seed uint64) (*Set, error) {
	if _, err := r.Saved.Catalogue(); err != nil {
		return nil, err
	}
	if v := r.Saved.Visible(); v != nil && !v.OneTieWeight() {
		return nil, fmt.Errorf("recommend: a set of items needs one tie weight for all pairs: fit the votes with --ties common and without features of pairs for that")
	}
	placer, err := r.Placer(person)
	if err != nil {
		return nil, err
	}
	var items []int
	for _, i := range r.rest(person, nil) {
		items = append(items, int(i))
	}
	chances, err := placer.Chances(items, setDraws, rng.Stream(seed, "set"))
	if err != nil {
		return nil, err
	}
	picked, _ := chances.Choose(n)
	scores := make([]float64, len(items))
	placer.Score(items, scores)
	// The chance is estimated from draws that had no part in the choice: of the set first, then of the others.
	var asked, set, top []int
	for k, at := range picked {
		asked, set = append(asked, items[at]), append(set, k)
	}
	for k, at := range rank.Best(scores, n) {
		asked, top = append(asked, items[at]), append(top, len(picked)+k)
	}
	fresh, err := placer.Chances(asked, chanceDraws, rng.Stream(seed, "set told")) // fixed: another name changes results
	if err != nil {
		return nil, err
	}
	out := &Set{Top: fresh.Of(top)}
	for k, at := range picked {
		found := placer.Place(items[at])
		out.Rows = append(out.Rows, Row{Rank: k + 1, Item: items[at], Score: scores[at], Odds: &found})
		out.Chances = append(out.Chances, fresh.Of(set[:k+1]))
	}
	return out, nil
}
