package ais

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"

	"fubini/core/parallel"
	"fubini/core/logprob"
	"fubini/core/rng"
)

// Walk is the machinery of annealing runs: a state and the scratch space of one
// goroutine.
type Walk interface {
	// Start makes the state an exact draw at tau = 0.
	Start(d rng.Dice)
	// LogWeight is log P*(state | tau).
	LogWeight(tau float64) float64
	// Step moves the state and leaves P(. | tau) unchanged.
	Step(d rng.Dice, tau float64)
}

// Finish is a Walk whose state can also be made a draw at tau = 1, for Reverse.
type Finish interface {
	Walk
	Finish(d rng.Dice)
}

// Problem is a normaliser to be estimated.
type Problem struct {
	LogZ0 float64     // log Z(0)
	New   func() Walk // for each goroutine
}

// Options of a run. The zero value has the paper's smaller settings.
type Options struct {
	Steps int // temperatures after the first, S; 0 means 1000
	Runs  int // R; 0 means 100
	// Schedule returns tau of step s of S, rising from 0 at 0 to 1 at S; nil
	// means s/S.
	Schedule func(s, steps int) float64
	Seed     uint64
	Jobs     int // goroutines; 0 means one for each core
	// Observe, if not nil, is told how many runs are done, after each, by whichever goroutine
	// made it; one call at a time.
	Observe func(runs int)
}

// Estimate is what annealing found.
type Estimate struct {
	LogZ float64
	// StdErr is the standard error of LogZ from the spread of the weights: that
	// of their mean, divided by the mean. It trusts that no rare run would have
	// weighed more than those seen; see Size.
	StdErr float64
	// Size is the effective number of runs, (sum of w)^2 / sum of w^2: near 1,
	// one run outweighs all others and StdErr means little.
	Size float64
	// LogWeights are the log weights of the runs, over Z(0).
	LogWeights []float64
}

// Interval is the 95 % interval of log Z: the mean weight plus and minus 1.96
// standard errors, in logarithms. Its lower end is minus infinity when the error
// is as large as that.
func (e *Estimate) Interval() (low, high float64) {
	const z = 1.959964
	return e.LogZ + math.Log(math.Max(0, 1-z*e.StdErr)), e.LogZ + math.Log(1+z*e.StdErr)
}

// Run anneals forward. Its log Z is too low on average, the less so the more
// steps and runs there are.
func Run(ctx context.Context, problem Problem, options Options) (*Estimate, error) {
	return run(ctx, problem, options, "ais", func(w Walk, r *rng.Rand, taus []float64) float64 {
		w.Start(r)
		var logWeight float64
		for s := 1; s < len(taus) && ctx.Err() == nil; s++ {
			logWeight += w.LogWeight(taus[s]) - w.LogWeight(taus[s-1])
			if s+1 < len(taus) {
				w.Step(r, taus[s])
			}
		}
		return logWeight
	})
}

// Reverse anneals from draws of the model back to the start, with every step of
// Run turned round. Its log Z is too high on average. The walks must be Finish,
// and the bound is as good as their draws: exact ones, or a chain's.
func Reverse(ctx context.Context, problem Problem, options Options) (*Estimate, error) {
	e, err := run(ctx, problem, options, "ais reverse", func(w Walk, r *rng.Rand, taus []float64) float64 {
		w.(Finish).Finish(r)
		var logWeight float64
		for s := len(taus) - 1; s > 0 && ctx.Err() == nil; s-- {
			logWeight += w.LogWeight(taus[s-1]) - w.LogWeight(taus[s])
			if s > 1 {
				w.Step(r, taus[s-1])
			}
		}
		return logWeight
	})
	if err != nil {
		return nil, err
	}
	e.LogZ = 2*problem.LogZ0 - e.LogZ // the weights estimate Z(0)/Z(1)
	return e, nil
}

// run makes the runs. One that the context ends in the middle counts for nothing: Each returns
// the context's error.
func run(ctx context.Context, problem Problem, options Options, name string, anneal func(w Walk, r *rng.Rand, taus []float64) float64) (*Estimate, error) {
	taus, err := options.temperatures()
	if err != nil {
		return nil, err
	}
	runs := cmp.Or(options.Runs, 100)
	if runs < 2 {
		return nil, fmt.Errorf("ais: %d runs; at least two are needed for an error", runs)
	}
	e := &Estimate{LogWeights: make([]float64, runs)}
	// One walk and one stream for each goroutine; whoever takes it, run k is run k.
	walks, streams := make([]Walk, parallel.Size(runs, options.Jobs)), make([]*rng.Rand, parallel.Size(runs, options.Jobs))
	for w := range walks {
		walks[w], streams[w] = problem.New(), rng.Stream(0, "")
	}
	var told sync.Mutex
	done := 0
	err = parallel.Each(ctx, runs, options.Jobs, func(worker, k int) error {
		streams[worker].Reseed(options.Seed, name, uint64(k))
		e.LogWeights[k] = anneal(walks[worker], streams[worker], taus)
		if options.Observe != nil {
			told.Lock()
			defer told.Unlock()
			done++
			options.Observe(done)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	e.summarise(problem.LogZ0)
	if math.IsNaN(e.LogZ) || math.IsInf(e.LogZ, 1) {
		return nil, fmt.Errorf("ais: the weights of the runs are not finite; are the potentials?")
	}
	return e, nil
}

func (o Options) temperatures() ([]float64, error) {
	steps := cmp.Or(o.Steps, 1000)
	if steps < 1 {
		return nil, fmt.Errorf("ais: %d steps; at least one is needed", steps)
	}
	taus := make([]float64, steps+1)
	for s := range taus {
		taus[s] = float64(s) / float64(steps)
		if o.Schedule != nil {
			taus[s] = o.Schedule(s, steps)
		}
		if s > 0 && !(taus[s] >= taus[s-1]) {
			return nil, fmt.Errorf("ais: the schedule falls from %g to %g at step %d", taus[s-1], taus[s], s)
		}
	}
	if taus[0] != 0 || taus[steps] != 1 {
		return nil, fmt.Errorf("ais: the schedule goes from %g to %g; it must go from 0 to 1", taus[0], taus[steps])
	}
	return taus, nil
}

func (e *Estimate) summarise(logZ0 float64) {
	n := float64(len(e.LogWeights))
	logMean := logprob.MeanExp(e.LogWeights)
	e.LogZ = logZ0 + logMean
	var sum, square, apart float64
	for _, lw := range e.LogWeights {
		w := math.Exp(lw - logMean) // mean 1
		sum += w
		square += w * w
		apart += (w - 1) * (w - 1)
	}
	e.Size = sum * sum / square
	e.StdErr = math.Sqrt(apart / (n - 1) / n)
}
