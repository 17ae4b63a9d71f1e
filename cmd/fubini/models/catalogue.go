package models

import (
	"fmt"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
)

func newModelCatalogue(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "catalogue")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if p.Output == "-" {
			return exit.Usagef("--output is missing: the file for the model with its catalogue, as in -o named.safetensors")
		}
		saved, err := input.ReadModel(args[0])
		if err != nil {
			return err
		}
		described, err := input.Catalogue(p, saved, args[1])
		if err != nil {
			return err
		}
		if described == 0 {
			return fmt.Errorf("%s: none of its items is in the model, whose items are %s; the column item must have the ids of the model", args[1], cli.Shorten(saved.ItemIDs))
		}
		return input.Save(p.Results(), saved)
	}
	return cmd
}
