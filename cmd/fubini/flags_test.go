package main

import (
	"io"
	"strings"
	"testing"

	"fubini/cmd/fubini/cli"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mostFlags is the limit on flags. A flag counts once for every command that defines it; a flag that a group or the program
// hands down, or that commands share (data info, convert and split), counts once. --help is not counted. fit has 22 of its own.
const mostFlags = 149 + 22

// meanings are what a flag of one name is: it must be the same wherever there is one.
func TestFlagsAreFewAndMeanOneThing(t *testing.T) {
	count, kinds, seen := 0, map[string]string{}, map[*pflag.Flag]bool{}
	for _, cmd := range allCommands(cli.NewRoot(cli.NewProgram(io.Discard), commands)) {
		var names []string
		add := func(f *pflag.Flag) {
			if f.Name == "help" || f.Name == "version" || seen[f] || cmd.InheritedFlags().Lookup(f.Name) == f {
				return
			}
			seen[f] = true
			names = append(names, f.Name)
			kind := strings.ReplaceAll(f.Value.Type(), "FILES", "FILE")
			if before, there := kinds[f.Name]; there && before != kind {
				t.Errorf("--%s is %s in one command and %s in %s", f.Name, before, kind, cmd.CommandPath())
			}
			kinds[f.Name] = kind
		}
		cmd.Flags().VisitAll(add)
		cmd.PersistentFlags().VisitAll(add)
		count += len(names)
		t.Log(cmd.CommandPath(), len(names), names)
	}
	t.Logf("%d flags in all", count)
	if count > mostFlags {
		t.Errorf("%d flags, more than %d: which of them does nobody need?", count, mostFlags)
	}
}

// allCommands are a command and those below it.
func allCommands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, each := range cmd.Commands() {
		all = append(all, allCommands(each)...)
	}
	return all
}
