package main

import (
	"fubini/core/rng"
	"fubini/use/rank"
)

// setDraws is how often a person's hidden units are drawn for a set: the standard
// error of a chance, half over the root of it, is then at most 0.025.
const setDraws = 400

// chosen are the records of a set of items that please together, in the order in
// which they were picked.
func (r *recommender) chosen(p *program, said told, size int) ([][]field, error) {
	if r.catalogue == nil {
		_, err := r.saved.Catalogue()
		return nil, err
	}
	person, err := r.read(said)
	if err != nil {
		return nil, err
	}
	items := r.rest(said.List, nil)
	chances, err := person.Chances(items, setDraws, rng.Stream(p.seed, "set"))
	if err != nil {
		return nil, err
	}
	picked, gains := chances.Choose(size)
	scores := make([]float64, len(items))
	person.Score(items, scores)
	records := make([][]field, len(picked))
	for n, k := range picked {
		odds := person.Place(items[k])
		records[n] = append(r.fields(recommendation{rank: n + 1, item: items[k], score: scores[k], odds: &odds}),
			field{"gain", gains[n]}, field{"chance", chances.Of(picked[:n+1])})
	}
	p.tell("the chance that one of the set belongs in the best tier is %.3f; of as many with the highest scores it is %.3f",
		chances.Of(picked), chances.Of(rank.Best(scores, size)))
	return records, nil
}
