// Package draw has the commands that draw tier lists from a model and weigh them: sample, logz, loglik.
package draw

import (
	"github.com/spf13/cobra"

	"fubini/cmd/fubini/cli"
)

// program is the frame of all commands, with what those of this package do.
type program struct{ *cli.Program }

// Sample is fubini sample.
func Sample(p *cli.Program) *cobra.Command { return newSample(&program{p}) }

// LogZ is fubini logz.
func LogZ(p *cli.Program) *cobra.Command { return newLogZ(&program{p}) }

// LogLik is fubini loglik.
func LogLik(p *cli.Program) *cobra.Command { return newLogLik(&program{p}) }
