package main

import (
	"cmp"
	"context"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
)

// program is what all commands share: where they write, and the flags that
// every one of them has.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	seed   uint64
	jobs   int    // 0 means all cores
	format string // empty means the command's own default
	output string // "-" is stdout
	quiet  bool

	fault error // of a page that was asked for by a name that is none
}

// newProgram is a program that writes its messages to a stream, with the defaults of all flags.
func newProgram(messages io.Writer) *program {
	return &program{stdout: io.Discard, stderr: messages, seed: 1, output: "-"}
}

// cores is the number of cores that --jobs asks for.
func cores(jobs int) int { return cmp.Or(jobs, runtime.GOMAXPROCS(0)) }

// execute is the program without its process: it runs one of the commands, in the order of the help page, and returns the
// exit code.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, commands []func(*program) *cobra.Command) (code int) {
	p := &program{stdin: stdin, stdout: stdout, stderr: stderr}
	defer func() {
		if fault := recover(); fault != nil && os.Getenv("FUBINI_TRACE") == "" {
			code = p.report(ctx, faultError(fault))
		} else if fault != nil {
			panic(fault)
		}
	}()
	root := rootOf(p, commands)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for os.Args
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = p.fault
	}
	return p.report(ctx, err)
}

// rootOf is the command above all others.
func rootOf(p *program, commands []func(*program) *cobra.Command) *cobra.Command {
	cobra.EnableCommandSorting = false // they stand in the order of the list above
	root := group(&cobra.Command{
		Use:   "fubini",
		Short: "Rankings with ties: draw them, weigh them, learn them",
		Long: `fubini computes with tier lists: rankings with ties of N items. Under the
Ordered Set Model every item has a worth and ties have a weight nu; that gives a
probability to each way of sorting the items into tiers.`,
		Example: `  fubini demo
  fubini sample --worths 1,0.5,0,-1 --nu 0.3 -n 5
  fubini logz --worths 1,0.5,0,-1 --nu 0.3 --format json`,
		Version:           buildVersion().version,
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
	p.seed, p.output = 1, "-"
	addFlag(flags, "seed", "", &p.seed, "N", parseSeed, "seed of all random numbers; the same seed gives the same output")
	addFlag(flags, "jobs", "j", &p.jobs, "N", parseWhole(0), "how many cores to use, 0 for all; the output does not depend on it")
	flags.Lookup("jobs").DefValue = "all cores"
	addChoice(root, flags, "format", &p.format, formats, "form of the results: "+strings.Join(formats, ", "))
	flags.Lookup("format").DefValue = "table"
	addOutput(flags, "output", "o", &p.output, "FILE", parsePath, "file for the results, complete or not there at all; - is stdout")
	addSwitch(flags, "quiet", &p.quiet, "no progress and no closing line on stderr")

	for _, newCommand := range commands {
		cmd := newCommand(p)
		root.AddCommand(cmd)
		// Shells offer files where a flag takes a file, and only there.
		cmd.Flags().VisitAll(func(f *pflag.Flag) { completeNothing(cmd, f) })
	}
	flags.VisitAll(func(f *pflag.Flag) { completeNothing(root, f) })
	return root
}

func completeNothing(cmd *cobra.Command, f *pflag.Flag) {
	if len(f.Annotations[role]) == 0 {
		// An error means that the flag has its own completions.
		_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
	}
}

// group is a command that only holds others.
func group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs // so that an unknown command comes to RunE
	cmd.Annotations = map[string]string{holds: "commands"}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	cmd.AddCommand(commands...)
	return cmd
}

// noArguments refuses arguments that are not flags.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && cmd.HasAvailableSubCommands() {
		return unknownCommand(cmd, args[0])
	}
	if len(args) > 0 {
		return exit.Usagef("%s takes no argument %s, only flags (see %s --help)", cmd.Name(), quote(args[0]), cmd.CommandPath())
	}
	return nil
}

// unknownCommand says what there is in place of a command that a group does not have.
func unknownCommand(group *cobra.Command, name string) error {
	var names []string
	for _, cmd := range group.Commands() {
		if cmd.IsAvailableCommand() {
			names = append(names, cmd.Name())
		}
	}
	if near := nearest(name, names); near != "" {
		return exit.Usagef("there is no command %s; did you mean %s?", quote(name), near)
	}
	return exit.Usagef("there is no command %s; known here: %s (see %s --help)", quote(name), strings.Join(names, ", "), group.CommandPath())
}

// oneArgument wants exactly one argument.
func oneArgument(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exit.Usagef("%s is missing (see %s --help)", what, cmd.CommandPath())
		}
		if len(args) > 1 {
			return exit.Usagef("%s takes one %s; %s is one too many", cmd.Name(), what, quote(args[1]))
		}
		return nil
	}
}

// sortedKeys are the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
