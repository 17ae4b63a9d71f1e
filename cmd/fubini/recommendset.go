package main

import (
	"fubini/app/recommend"
	"fubini/core/rng"
	"fubini/use/rank"
)

// setDraws is how often a person's hidden units are drawn for a set: the standard
// error of a chance, half over the root of it, is then at most 0.025.
const setDraws = 400

// chosen are the records of a set of items that please together, in the order in
// which they were picked.
func (p *program) chosen(r *recommend.Recommender, said recommend.Told, size int) ([][]field, error) {
	if r.Catalogue == nil {
		_, err := r.Saved.Catalogue()
		return nil, err
	}
	person, err := r.Read(said)
	if err != nil {
		return nil, err
	}
	items := r.Rest(said.List, nil)
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
		records[n] = append(fields(r, recommend.Row{Rank: n + 1, Item: items[k], Score: scores[k], Odds: &odds}),
			field{"gain", gains[n]}, field{"chance", chances.Of(picked[:n+1])})
	}
	p.tell("the chance that one of the set belongs in the best tier is %.3f; of as many with the highest scores it is %.3f",
		chances.Of(picked), chances.Of(rank.Best(scores, size)))
	return records, nil
}
