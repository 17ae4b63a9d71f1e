// Package baseline lists the models that the Ordered Set Model is compared with. Each family of models has a package of
// its own below this one; docs/baselines.md describes them.
package baseline

import (
	"fubini/model"
	"fubini/model/baseline/bayes"
	"fubini/model/baseline/cofirank"
	"fubini/model/baseline/counting"
	"fubini/model/baseline/factor"
	"fubini/model/baseline/picks"
	"fubini/model/baseline/plackettluce"
	"fubini/model/baseline/plpa"
)

// Entry is a baseline with its name.
type Entry struct {
	Name  string
	New   func() model.Recipe // returns the baseline with its default settings
	Picks bool                // it scores what people would pick, not how they would rate it
}

// Names lists the names of the baselines, in the order in which tables show them.
func Names() (names []string) {
	for _, each := range All() {
		names = append(names, each.Name)
	}
	return names
}

// All lists the baselines, in the order in which tables show them.
func All() []Entry {
	return []Entry{
		{Name: "item-mean", New: func() model.Recipe { return counting.NewItemMean() }},
		{Name: "pmf", New: func() model.Recipe { return factor.NewPMF() }},
		{Name: "biased-mf", New: func() model.Recipe { return factor.NewBiasedMF() }},
		{Name: "bayesian-mf", New: func() model.Recipe { return bayes.New() }},
		{Name: "listrank-mf", New: func() model.Recipe { return factor.NewListRankMF() }},
		{Name: "plpa", New: func() model.Recipe { return plpa.New() }},
		{Name: "plackett-luce-mf", New: func() model.Recipe { return plackettluce.NewMF() }},
		{Name: "cofirank-regress", New: func() model.Recipe { return cofirank.New(cofirank.Squared) }},
		{Name: "cofirank-ordinal", New: func() model.Recipe { return cofirank.New(cofirank.Ordinal) }},
		{Name: "cofirank-ndcg", New: func() model.Recipe { return cofirank.New(cofirank.NDCG) }},
		{Name: "pmop", New: func() model.Recipe { return plackettluce.NewPMOP() }},
		{Name: "davidson-luce", New: func() model.Recipe { return plackettluce.NewDavidsonLuce() }},
		{Name: "popularity", New: func() model.Recipe { return picks.NewPopularity() }, Picks: true},
		{Name: "item-knn", New: func() model.Recipe { return picks.NewItemKNN() }, Picks: true},
		{Name: "recent-knn", New: func() model.Recipe { return picks.NewRecentKNN() }, Picks: true},
		{Name: "ease", New: func() model.Recipe { return picks.NewEASE() }, Picks: true},
		{Name: "ials", New: func() model.Recipe { return picks.NewIALS() }, Picks: true},
		{Name: "bpr-mf", New: func() model.Recipe { return picks.NewBPR() }, Picks: true},
	}
}
