package leaderboard

import (
	"context"
	"math"

	"fubini/data/votes"
	"fubini/learn/likelihood"
	"fubini/use/board"
)

// influence is which votes move the first eight ranks, where the covariance is the inverse of the information.
func influence(ctx context.Context, set *votes.Set, fit *likelihood.Fit, covariance likelihood.Covariance) (*board.Influence, error) {
	const ranks, share, lists = 8, 0.01, 10
	in, err := fit.Influence(ctx, covariance, ranks, share, lists)
	if err != nil {
		return nil, err
	}
	report := &board.Influence{Top: in.Ranks, Moved: in.Moved, Taken: in.Taken, First: set.Items[in.Order[0]], Second: set.Items[in.Order[1]], Lists: []board.InfluentialVote{}}
	if !math.IsInf(in.Votes, 1) {
		report.Votes, report.Fewest = &in.Votes, in.Fewest
	}
	for _, t := range in.Top {
		moving := board.InfluentialVote{Weight: t.Weight, Effect: t.Effect}
		for tier, left := int32(0), len(t.Items); left > 0; tier++ {
			var together []string
			for k, item := range t.Items {
				if t.Tiers[k] == tier {
					together = append(together, set.Items[item])
				}
			}
			if left -= len(together); together != nil {
				moving.Tiers = append(moving.Tiers, together)
			}
		}
		report.Lists = append(report.Lists, moving)
	}
	return report, nil
}
