// Package data has the commands that look at, convert, divide and download rating data.
package data

import (
	"github.com/spf13/cobra"

	"fubini/cmd/fubini/cli"
)

// program is the frame of all commands, with what those of this package do.
type program struct{ *cli.Program }

// Command is fubini data.
func Command(p *cli.Program) *cobra.Command { return newData(&program{p}) }
