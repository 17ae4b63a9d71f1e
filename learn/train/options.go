package train

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"

	"fubini/core/partition"
	"fubini/infer/mcmc"
	"fubini/model/osm"
)

// ErrNotConverged comes with a Result when the average still moves at the end.
var ErrNotConverged = errors.New("train: not converged")

// Options of Fit. The zero value is a sound choice.
type Options struct {
	Epochs    int     // visits to every list; 0 means 200
	Batch     int     // lists per update of the parameters; 0 means all of them
	Sweeps    int     // sweeps of each chain per visit; 0 means 2
	Rate      float64 // first step as a share of a full Newton step; 0 means 0.5
	Precision float64 // of a normal prior around 0 on every parameter; 0 means none
	Kernel    Kernel  // how chains move; 0 means Reinsertion
	ExactTo   int     // lists of up to so many items use exact expectations in place of a chain
	Seed      uint64
	Jobs      int // goroutines; 0 means one for each core
	Observer  Observer
}

// Kernel names a way to move the chains.
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
	return nil, fmt.Errorf("train: no kernel %d", k)
}

// Observer is told of every epoch.
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
	o.Epochs = cmp.Or(o.Epochs, 200)
	o.Sweeps = cmp.Or(o.Sweeps, 2)
	o.Rate = cmp.Or(o.Rate, 0.5)
	o.Batch = cmp.Or(o.Batch, lists)
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	switch {
	case o.Epochs < 1, o.Sweeps < 1, o.Batch < 1, o.Jobs < 1:
		return o, fmt.Errorf("train: epochs %d, sweeps %d, batch %d and jobs %d must be positive", o.Epochs, o.Sweeps, o.Batch, o.Jobs)
	case o.Kernel < Reinsertion || o.Kernel > Mixed:
		return o, fmt.Errorf("train: no kernel %d", o.Kernel)
	case !(o.Rate > 0) || math.IsInf(o.Rate, 1):
		return o, fmt.Errorf("train: rate %g must be positive", o.Rate)
	case !(o.Precision >= 0) || math.IsInf(o.Precision, 1):
		return o, fmt.Errorf("train: prior precision %g must be 0 for none, or positive", o.Precision)
	}
	return o, nil
}
