package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
)

// settle gives every flag that is not on the command line its value from the
// environment or, failing that, from the configuration file.
func (p *program) settle(cmd *cobra.Command) error {
	flags := cmd.Flags()
	if strings.HasPrefix(cmd.Name(), "__") { // the shell asking for completions
		return nil
	}
	if err := fromEnvironment(flags.Lookup("config")); err != nil {
		return err
	}
	var file []setting
	if p.config != "" {
		var err error
		if file, err = readConfig(p.config, cmd.Root()); err != nil {
			return err
		}
	}
	var failed error
	flags.VisitAll(func(f *pflag.Flag) {
		if failed == nil {
			failed = fromEnvironment(f)
		}
		at := slices.IndexFunc(file, func(s setting) bool { return slices.Contains(keys(f), s.key) })
		if failed == nil && !f.Changed && at >= 0 {
			failed = assign(f, file[at].value, fmt.Sprintf("%s:%d: %s", p.config, file[at].line, file[at].key))
		}
	})
	return failed
}

// keys are the names of a flag in a configuration file; none for the flags
// that cobra adds. The letter is there for -n, which is better known than
// --draws.
func keys(f *pflag.Flag) []string {
	switch {
	case f.Name == "help" || f.Name == "version":
		return nil
	case f.Shorthand != "":
		return []string{f.Name, f.Shorthand}
	}
	return []string{f.Name}
}

// noTwin marks a flag that has no twin in the environment, because the variable
// of its name means something else.
const noTwin = "fubini_no_environment"

// fromEnvironment looks for FUBINI_MAX_TIERS for the flag --max-tiers, and for
// FUBINI_N for -n. An empty variable counts as none.
func fromEnvironment(f *pflag.Flag) error {
	if _, marked := f.Annotations[noTwin]; marked {
		return nil
	}
	for _, key := range keys(f) {
		name := "FUBINI_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
		if text := os.Getenv(name); text != "" && !f.Changed {
			return assign(f, text, name)
		}
	}
	return nil
}

func assign(f *pflag.Flag, text, source string) error {
	if err := f.Value.Set(text); err != nil {
		return exit.Usagef("%s: %w", source, err)
	}
	f.Changed = true
	return nil
}

// setting is one line of a configuration file.
type setting struct {
	key, value string
	line       int
}

// readConfig reads lines of the form key = value. Keys are names of flags, of
// any command; a value may stand in double quotes, a list in brackets, and #
// begins a comment, so a flat TOML file will do.
func readConfig(path string, root *cobra.Command) ([]setting, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	defer file.Close()
	known := flagNames(root)
	var settings []setting
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<26)
	for number := 1; lines.Scan(); number++ {
		fault := func(format string, args ...any) error {
			return exit.Usagef("%s:%d: %s", path, number, fmt.Sprintf(format, args...))
		}
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		key, value, found := strings.Cut(text, "=")
		key = strings.TrimSpace(key)
		value, whole := plainValue(strings.TrimSpace(value))
		switch {
		case !found || key == "" || !whole:
			return nil, fault("%s is not of the form key = value", quote(text))
		case !slices.Contains(known, key):
			if near := nearest(key, known); near != "" {
				return nil, fault("no command has a flag %s; did you mean %s?", quote(key), near)
			}
			return nil, fault("no command has a flag %s", quote(key))
		case slices.ContainsFunc(settings, func(s setting) bool { return s.key == key }):
			return nil, fault("%s is set twice", key)
		}
		settings = append(settings, setting{key, value, number})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("--config: %s: %w", path, err)
	}
	return settings, nil
}

// plainValue takes a value out of its quotes or brackets, and off a comment
// behind it; false when a quote or bracket is left open or followed by more.
func plainValue(text string) (value string, whole bool) {
	rest := ""
	switch {
	case strings.HasPrefix(text, `"`):
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", false
		}
		if value, err = strconv.Unquote(quoted); err != nil {
			return "", false
		}
		rest = strings.TrimSpace(text[len(quoted):])
	case strings.HasPrefix(text, "["):
		if value, rest, whole = strings.Cut(text[1:], "]"); !whole {
			return "", false
		}
		rest = strings.TrimSpace(rest)
	default:
		value, _, _ = strings.Cut(text, "#")
		value = strings.TrimSpace(value)
	}
	return value, rest == "" || rest[0] == '#'
}

// flagNames are the keys of all flags of all commands, but for config itself.
func flagNames(root *cobra.Command) (names []string) {
	add := func(f *pflag.Flag) {
		if f.Name != "config" {
			names = append(names, keys(f)...)
		}
	}
	root.PersistentFlags().VisitAll(add)
	for _, cmd := range root.Commands() {
		cmd.LocalFlags().VisitAll(add)
		names = append(names, flagNames(cmd)...)
	}
	return names
}
