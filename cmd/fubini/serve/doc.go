// Package serve has the commands around the server: serve, demo, db, key.
package serve

import (
	"github.com/spf13/cobra"

	"fubini/cmd/fubini/cli"
)

// program is the frame of all commands, with what those of this package do.
type program struct{ *cli.Program }

// Serve is fubini serve.
func Serve(p *cli.Program) *cobra.Command { return newServe(&program{p}) }

// Demo is fubini demo.
func Demo(p *cli.Program) *cobra.Command { return newDemo(&program{p}) }

// DB is fubini db.
func DB(p *cli.Program) *cobra.Command { return newDB(&program{p}) }

// Key is fubini key.
func Key(p *cli.Program) *cobra.Command { return newKey(&program{p}) }
