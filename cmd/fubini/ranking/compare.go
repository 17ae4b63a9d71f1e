package ranking

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fubini/cmd/fubini/cli"
	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/likelihood"
	"fubini/model/osm"
)

// compare delivers a row for each of two forms of ties.
func compare(ctx context.Context, p *cli.Program, f *flags, set *votes.Set, design ballot.Design) error {
	end := f.watch(p)
	records, err := f.compareForms(ctx, p.Seed, set, design)
	end()
	if err != nil {
		return err
	}
	return p.Fitted(records, "mean nll", "parameters")
}

// compareForms fits two forms of ties to all votes, and to four fifths of them for the rest, five times: the same votes for both.
func (f *flags) compareForms(ctx context.Context, seed uint64, set *votes.Set, design ballot.Design) ([]cli.Record, error) {
	records := make([]cli.Record, 2)
	var logs, free [2]float64
	for k, name := range f.compare {
		f.fit.Stage("--ties " + name)
		d := design
		d.Ties = ballot.Ties(slices.Index(tieNames, name))
		data, err := f.fit.Group(set, d)
		if err != nil {
			return nil, err
		}
		if err := f.fit.ChooseErrors(data); err != nil {
			return nil, err
		}
		fit, err := f.fit.Maximise(ctx, data)
		if err != nil {
			return nil, err
		}
		logs[k], free[k] = fit.LogLikelihood, float64(fit.Free())
		f.fit.Stage("--ties " + name + ", votes held out")
		held := any(nil)
		switch nats, err := f.heldOut(ctx, data, seed); {
		case err == nil:
			held = nats
		case errors.Is(err, likelihood.ErrNotConverged) || errors.Is(err, likelihood.ErrNoTies) || errors.Is(err, osm.ErrNoMaximum): // though all votes have an estimate
			f.fit.Tell("--ties %s: no held-out nats, because four fifths of the votes have no estimate: %v", name, f.remedy(err))
		case errors.Is(err, ballot.ErrNoComparison):
			f.fit.Tell("--ties %s: no held-out nats: the votes are too few to hold out a fifth of them five times", name)
		default:
			return nil, err
		}
		if data.Slots { // composite: no likelihood, and no ratio of two
			records[k] = cli.Record{{"ties", name}, {"parameters", fit.Free()}, {"likelihood", "slots"}, {"slot_nll", -fit.LogLikelihood / fit.Weight}, {"held_out_slot_nll", held}}
			if k == 1 {
				return records, nil
			}
			continue
		}
		records[k] = cli.Record{{"ties", name}, {"parameters", fit.Free()}, {"log_likelihood", fit.LogLikelihood}, {"mean_nll", -fit.LogLikelihood / fit.Weight}, {"held_out_nll", held}}
	}
	// Twice the difference of the logs is chi-square only where the first form is a part of the second: common of either other.
	ratio, degrees, chance := any(nil), any(nil), any(nil)
	if more := 1; f.prior.precision == 0 && design.Sizes == 0 && (f.compare[0] == "common" || f.compare[1] == "common") {
		if f.compare[1] == "common" {
			more = 0
		}
		x, k := 2*(logs[more]-logs[1-more]), free[more]-free[1-more]
		ratio, degrees, chance = x, k, distuv.ChiSquared{K: k}.Survival(max(0, x))
	}
	for k := range records {
		records[k] = append(records[k], cli.Field{"likelihood_ratio", ratio}, cli.Field{"degrees", degrees}, cli.Field{"p", chance})
	}
	return records, nil
}

// heldOut is the mean negative log likelihood of a vote by fits to four fifths of the votes, of the votes held out, five times.
func (f *flags) heldOut(ctx context.Context, data *likelihood.Data, seed uint64) (nats float64, err error) {
	const times, share = 5, 0.8
	for split := range uint64(times) {
		train, test, err := data.Split(share, seed+split)
		if err != nil {
			return 0, fmt.Errorf("a fifth of the votes held out: %w", err)
		}
		part, err := f.fit.Maximise(ctx, train)
		if err != nil {
			return 0, err
		}
		log, err := part.LogLikelihoodOf(ctx, test)
		if err != nil {
			return 0, err
		}
		nats -= log / test.Weight / times
	}
	return nats, nil
}
