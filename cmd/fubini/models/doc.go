// Package models has the commands that make and judge models: train, tune, evaluate, reproduce, model.
package models

import (
	"github.com/spf13/cobra"

	"fubini/cmd/fubini/cli"
)

// program is the frame of all commands, with what those of this package do.
type program struct{ *cli.Program }

// Train is fubini train.
func Train(p *cli.Program) *cobra.Command { return newTrain(&program{p}) }

// Tune is fubini tune.
func Tune(p *cli.Program) *cobra.Command { return newTune(&program{p}) }

// Evaluate is fubini evaluate.
func Evaluate(p *cli.Program) *cobra.Command { return newEvaluate(&program{p}) }

// Reproduce is fubini reproduce.
func Reproduce(p *cli.Program) *cobra.Command { return newReproduce(&program{p}) }

// Model is fubini model.
func Model(p *cli.Program) *cobra.Command { return newModel(&program{p}) }
