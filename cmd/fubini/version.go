package main

import (
	"bufio"
	_ "embed"
	"runtime"

	"github.com/spf13/cobra"

	"fubini/cmd/fubini/cli"
)

// licences are the notices of what the program contains, made by tools/licences.
//
//go:embed licences.txt
var licences string

func newVersion(p *cli.Program) *cobra.Command {
	var notices bool
	cmd := cli.Page(pages, "version")
	cmd.RunE = func(*cobra.Command, []string) error {
		if notices {
			return p.Deliver(func(w *bufio.Writer) error {
				_, err := w.WriteString(licences)
				return err
			})
		}
		build := cli.BuildVersion()
		return p.Deliver(func(w *bufio.Writer) error {
			return p.WriteRecord(w, cli.Record{
				{"program", "fubini"},
				{"version", build.Version},
				{"revision", build.Revision},
				{"modified", build.Modified},
				{"go", runtime.Version()},
				{"os", runtime.GOOS},
				{"arch", runtime.GOARCH},
				{"module", build.Module},
			})
		})
	}
	cmd.Flags().BoolVar(&notices, "licences", false, "show third-party software and its licences")
	return cmd
}
