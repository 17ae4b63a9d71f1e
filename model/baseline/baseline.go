// Package baseline lists the models that the Ordered Set Model is compared with. Each family of models has a package of
// its own below this one; docs/baselines.md describes them.
package baseline

import (
	"fubini/model"
	"fubini/model/baseline/bayes"
	"fubini/model/baseline/cofirank"
	"fubini/model/baseline/counting"
	"fubini/model/baseline/factor"
	"fubini/model/baseline/plackettluce"
	"fubini/model/baseline/plpa"
)

// Entry is a baseline with its name.
type Entry struct {
	Name string
	New  func() model.Recipe // returns the baseline with its default settings
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
		{"item-mean", func() model.Recipe { return counting.NewItemMean() }},
		{"pmf", func() model.Recipe { return factor.NewPMF() }},
		{"biased-mf", func() model.Recipe { return factor.NewBiasedMF() }},
		{"bayesian-mf", func() model.Recipe { return bayes.New() }},
		{"listrank-mf", func() model.Recipe { return factor.NewListRankMF() }},
		{"plpa", func() model.Recipe { return plpa.New() }},
		{"plackett-luce-mf", func() model.Recipe { return plackettluce.NewMF() }},
		{"cofirank-regress", func() model.Recipe { return cofirank.New(cofirank.Squared) }},
		{"cofirank-ordinal", func() model.Recipe { return cofirank.New(cofirank.Ordinal) }},
		{"cofirank-ndcg", func() model.Recipe { return cofirank.New(cofirank.NDCG) }},
		{"pmop", func() model.Recipe { return plackettluce.NewPMOP() }},
		{"davidson-luce", func() model.Recipe { return plackettluce.NewDavidsonLuce() }},
	}
}
