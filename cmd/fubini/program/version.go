package program

import (
	"bufio"
	_ "embed"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
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
		return p.Record(cli.Record{
			{"program", "fubini"},
			{"version", build.Version},
			{"revision", build.Revision},
			{"modified", build.Modified},
			{"go", runtime.Version()},
			{"os", runtime.GOOS},
			{"arch", runtime.GOARCH},
			{"module", build.Module},
		})
	}
	cmd.Flags().BoolVar(&notices, "licences", false, "show third-party software and its licences")
	return cmd
}

func newCompletion(p *cli.Program) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	cmd := cli.Page(pages, "completion")
	cmd.ValidArgs = shells
	cmd.Args = func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return exit.Usagef("completion needs the name of a shell: %s", strings.Join(shells, ", "))
		case len(args) > 1:
			return exit.Usagef("completion is for one shell at a time, not %s as well", cli.Quote(args[1]))
		case !slices.Contains(shells, args[0]):
			return exit.Usagef("completion: %s is not one of %s", cli.Quote(args[0]), strings.Join(shells, ", "))
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.Deliver(func(w *bufio.Writer) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(w, true)
			case "zsh":
				return root.GenZshCompletion(w)
			case "fish":
				return root.GenFishCompletion(w, true)
			default:
				return root.GenPowerShellCompletionWithDesc(w)
			}
		})
	}
	return cmd
}
