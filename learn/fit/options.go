package fit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"

	"fubini/core/partition"
	"fubini/core/setting"
	"fubini/infer/mcmc"
	"fubini/model/osm"
)

// ErrNotConverged comes with a Result when the average still moves at the end.
var ErrNotConverged = errors.New("fit: not converged")

// Options of Fit. Start from Defaults and change what you mean to change. Zero means zero.
type Options struct {
	Epochs    int     // visits to every list
	Batch     int     // lists per update of the parameters; setting.Auto: all of them
	Sweeps    int     // sweeps of each chain per visit
	Rate      float64 // first step as a share of a full Newton step
	Precision float64 // of a normal prior around 0 on every parameter; 0 for none
	Kernel    Kernel  // how chains move
	ExactTo   int     // lists of up to this length use exact expectations in place of a chain
	Seed      uint64
	Jobs      int // goroutines; 0 means one for each core
	Observer  Observer
}

// Defaults are the options of a run that nobody tuned.
func Defaults() Options { return Options{Epochs: 200, Batch: setting.Auto, Sweeps: 2, Rate: 0.5} }

// Kernel names a Markov chain on orders.
type Kernel int

// The kernels of package mcmc. A SplitMerge sweep is one move for each item.
const (
	Reinsertion Kernel = iota
	SplitMerge
	PrintedSplitMerge // biased; for reproduction of the paper only
	Mixed
)

func (k Kernel) build(model osm.Model) (mcmc.Kernel[partition.Partition], error) {
	n, everything := model.N(), partition.Space{}
	switch k {
	case Reinsertion:
		return mcmc.NewReinsertion(model, everything)
	case Mixed:
		return mcmc.NewMixed(model, everything)
	case SplitMerge, PrintedSplitMerge:
		build := mcmc.NewSplitMerge
		if k == PrintedSplitMerge {
			build = mcmc.NewPrintedSplitMerge
		}
		moves, err := build(model, everything)
		if err != nil {
			return nil, err
		}
		return mcmc.Repeat[partition.Partition](moves, n), nil
	}
	return nil, fmt.Errorf("fit: no kernel %d", k)
}

// Observer is called after every epoch.
type Observer interface {
	Epoch(p Progress)
}

// Progress is the state of a run after an epoch.
type Progress struct {
	Epoch, Epochs int
	// Distance is the mean share of pairs whose relation differs between a chain
	// and its list, the paper's Dist(sample, observed); 0 when all lists use
	// exact expectations.
	Distance float64
	// Moves counts the chains' moves in this epoch.
	Moves mcmc.Tally
	// Theta is the current point, not the average. Copy it to keep it.
	Theta []float64
}

func (o Options) resolved(lists int) (Options, error) {
	if o.Batch == setting.Auto {
		o.Batch = lists
	}
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	switch {
	case o.Epochs < 1, o.Sweeps < 1, o.Batch < 1, o.Jobs < 1:
		return o, fmt.Errorf("fit: epochs %d, sweeps %d, batch %d and jobs %d must be positive", o.Epochs, o.Sweeps, o.Batch, o.Jobs)
	case o.Kernel < Reinsertion || o.Kernel > Mixed:
		return o, fmt.Errorf("fit: no kernel %d", o.Kernel)
	case !(o.Rate > 0) || math.IsInf(o.Rate, 1):
		return o, fmt.Errorf("fit: rate %g must be positive", o.Rate)
	case !(o.Precision >= 0) || math.IsInf(o.Precision, 1):
		return o, fmt.Errorf("fit: prior precision %g must be 0 for none, or positive", o.Precision)
	}
	return o, nil
}
