// Package features trains the latent model in the general form of the paper: hidden units on any log-linear features of pairs,
// with weights lambda_ak and mu_bk.
package features

import (
	"context"
	"fmt"
	"math"

	"fubini/core/parallel"
	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Weights are the parameters of the latent model in its general form: of the base by every feature of the family, and of each hidden unit,
// the paper's lambda_ak and mu_bk, with its bias.
type Weights struct {
	Base  []float64
	Units [][]float64
	Bias  []float64
}

// Model is the model of a list of these items.
func (w *Weights) Model(family osm.Family, items []int, kind latent.Units) (*latent.Features, error) {
	return latent.NewFeatures(family, items, kind, w.Base, w.Units, w.Bias)
}

// Options of [Fit]. Start from [Defaults]: a zero is taken as zero.
type Options struct {
	Epochs    int        // passes over all lists
	Sweeps    int        // sweeps of a chain between two steps
	Rate      float64    // length of the first steps
	Precision float64    // of a normal prior with mean 0 on every weight; 0 for none
	Moves     mcmc.Moves // of the chains
	ExactTo   int        // lists of at most this length have exact expectations in place of a chain
	Seed      uint64
	Jobs      int // goroutines; 0 means one for each core
}

// Defaults returns options without a prior, for chains.
func Defaults() Options { return Options{Epochs: 200, Sweeps: 2, Rate: 0.1} }

func (o Options) check() error {
	switch {
	case o.Epochs < 1 || o.Sweeps < 1 || o.Jobs < 0:
		return fmt.Errorf("features: epochs %d and sweeps %d must be positive, jobs %d not negative", o.Epochs, o.Sweeps, o.Jobs)
	case !(o.Rate > 0) || math.IsInf(o.Rate, 1) || !(o.Precision >= 0) || math.IsInf(o.Precision, 1):
		return fmt.Errorf("features: rate %g must be positive, precision %g 0 for none or positive", o.Rate, o.Precision)
	}
	return nil
}

// newWeights returns weights that are views of one slice.
func newWeights(dim, units int) (*Weights, []float64) {
	all := make([]float64, dim+units*(dim+1))
	w := &Weights{Base: all[:dim], Bias: all[dim+units*dim:]}
	for k := range units {
		w.Units = append(w.Units, all[dim+k*dim:dim+(k+1)*dim])
	}
	return w, all
}

// Fit trains hidden units on any family of features, by the gradient of the likelihood of docs/maths.md#latent: statistics times
// units, observed minus expected. Lists of at most o.ExactTo items have exact expectations (and at most
// [exact.MaxListed]), each longer one a chain that alternates between units and tier list. Steps are Adam's, of length o.Rate
// and in the second half of the epochs less and less; the result is the mean over the second half of the epochs. The batch is all lists.
func Fit(ctx context.Context, family osm.Family, lists []osm.List, kind latent.Units, units int, o Options) (*Weights, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(lists) == 0 || units < 0 {
		return nil, fmt.Errorf("features: %d lists and %d units; at least one list is needed, and units cannot be fewer than none", len(lists), units)
	}
	if err := osm.Validate(family, lists); err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	weights, theta := newWeights(family.Dim(), units)
	start := rng.Stream(o.Seed, "units")
	for k := family.Dim(); k < len(theta)-units; k++ {
		theta[k] = 0.1 * start.NormFloat64() // units that are all alike would stay so
	}
	members, lead := make([]*member, len(lists)), map[string]*member{} // exact lists by their items
	for l, list := range lists {
		var err error
		if members[l], err = newMember(family, list, kind, weights, o, uint64(l)); err != nil {
			return nil, fmt.Errorf("features: list %d: %w", l, err)
		}
		if members[l].chain == nil { // expectations are computed once for all lists of the same items
			key := fmt.Sprint(list.Items)
			if lead[key] == nil {
				lead[key] = members[l]
			}
			lead[key].lists++
		}
	}
	first, second, mean := make([]float64, len(theta)), make([]float64, len(theta)), make([]float64, len(theta))
	var count float64
	for epoch := range o.Epochs {
		err := parallel.Each(ctx, len(members), o.Jobs, func(_, l int) error {
			return members[l].visit(weights, o.Sweeps, rng.Stream(o.Seed, "visit", uint64(l), uint64(epoch)))
		})
		if err != nil {
			return nil, err
		}
		gradient := make([]float64, len(theta))
		for _, m := range members {
			for k, v := range m.gradient {
				gradient[k] += v
			}
		}
		rate := o.Rate * math.Min(1, 2-2*float64(epoch)/float64(o.Epochs))
		for k, g := range gradient {
			g = (g - o.Precision*theta[k]) / float64(len(lists))
			const keep, keepSquare = 0.9, 0.999 // Kingma and Ba's
			first[k] = keep*first[k] + (1-keep)*g
			second[k] = keepSquare*second[k] + (1-keepSquare)*g*g
			m := first[k] / (1 - math.Pow(keep, float64(epoch+1)))
			v := second[k] / (1 - math.Pow(keepSquare, float64(epoch+1)))
			theta[k] += rate * m / (math.Sqrt(v) + 1e-8)
		}
		if 2*(epoch+1) > o.Epochs {
			count++
			for k, v := range theta {
				mean[k] += (v - mean[k]) / count
			}
		}
	}
	copy(theta, mean)
	return weights, nil
}

// member is a list, its model, and its chain if it has one.
type member struct {
	list       osm.List
	model      *latent.Features
	index      []int
	chain      *latent.FeatureChain // nil: exact
	lists      float64              // for which this one computes exact expectations
	state      latent.State
	gradient   []float64 // by all weights
	phi, means []float64
}

func newMember(family osm.Family, list osm.List, kind latent.Units, w *Weights, o Options, number uint64) (*member, error) {
	bound, err := family.Bind(list.Items)
	if err != nil {
		return nil, err
	}
	m := &member{list: list, index: bound.Index(), gradient: make([]float64, len(w.Base)*(len(w.Units)+1)+len(w.Units)), means: make([]float64, len(w.Units))}
	m.phi = make([]float64, len(m.index))
	if m.model, err = w.Model(family, list.Items, kind); err != nil || len(list.Items) <= min(o.ExactTo, exact.MaxListed) {
		return m, err
	}
	m.state = latent.State{X: partition.OneBlock(len(list.Items)), H: make([]float64, len(w.Units))}
	partition.NewUniform(len(list.Items)).Draw(rng.Stream(o.Seed, "start", number), m.state.X)
	m.chain, err = latent.NewFeatureChain(m.model, o.Moves)
	return m, err
}

// visit computes the gradient: of the list, less the expectation or that of the chain after some sweeps.
func (m *member) visit(w *Weights, sweeps int, r *rng.Rand) error {
	if err := m.model.Set(w.Base, w.Units, w.Bias); err != nil {
		return err
	}
	clear(m.gradient)
	m.add(m.list.Order, 1)
	if m.chain != nil {
		for range sweeps {
			m.chain.Step(r, &m.state, nil)
		}
		m.add(m.state.X, -1)
		return nil
	}
	if m.lists == 0 {
		return nil
	}
	listing, err := exact.List(m.model, partition.Space{})
	if err != nil {
		return err
	}
	for x, p := range listing.All() {
		m.add(x, -m.lists*p)
	}
	return nil
}

// add adds the statistics of x, times the means of the units.
func (m *member) add(x *partition.Partition, weight float64) {
	m.model.Statistics(x, m.phi, m.means)
	units := len(m.means)
	dim := (len(m.gradient) - units) / (units + 1)
	for a, at := range m.index {
		v := weight * m.phi[a]
		m.gradient[at] += v
		for k, mean := range m.means {
			m.gradient[(k+1)*dim+at] += mean * v
		}
	}
	for k, mean := range m.means {
		m.gradient[(units+1)*dim+k] += weight * mean
	}
}
