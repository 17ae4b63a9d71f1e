package fit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"

	"fubini/core/setting"
	"fubini/infer/mcmc"
)

// ErrNotConverged is returned with a Result whose mean gradient is too large for a maximum.
var ErrNotConverged = errors.New("fit: not converged")

// Options of [Fit]. Start from [Defaults]: a zero is taken as zero.
type Options struct {
	Epochs    int        // passes over all lists
	Batch     int        // lists per update of the parameters; setting.Auto: all lists
	Sweeps    int        // sweeps of a chain between two updates
	Rate      float64    // first step size, as a share of a Newton step
	Precision float64    // of a normal prior with mean 0 on every parameter; 0: no prior
	Moves     mcmc.Moves // of the chains
	ExactTo   int        // lists of at most this length have exact expectations in place of a chain
	Seed      uint64
	Jobs      int // goroutines; 0 means one for each core
	Observer  Observer
}

// Defaults returns untuned options: 200 epochs, one update an epoch, reinsertion chains, no prior.
func Defaults() Options { return Options{Epochs: 200, Batch: setting.Auto, Sweeps: 2, Rate: 0.5} }

// Observer is called after every epoch.
type Observer interface {
	Epoch(p Progress)
}

// Progress is the state of a run after an epoch.
type Progress struct {
	Epoch, Epochs int
	// Distance is the paper's Dist(sample, observed): the share of pairs that a chain
	// orders otherwise than its list, averaged over lists; 0 without chains.
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
	case o.Moves < 0 || int(o.Moves) >= len(mcmc.MoveNames):
		return o, fmt.Errorf("fit: no moves %d", o.Moves)
	case !(o.Rate > 0) || math.IsInf(o.Rate, 1):
		return o, fmt.Errorf("fit: rate %g must be positive", o.Rate)
	case !(o.Precision >= 0) || math.IsInf(o.Precision, 1):
		return o, fmt.Errorf("fit: prior precision %g must be 0 for none, or positive", o.Precision)
	}
	return o, nil
}
