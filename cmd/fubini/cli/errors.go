package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/terminal"
)

// FaultError is the error of a panic, in one line.
func FaultError(fault any) error {
	return fmt.Errorf("a mistake in fubini itself, please report it (FUBINI_TRACE=1 shows where): %v", fault)
}

// catch turns a panic into an error when it is deferred. FUBINI_TRACE=1 lets it through, with its stack.
func catch(err *error) {
	if os.Getenv("FUBINI_TRACE") != "" {
		return
	}
	if fault := recover(); fault != nil {
		*err = FaultError(fault)
	}
}

// Report writes an error in one line, which a terminal shows in several, and returns the exit code.
func (p *Program) Report(ctx context.Context, err error) int {
	if !terminal.IsTerminal(p.Stderr) {
		return exit.Report(ctx, p.Stderr, "fubini", err)
	}
	var line strings.Builder
	code := exit.Report(ctx, &line, "fubini", err)
	if line.Len() > 0 {
		fmt.Fprintln(p.Stderr, Folded(line.String(), 0))
	}
	return code
}

// flagError says in our words what pflag found wrong with the command line.
func flagError(cmd *cobra.Command, err error) error {
	if rest := cmd.Flags().Args(); cmd.HasSubCommands() && len(rest) > 0 {
		return unknownCommand(cmd, rest[0]) // its flags are strange to the group, but that is not the fault
	}
	var value *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &value):
		f := value.GetFlag()
		if _, err := parseBool(value.GetValue()); err != nil && f.Value.Type() == "bool" {
			return exit.Usagef("%s: %w", label(f), err) // cobra's own --help among them
		}
		return exit.Usagef("%s: %w", label(f), value.Unwrap())
	case errors.As(err, &missing):
		return exit.Usagef("%s needs a value (see %s --help)", label(missing.GetFlag()), cmd.CommandPath())
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	}
	return exit.Usage(err)
}

func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) error {
	// The letters of -seed come one by one; the whole is what was meant.
	name, given := unknown.GetSpecifiedName(), "--"+unknown.GetSpecifiedName()
	if letters := unknown.GetSpecifiedShortnames(); letters != "" {
		name, given = letters, "-"+letters
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := Nearest(name, names); near != "" {
		return exit.Usagef("there is no flag %s; did you mean --%s?", Quote(given), near)
	}
	return exit.Usagef("there is no flag %s (see %s --help)", Quote(given), cmd.CommandPath())
}

// label is how messages call a flag: -n/--draws.
func label(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand + "/--" + f.Name
	}
	return "--" + f.Name
}
