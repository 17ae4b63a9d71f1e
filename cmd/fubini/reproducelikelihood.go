package main

import (
	"bufio"
	"context"
	"fmt"

	"fubini/paper"
)

// likelihoods plays the league of probabilities on one data set.
func (p *program) likelihoods(ctx context.Context, data paper.Data, f *reproduceFlags, about string, write func(ending string, write func(w *bufio.Writer) error) error) error {
	league := paper.Likelihood{Data: data, Folds: f.folds, Seed: p.seed, Most: f.most, Jobs: p.jobs, Observe: func(model string, fold int) {
		p.tell("%s, fold %d of %d: %s ...", data.Name, fold+1, f.folds, model)
	}}
	rows, err := league.Run(ctx, paper.Contenders(data.Set))
	if err != nil {
		return err
	}
	return write(".md", func(w *bufio.Writer) error {
		fmt.Fprintf(w, "%s %d folds, at most %d orders of each.\n", about, f.folds, f.most)
		return paper.WriteLikelihood(w, rows)
	})
}
