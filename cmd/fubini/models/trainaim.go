package models

import (
	"fubini/cmd/fubini/cli"
	"fubini/data/kinds"
	"fubini/data/text"
	"fubini/learn/modelstore"
)

// tellInterest says what recommend orders by, of a model with interest.
func tellInterest(p *cli.Program, saved *modelstore.Saved, known *kinds.Kinds) {
	picks := saved.Interest
	if picks != nil && known != nil {
		p.Tell("interest is fitted with %s of the catalogue, and the years of %s", text.Count(known.Groups, "group", "groups"), text.Count(known.Dated(), "item", "items"))
	}
	switch {
	case picks == nil:
	case picks.Informative() && saved.HasTaste():
		p.Tell("interest, what people pick, is fitted beside taste; recommend orders by both unless --aim says otherwise")
	case picks.Informative():
	default:
		p.Tell("interest, what people pick, does not find hidden items of a list better than popularity does (difference in NDCG@20 %+.4f, standard error %.4f); so it is where lists are drawn at random or hold every item", picks.Lift.Mean, picks.Lift.StdErr)
		if saved.HasTaste() {
			p.Tell("recommend orders by taste alone unless --aim says otherwise")
		}
	}
}
