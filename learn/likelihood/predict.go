package likelihood

import (
	"context"
	"fmt"

	"fubini/core/logprob"
	"fubini/learn/ballot"
	"fubini/model/osm"
)

// Predict returns the log probability of each of some votes of the same design, cast by somebody of whom no vote is
// known. A vote on one item has 0.
func (f *Fit) Predict(ctx context.Context, votes ballot.Votes) ([]float64, error) {
	return f.predict(ctx, votes, []float64{0})
}

// Predict is [Fit.Predict] for a rater who has each set of units with the probability that raters have it.
func (t *Tastes) Predict(ctx context.Context, votes ballot.Votes) ([]float64, error) {
	return t.predict(ctx, votes, osm.LogSetProbabilities(t.Shares))
}

// predict takes the mean over sets of units with the log probabilities given.
func (f *Fit) predict(ctx context.Context, votes ballot.Votes, prior []float64) ([]float64, error) {
	if f.Raters > 0 {
		return nil, fmt.Errorf("fit: a rater of whom no vote is known has no reliability; fit without raters to predict")
	}
	d := f.Design
	d.Cluster = true // as orders, each with the number of its vote
	votes.Rater = make([]int32, len(votes.Weight))
	for v := range votes.Rater {
		votes.Rater[v] = int32(v)
	}
	data, err := Group(d, votes)
	if err != nil {
		return nil, err
	}
	if data.Layout != f.Layout {
		return nil, fmt.Errorf("fit: votes with ties of a size that no fitted vote has")
	}
	if data.Slots {
		return nil, fmt.Errorf("fit: votes of more than %d items have no exact probability", ballot.MaxItems)
	}
	p := data.panel()
	logs, err := p.logProbabilities(ctx, f.Theta, len(prior), f.jobs)
	if err != nil {
		return nil, err
	}
	out, each := make([]float64, len(votes.Weight)), make([]float64, len(prior))
	for k, o := range data.Orders {
		for s := range each {
			each[s] = prior[s] + logs[s*len(p.Orders)+int(p.outcome[k])]
		}
		out[o.Vote] = logprob.SumExp(each)
	}
	return out, nil
}
