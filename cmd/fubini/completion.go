package main

import (
	"bufio"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
)

func newCompletion(p *cli.Program) *cobra.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Print a script that lets a shell complete commands and flags",
		Long: `Print a script for a shell, which then completes commands, flags and the names
that flags take. Bash needs the package bash-completion.`,
		Example: `  source <(fubini completion bash)   # for this session
  fubini completion bash -o ~/.local/share/bash-completion/completions/fubini
  fubini completion zsh -o "${fpath[1]}/_fubini"
  fubini completion fish -o ~/.config/fish/completions/fubini.fish`,
		ValidArgs: shells,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return exit.Usagef("completion needs the name of a shell: %s", strings.Join(shells, ", "))
			case len(args) > 1:
				return exit.Usagef("completion is for one shell at a time, not %s as well", cli.Quote(args[1]))
			case !slices.Contains(shells, args[0]):
				return exit.Usagef("completion: %s is not one of %s", cli.Quote(args[0]), strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.Deliver(func(w *bufio.Writer) error {
				switch root := cmd.Root(); args[0] {
				case "bash":
					return root.GenBashCompletionV2(w, true)
				case "zsh":
					return root.GenZshCompletion(w)
				default:
					return root.GenFishCompletion(w, true)
				}
			})
		},
	}
}
