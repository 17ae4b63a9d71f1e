// Package cli is the frame that all commands share: the program and its global flags, values of flags and of the
// environment, files that a command reads and writes, results in several formats, messages and help pages.
package cli

import (
	"cmp"
	"context"
	"io"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
)

// Program is what all commands share: their streams, and the flags that every one of them has.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	Seed   uint64
	Jobs   int    // 0 means all cores
	Format string // empty means the command's own default
	Output string // "-" is stdout
	Quiet  bool

	shared map[reflect.Type]shared // flags of several commands, by the type of their values
	fault  error                   // of a page that was asked for by a name that is none
}

// NewProgram is a program that writes its messages to a stream, with the defaults of all flags.
func NewProgram(messages io.Writer) *Program {
	return &Program{Stdout: io.Discard, Stderr: messages, Seed: 1, Output: "-"}
}

// Cores is the number of cores that --jobs asks for.
func Cores(jobs int) int { return cmp.Or(jobs, runtime.GOMAXPROCS(0)) }

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
		Version:           BuildVersion().Version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: p.prepare,
	})
	root.SetVersionTemplate("fubini {{.Version}}\n")
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

// Group makes a command that holds others and does nothing itself.
func Group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs // so that an unknown command comes to RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	cmd.AddCommand(commands...)
	return cmd
}

// unknownCommand says what there is in place of a command that a group does not have.
func unknownCommand(group *cobra.Command, name string) error {
	names := available(group, func(cmd *cobra.Command) string { return cmd.Name() })
	if near := Nearest(name, names); near != "" {
		return exit.Usagef("there is no command %s; did you mean %s?", Quote(name), near)
	}
	return exit.Usagef("there is no command %s; known here: %s (see %s --help)", Quote(name), strings.Join(names, ", "), group.CommandPath())
}

// ArgumentNames are the names of arguments in the usage line of a command: IN and OUT of "convert IN OUT".
func ArgumentNames(cmd *cobra.Command) (names []string) {
	words := strings.Fields(cmd.Use)
	for k, word := range words[1:] {
		if word == strings.ToUpper(word) && word != "|" && !strings.HasPrefix(words[k], "-") {
			names = append(names, strings.TrimSuffix(word, "..."))
		}
	}
	return names
}

// Arguments requires a number of arguments from least to most. Only commands with optional arguments need it: the
// others take the arguments of their usage line.
func Arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		names, n := ArgumentNames(cmd), len(args)
		switch {
		case least <= n && n <= most:
			return nil
		case most == 0:
			return exit.Usagef("%s takes no argument %s, only flags (see %s --help)", cmd.Name(), Quote(args[0]), cmd.CommandPath())
		case len(names) == 2:
			return exit.Usagef("%s takes %s and %s, not %d arguments (see %s --help)", cmd.Name(), names[0], names[1], n, cmd.CommandPath())
		case n < least:
			return exit.Usagef("%s is missing (see %s --help)", names[0], cmd.CommandPath())
		}
		return exit.Usagef("%s takes one %s; %s is one too many", cmd.Name(), names[0], Quote(args[1]))
	}
}

// SortedKeys are the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
