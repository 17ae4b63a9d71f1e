package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
)

// prepare makes a command ready to run: flags by the environment, the format, outputs that can be written.
func (p *Program) prepare(cmd *cobra.Command, args []string) error {
	if strings.HasPrefix(cmd.Name(), "__") { // the shell asking for completions
		return nil
	}
	if err := fromEnvironment(cmd); err != nil {
		return err
	}
	formatByName(cmd)
	return CheckPlaces(cmd, args)
}

// Twins are the environment variables that set flags: those of a server, which is set up by its environment, and
// FUBINI_DB for every command with a store, because an address may contain a password.
var Twins = []struct {
	Variable, flag string
	command        string // empty for all that have the flag
}{
	{"FUBINI_DB", "db", ""},
	{"FUBINI_ADDR", "addr", "serve"},
	{"FUBINI_DATA_DIR", "data-dir", "serve"},
	{"FUBINI_HOST", "host", "serve"},
	{"FUBINI_INSECURE_NO_KEYS", "insecure-no-keys", "serve"},
	{"FUBINI_BEHIND_PROXY", "behind-proxy", "serve"},
	{"FUBINI_RATE", "rate", "serve"},
	{"FUBINI_LOG", "log", "serve"},
	{"FUBINI_LOG_LEVEL", "log-level", "serve"},
	{"FUBINI_DRAIN", "drain", "serve"},
}

// fromEnvironment sets flags that are not on the command line. An empty variable counts as none.
func fromEnvironment(cmd *cobra.Command) error {
	twins := TwinsOf(cmd)
	for _, variable := range SortedKeys(twins) {
		f, text := twins[variable], os.Getenv(variable)
		if f.Changed || text == "" {
			continue
		}
		if err := f.Value.Set(text); err != nil {
			return exit.Usagef("%s: %w", variable, err)
		}
		f.Changed = true
	}
	return nil
}

// TwinsOf returns the environment variables that set flags of a command, with these flags.
func TwinsOf(cmd *cobra.Command) (variables map[string]*pflag.Flag) {
	variables = map[string]*pflag.Flag{}
	for _, twin := range Twins {
		if f := cmd.Flags().Lookup(twin.flag); f != nil && (twin.command == "" || twin.command == cmd.Name()) {
			variables[twin.Variable] = f
		}
	}
	return variables
}

// formatByName lets the extension of --output choose the format, unless --format does:
// x.csv is csv. An extension that is no format leaves the default of the command.
func formatByName(cmd *cobra.Command) {
	named, output := cmd.Flags().Lookup("format"), cmd.Flags().Lookup("output")
	if named == nil || output == nil || named.Changed || outputIsFolder(cmd) {
		return
	}
	extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(output.Value.String()), "."))
	if extension == "ndjson" {
		extension = "jsonl"
	}
	_ = named.Value.Set(extension) // which refuses what is no format
}
