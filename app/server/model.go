package server

import (
	"cmp"
	"slices"

	"fubini"
	"fubini/app/recommend"
	"fubini/learn/modelstore"
	"fubini/model/latent"
	"fubini/use/odds"
)

// extremes is how many items show what a unit is about.
const extremes = 5

// defaultSupport is the least number of ratings of an item that is recommended, unless a request has another: the same
// as in the command.
const defaultSupport = recommend.DefaultSupport

type modelBody struct {
	ID          string       `json:"id"`
	Facts       modelFacts   `json:"facts"`
	Curves      modelCurves  `json:"curves"`
	Calibration *calibration `json:"calibration" doc:"How often what the odds said came true, on held-back placements; null where it was not measured"`
	Units       []unitBody   `json:"units"`
	Board       bool         `json:"board" doc:"The model is a fit to votes, with a leaderboard at /v1/board"`
}

type modelFacts struct {
	Model       string  `json:"model"`
	Seed        uint64  `json:"seed"`
	People      int     `json:"people" doc:"People whose ratings it was trained on; of a fit to votes the raters, and 0 where these are not named"`
	Votes       float64 `json:"votes" doc:"Of a fit to votes, how many there were, by their weights; else 0"`
	Items       int     `json:"items"`
	Placements  int     `json:"placements"`
	Hidden      int     `json:"hidden"`
	Units       string  `json:"units" enum:"binary,gaussian,none" doc:"Kind of the hidden units; none for a model that is no Ordered Set Model and has no odds"`
	Version     string  `json:"version" doc:"Of the program that trained it"`
	Fingerprint string  `json:"fingerprint" doc:"Of the ratings it was trained on"`
	Synthetic   bool    `json:"synthetic" doc:"The people were made up"`
	Title       string  `json:"title"`
	Interest    bool    `json:"interest" doc:"Whether it has the probability that a person would pick an item, and the aims balanced and interest"`
	Taste       bool    `json:"taste" doc:"Whether it has an order of places, and the aim taste; a model of picks alone does not"`

	Training *float64 `json:"training_s" doc:"How many seconds training took; null where it is not known"`
}

type modelCurves struct {
	Epoch         []int         `json:"epoch"`
	Distance      []float64     `json:"distance" doc:"Of imagined from observed lists; empty where it was not measured, as all curves"`
	LogLikelihood []float64     `json:"log_likelihood"`
	NDCG10        []float64     `json:"ndcg10" doc:"On held-back ratings"`
	ItemMean      *float64      `json:"item_mean_ndcg10" doc:"What ranking by the mean of an item reaches"`
	Accept        acceptedMoves `json:"accept"`
}

type acceptedMoves struct {
	Split []float64 `json:"split"`
	Merge []float64 `json:"merge"`
}

type calibration struct {
	_      struct{}   `nullable:"true"`
	Bins   []odds.Bin `json:"bins" doc:"Of equal size, by odds: their mean p, the share observed, its interval, and how many"`
	Even   []odds.Bin `json:"even" doc:"The same by tenths of the odds, those without any left out; empty where the file has them not"`
	ECE    float64    `json:"ece" doc:"Expected calibration error"`
	Events int        `json:"events"`
}

type unitBody struct {
	Unit  int        `json:"unit"`
	Share *float64   `json:"share" doc:"Of the people it learned from, those who have this taste; null where it is not known"`
	Up    []unitItem `json:"up" doc:"Items that it pulls up most"`
	Down  []unitItem `json:"down" doc:"Items that it pulls down most"`
}

type unitItem struct {
	Item string `json:"item"`
	Name string `json:"name"`
}

// aboutModel is what there is to say of a model.
func aboutModel(saved *fubini.Model, catalogue *latent.Catalogue, id string) modelBody {
	b := modelBody{ID: id, Board: saved.Board != nil, Units: []unitBody{}, Curves: curvesOf(saved.History), Facts: modelFacts{
		Model: saved.Name, Seed: saved.Seed, People: saved.Users, Items: len(saved.ItemIDs), Placements: saved.Ratings, Units: "none",
		Version: saved.Program, Fingerprint: saved.Data, Synthetic: saved.Synthetic, Title: saved.Title, Interest: saved.Interest != nil, Taste: saved.HasTaste(),
	}}
	if c := catalogue; c != nil {
		b.Units, b.Facts.Hidden, b.Facts.Units = unitsOf(saved, c.K, saved.UnitShares, func(i, k int) float64 { return c.W[i*c.K+k] }), c.K, c.Units.String()
	}
	if saved.Board != nil {
		b.Facts.Votes = saved.Board.Report.Weight
	}
	if x := saved.Mixture(); x != nil { // tastes of a fit to votes
		b.Units, b.Facts.Hidden, b.Facts.Units = unitsOf(saved, len(x.Units), x.Shares, func(i, k int) float64 { return x.Units[k].Worths[i] }), len(x.Units), latent.Binary.String()
	}
	if held := saved.Calibration; held != nil {
		b.Calibration = &calibration{Bins: append([]odds.Bin{}, held.Bins...), Even: append([]odds.Bin{}, held.Even...), ECE: held.ECE, Events: held.Events}
	}
	if saved.ItemMean != 0 {
		b.Curves.ItemMean = &saved.ItemMean
	}
	return b
}

// curvesOf are the columns of the history that hold anything.
func curvesOf(history []modelstore.Epoch) modelCurves {
	curves := modelCurves{Epoch: []int{}}
	for _, e := range history {
		curves.Epoch = append(curves.Epoch, e.Epoch)
	}
	column := func(value func(e modelstore.Epoch) float64) []float64 {
		values, any := make([]float64, len(history)), false
		for k, e := range history {
			values[k] = value(e)
			any = any || values[k] != 0
		}
		if !any {
			return []float64{}
		}
		return values
	}
	curves.Distance = column(func(e modelstore.Epoch) float64 { return e.Distance })
	curves.LogLikelihood = column(func(e modelstore.Epoch) float64 { return e.LogLikelihood })
	curves.NDCG10 = column(func(e modelstore.Epoch) float64 { return e.Validation })
	curves.Accept.Split = column(func(e modelstore.Epoch) float64 { return e.Split })
	curves.Accept.Merge = column(func(e modelstore.Epoch) float64 { return e.Merge })
	return curves
}

// unitsOf shows each of n units by the items that weigh most in it, of those with some support.
func unitsOf(saved *fubini.Model, n int, shares []float64, weight func(item, unit int) float64) []unitBody {
	supported := func(seen uint32) bool { return seen >= defaultSupport }
	all := !slices.ContainsFunc(saved.Seen, supported)
	var items []int
	for i, seen := range saved.Seen {
		if all || supported(seen) {
			items = append(items, i)
		}
	}
	units := make([]unitBody, n)
	for k := range units {
		units[k] = unitBody{Unit: k, Up: []unitItem{}, Down: []unitItem{}}
		if shares != nil {
			units[k].Share = &shares[k]
		}
		for side, to := range map[float64]*[]unitItem{1: &units[k].Up, -1: &units[k].Down} {
			for _, i := range mostOf(items, func(i int) float64 { return side * weight(i, k) }) {
				*to = append(*to, unitItem{saved.ItemIDs[i], saved.ItemNames[i]})
			}
		}
	}
	return units
}

// mostOf are the few items that weigh most, in order. It looks at each item once: there are many items and units.
func mostOf(items []int, weight func(item int) float64) []int {
	var best []int
	for _, i := range items {
		if len(best) == extremes && weight(i) <= weight(best[extremes-1]) {
			continue
		}
		best = append(best, i)
		slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
		best = best[:min(len(best), extremes)]
	}
	return best
}
