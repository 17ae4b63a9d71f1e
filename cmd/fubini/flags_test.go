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
// hands down, or that commands share (cli.Shared), counts once. --help is not counted.
const mostFlags = 150

// worded are the flags for files with several usage texts, with the reason: each command's own result, or one meaning in other words.
var worded = map[string]string{
	"save":   "the result of the command, for other commands: of tune the settings, of fit the model",
	"resume": "an unfinished run of the same command: of train a checkpoint, of tune a search",
	"plot":   "a picture of the result: of fit the board, of model map the map",
}

// A flag of one name has one kind of value wherever there is one, and a file one meaning.
func TestFlagsAreFewAndMeanOneThing(t *testing.T) {
	count, kinds, usages, seen := 0, map[string]string{}, map[string]string{}, map[*pflag.Flag]bool{}
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
			if before, there := usages[f.Name]; there && before != f.Usage && kind == "FILE" && worded[f.Name] == "" {
				t.Errorf("--%s is %q in one command and %q in %s; if both mean the same, add the reason to worded", f.Name, before, f.Usage, cmd.CommandPath())
			}
			usages[f.Name] = f.Usage
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
