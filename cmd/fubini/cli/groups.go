package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
)

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

// available describes the commands of a group, each by a text.
func available(group *cobra.Command, text func(*cobra.Command) string) (texts []string) {
	for _, cmd := range group.Commands() {
		if cmd.IsAvailableCommand() {
			texts = append(texts, text(cmd))
		}
	}
	return texts
}
