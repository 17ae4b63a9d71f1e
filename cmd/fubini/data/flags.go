package data

import (
	"embed"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
	"fubini/data/personal"
)

// formFlags are the flags for the form of the data, beside those of all commands that read ratings.
type formFlags struct{ *input.DataFlags }

func readFlags(p *cli.Program, cmd *cobra.Command) *input.DataFlags {
	read := input.AddData(p, cmd)
	cli.Shared(p, cmd, cmd.Flags(), func(f *formFlags, cmd *cobra.Command, flags *pflag.FlagSet) {
		f.DataFlags = read
		cli.AddChoice(cmd, flags, "in-format", &f.Format, readable(), "format of the data; detected from its content if not given")
		cli.AddChoice(cmd, flags, "incomplete", &f.Incomplete, []string{"subset", "top"}, "items that a PrefLib order leaves out: subset, unranked; top, tied below all others")
	})
	return read
}

// readable are the formats of ratings and the forms of exports.
func readable() []string {
	names := append(format.Readable(), personal.SetForms()...)
	slices.Sort(names)
	return slices.Compact(names)
}

//go:embed help
var pages embed.FS
