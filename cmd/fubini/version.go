package main

import (
	"bufio"
	_ "embed"
	"runtime"

	"github.com/spf13/cobra"
)

// licences are the notices of what the program contains, made by tools/licences.
//
//go:embed licences.txt
var licences string

func newVersion(p *program) *cobra.Command {
	var notices bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show how this program was built",
		Long: `Show how this program was built.

--licences shows the third-party software in it, with all licences, as text.`,
		Example: "  fubini version --format json",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if notices {
				return p.deliver(func(w *bufio.Writer) error {
					_, err := w.WriteString(licences)
					return err
				})
			}
			build := buildVersion()
			return p.deliver(func(w *bufio.Writer) error {
				return p.writeRecord(w, []field{
					{"program", "fubini"},
					{"version", build.version},
					{"revision", build.revision},
					{"modified", build.modified},
					{"go", runtime.Version()},
					{"os", runtime.GOOS},
					{"arch", runtime.GOARCH},
					{"module", build.module},
				})
			})
		},
	}
	cmd.Flags().BoolVar(&notices, "licences", false, "show third-party software and its licences")
	return cmd
}
