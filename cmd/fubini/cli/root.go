// Package cli is the frame that all commands share: the program and its global flags, values of flags and of the
// environment, files that a command reads and writes, results in several formats, messages and help pages.
package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Run runs one of the commands, which the help page lists in this order, and returns the exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, commands []func(*Program) *cobra.Command) int {
	p := &Program{Stdin: stdin, Stdout: stdout, Stderr: stderr}
	return p.Report(ctx, p.run(ctx, args, commands))
}

func (p *Program) run(ctx context.Context, args []string, commands []func(*Program) *cobra.Command) (err error) {
	defer catch(&err)
	root := NewRoot(p, commands)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for os.Args
	return cmp.Or(root.ExecuteContext(ctx), p.fault)
}

// NewRoot returns the command fubini with all its commands.
func NewRoot(p *Program, commands []func(*Program) *cobra.Command) *cobra.Command {
	cobra.EnableCommandSorting = false // they stand in the order of the list above
	root := Group(&cobra.Command{
		Use:   "fubini",
		Short: "Rankings with ties: draw them, weigh them, learn them",
		Long: `fubini computes with tier lists: rankings with ties of N items. Under the
Ordered Set Model every item has a worth and ties have a weight nu; that gives a
probability to each way of sorting the items into tiers.`,
		Example: `  fubini demo
  fubini sample --worths 1,0.5,0,-1 --nu 0.3 -n 5
  fubini logz --worths 1,0.5,0,-1 --nu 0.3 --format json`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: p.prepare,
	})
	answerVersion(root)
	root.SetHelpFunc(p.help)
	root.SetHelpCommand(newHelp())
	root.SetFlagErrorFunc(flagError)

	flags := root.PersistentFlags()
	flags.SortFlags = false
	p.Seed, p.Output = 1, "-"
	AddFlag(flags, "seed", "", &p.Seed, "N", parseSeed, "seed of all random numbers; the same seed gives the same output")
	AddFlag(flags, "jobs", "j", &p.Jobs, "N", ParseWhole(0), "number of cores, 0 for all; the output does not depend on it")
	flags.Lookup("jobs").DefValue = "all cores"
	AddChoice(root, flags, "format", &p.Format, Formats, "format of the results: "+strings.Join(Formats, ", "))
	flags.Lookup("format").DefValue = "table"
	AddOutput(flags, "output", "o", &p.Output, "FILE", ParsePath, "file for the results; it appears complete or not at all; - is stdout")
	AddSwitch(flags, "quiet", &p.Quiet, "no progress and no closing line on stderr")

	for _, newCommand := range commands {
		cmd := newCommand(p)
		root.AddCommand(cmd)
		complete(cmd)
		// Shells offer files where a flag takes a file, and only there.
		cmd.Flags().VisitAll(func(f *pflag.Flag) { completeNothing(cmd, f) })
	}
	flags.VisitAll(func(f *pflag.Flag) { completeNothing(root, f) })
	return root
}

// answerVersion adds --version. Cobra would print another line, or fill in a template, whose package keeps every exported method in the program.
func answerVersion(root *cobra.Command) {
	asked := root.Flags().BoolP("version", "v", false, "version for fubini")
	run := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *asked {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "fubini %s\n", BuildVersion().Version)
			return err
		}
		return run(cmd, args)
	}
}

// complete gives a command, and those below it, what follows from its definition: flags are shown in the order in which
// they were added, and it takes the arguments that its usage line names.
func complete(cmd *cobra.Command) {
	cmd.Flags().SortFlags, cmd.PersistentFlags().SortFlags = false, false
	if cmd.Args == nil {
		least := len(ArgumentNames(cmd))
		most := least
		if strings.HasSuffix(cmd.Use, "...") {
			most = math.MaxInt
		}
		cmd.Args = Arguments(least, most)
	}
	for _, each := range cmd.Commands() {
		complete(each)
	}
}

func completeNothing(cmd *cobra.Command, f *pflag.Flag) {
	if len(f.Annotations[Role]) == 0 {
		// An error means that the flag has its own completions.
		_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
	}
}
