package main

import (
	"bufio"
	"context"
	"fmt"

	"fubini/paper/cells"
	"fubini/paper/league"
)

// likelihoods plays the league of probabilities on one data set.
func (p *program) likelihoods(ctx context.Context, data cells.Data, f *reproduceFlags, about string, write func(ending string, write func(w *bufio.Writer) error) error) error {
	play := league.Likelihood{Data: data, Folds: f.folds, Seed: p.seed, Most: f.most, Jobs: p.jobs, Observe: func(model string, fold int) {
		p.tell("%s, fold %d of %d: %s ...", data.Name, fold+1, f.folds, model)
	}}
	rows, err := play.Run(ctx, league.Contenders(data.Set))
	if err != nil {
		return err
	}
	return write(".md", func(w *bufio.Writer) error {
		fmt.Fprintf(w, "%s %d folds, at most %d orders of each.\n", about, f.folds, f.most)
		return league.WriteLikelihood(w, rows)
	})
}
