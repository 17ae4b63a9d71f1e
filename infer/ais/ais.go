package ais

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"

	"fubini/core/logprob"
	"fubini/core/parallel"
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

// Problem is a normaliser to be estimated.
type Problem struct {
	LogZ0 float64     // log Z(0)
	New   func() Walk // for each goroutine
}

// Options of a run. The zero value has the paper's smaller settings.
type Options struct {
	Steps int // temperatures after the first, S; 0 means 1000
	Runs  int // R; 0 means 100
	Seed  uint64
	Jobs  int // goroutines; 0 means one for each core
	// Observe, if not nil, is called after each run with the number of runs done, by whichever goroutine
	// made it; one call at a time.
	Observe func(runs int)
}

// Estimate is an estimate of a log normaliser by annealed importance sampling.
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

// Run anneals from tau = 0 to tau = 1. Its log Z is too low on average, the less so the more
// steps and runs there are. A run that the context ends in the middle counts for nothing.
func Run(ctx context.Context, problem Problem, options Options) (*Estimate, error) {
	steps := cmp.Or(options.Steps, 1000)
	if steps < 1 {
		return nil, fmt.Errorf("ais: %d steps; at least one is needed", steps)
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
	var guard sync.Mutex
	done := 0
	err := parallel.Each(ctx, runs, options.Jobs, func(worker, k int) error {
		streams[worker].Reseed(options.Seed, "ais", uint64(k))
		e.LogWeights[k] = anneal(ctx, walks[worker], streams[worker], steps)
		if options.Observe != nil {
			guard.Lock()
			defer guard.Unlock()
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

// anneal is the log weight of one run.
func anneal(ctx context.Context, w Walk, r *rng.Rand, steps int) (logWeight float64) {
	tau := func(s int) float64 { return float64(s) / float64(steps) }
	w.Start(r)
	for s := 1; s <= steps && ctx.Err() == nil; s++ {
		logWeight += w.LogWeight(tau(s)) - w.LogWeight(tau(s-1))
		if s < steps {
			w.Step(r, tau(s))
		}
	}
	return logWeight
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
