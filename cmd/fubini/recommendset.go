package main

import (
	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/core/rng"
	"fubini/use/rank"
)

// setDraws is how often a person's hidden units are drawn to choose a set, and
// toldDraws how often to tell its chance: the standard error of that, half over the
// root of it, is at most 0.008.
const (
	setDraws  = 400
	toldDraws = 4000
)

// chosen are the records of a set of items that please together, in the order in
// which they were picked.
func (p *program) chosen(r *recommend.Recommender, said recommend.Told, size int) ([][]cli.Field, error) {
	if r.Catalogue == nil {
		_, err := r.Saved.Catalogue()
		return nil, err
	}
	person, err := r.Read(said)
	if err != nil {
		return nil, err
	}
	items := r.Rest(said.List, nil)
	chances, err := person.Chances(items, setDraws, rng.Stream(p.Seed, "set"))
	if err != nil {
		return nil, err
	}
	picked, _ := chances.Choose(size)
	scores := make([]float64, len(items))
	person.Score(items, scores)
	// Told by draws that had no part in the choice: the set first, then the others.
	var asked, set, top []int
	for n, k := range picked {
		asked, set = append(asked, items[k]), append(set, n)
	}
	for n, k := range rank.Best(scores, size) {
		asked, top = append(asked, items[k]), append(top, len(picked)+n)
	}
	fresh, err := person.Chances(asked, toldDraws, rng.Stream(p.Seed, "set told"))
	if err != nil {
		return nil, err
	}
	records := make([][]cli.Field, len(picked))
	before := 0.0
	for n, k := range picked {
		odds, chance := person.Place(items[k]), fresh.Of(set[:n+1])
		records[n] = append(fields(r, recommend.Row{Rank: n + 1, Item: items[k], Score: scores[k], Odds: &odds}),
			cli.Field{"gain", chance - before}, cli.Field{"chance", chance})
		before = chance
	}
	p.Tell("the chance that one of the set belongs in the best tier is %.3f; of as many with the highest scores it is %.3f", fresh.Of(set), fresh.Of(top))
	return records, nil
}
