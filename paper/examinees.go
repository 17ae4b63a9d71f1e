package paper

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/osm"
	"fubini/paper/cells"
)

// likelihoodKey is one row of Table 1 for some of its users.
type likelihoodKey struct {
	cells.FitKey
	Length int      `json:"length"` // M
	Test   int      `json:"test"`   // ratings that a user must have beside those given
	First  int      `json:"first"`  // user, and how many
	Users  int      `json:"users"`
	How    annealed `json:"how"`
	Draws  int      `json:"draws,omitempty"` // of the units; 0 for the marginal
}

// likelihoods are those of the users.
type likelihoods struct {
	cells.Origin
	Values []float64 `json:"values"`
	Noise  []float64 `json:"noise"`
}

// pooledLikelihood is the mean over the users of some cells, and the mean squared error of their estimates.
func pooledLikelihood(runs []*likelihoods) (v Value, square float64) {
	var values []float64
	for _, run := range runs {
		values = append(values, run.Values...)
		for _, e := range run.Noise {
			square += e * e
		}
	}
	if len(values) == 0 {
		return Value{}, 0
	}
	v = meanOf(values)
	v.Noise = number(math.Sqrt(square) / float64(len(values)))
	v.each = values
	for k := range values { // cells follow one another
		v.users = append(v.users, k)
	}
	return v, square / float64(len(values))
}

// likelihoods runs one cell. Fewer users than asked for are all there are. Models that were fitted while the program
// runs are fitted once.
func (r *Reproduction) likelihoods(ctx context.Context, d cells.Data, key likelihoodKey, fitted map[string]model.Model) (*likelihoods, error) {
	split, err := r.split(d, key.Given, key.Seed)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprint(key.Model, key.Set)
	model := fitted[name]
	if model == nil {
		if model, err = r.plan.Runner.Fit(ctx, key.Model, key.Set, split.Training.Set(), key.Seed); err != nil {
			return nil, err
		}
		fitted[name] = model
	}
	people, err := examinees(split, key)
	if err != nil {
		return nil, err
	}
	out := &likelihoods{Values: make([]float64, len(people)), Noise: make([]float64, len(people))}
	jobs := r.plan.Runner.Jobs
	ours, latent := model.(registry.OrderedSet)
	if !latent {
		jobs = 1 // done in no time
	}
	err = parallel.Each(ctx, len(people), jobs, func(_, k int) error {
		e := people[k]
		seed := key.Seed + uint64(e.number)*1000
		var found estimate
		var err error
		switch {
		case !latent:
			found.logLik, err = others(model, e, key.How.Strict)
		case key.Draws > 0:
			found, err = key.How.predictive(ctx, ours.Parameters(), e, key.Draws, seed)
		default:
			found, err = key.How.marginal(ctx, ours.Parameters(), e, seed)
		}
		out.Values[k], out.Noise[k] = found.logLik, found.noise
		return err
	})
	return out, err
}

// examinees are the users of a cell: of those with enough held-out ratings, in
// random order, those of the key; of each the first M of their held-out
// ratings, in an order of chance, so that a longer list holds the shorter ones.
func examinees(split ratings.Split, key likelihoodKey) (list []*examinee, err error) {
	users := make([]int, split.Holdout.Set().Users().Len())
	rng.Permutation(rng.Stream(key.Seed, "likelihood users"), users)
	users = slices.DeleteFunc(users, func(u int) bool { return split.Holdout.Test(u).Len() < key.Test })
	for n := key.First; n < min(key.First+key.Users, len(users)); n++ {
		u := users[n]
		row, known := split.Holdout.Test(u), split.Holdout.Known(u)
		places := make([]int, row.Len())
		rng.Permutation(rng.Stream(key.Seed, "likelihood items", uint64(u)), places)
		places = places[:key.Length]
		e := &examinee{number: n, person: model.Person{Index: u, Known: known}}
		part := ratings.Row{}
		for _, at := range places {
			part.Items, part.Values = append(part.Items, row.Items[at]), append(part.Values, row.Values[at])
		}
		e.items = part.Items
		if e.list, err = osm.ListOf(part); err != nil {
			return nil, err
		}
		if e.known, err = osm.ListOf(known); err != nil {
			return nil, err
		}
		// Places are in an order of chance already: it breaks the ties.
		if e.strict, err = partition.FromScores(untied(part.Values)); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// untied gives values new scores: the same order, ties broken by place, the first
// above. Only the order counts, however close the values stand.
func untied(values []float32) []float64 {
	places := make([]int, len(values))
	for k := range places {
		places[k] = k
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	scores := make([]float64, len(values))
	for rank, k := range places {
		scores[k] = float64(-rank)
	}
	return scores
}
