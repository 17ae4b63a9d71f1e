package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/cmd/fubini/cli"
	"fubini/learn/registry"
)

// The reference is made from the program: a command, flag or setting that is new, gone or described in other words makes this
// test fail until -update writes the pages anew.
func TestReference(t *testing.T) {
	for name, text := range map[string]string{"commands.md": commandReference(), "settings.md": settingReference(t), "files.md": fileReference(t), "server.md": serverReference(t)} {
		page := filepath.Join("..", "..", "docs", "reference", name)
		if *update {
			if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(page); err != nil || string(got) != text {
			t.Errorf("docs/reference/%s is not what the program says (%v): go test ./cmd/fubini -run TestReference -update", name, err)
		}
	}
}

const madeBy = "<!-- made by go test ./cmd/fubini -run TestReference -update -->\n"

// commandReference is docs/reference/commands.md: every command with its text, usage, examples and flags.
func commandReference() string {
	var page strings.Builder
	fmt.Fprint(&page, "# Commands\n\n", madeBy, "\nEvery command of `fubini` with its flags, as `fubini COMMAND --help` shows them.\n\n")
	root := cli.NewRoot(cli.NewProgram(io.Discard), commands)
	var all []*cobra.Command
	for _, cmd := range allCommands(root) {
		if cmd != root && cmd.IsAvailableCommand() {
			all = append(all, cmd)
			name := strings.TrimPrefix(cmd.CommandPath(), "fubini ")
			fmt.Fprintf(&page, "%s- [%s](#fubini-%s): %s\n", strings.Repeat("  ", strings.Count(name, " ")), name, strings.ReplaceAll(name, " ", "-"), cmd.Short)
		}
	}
	fmt.Fprint(&page, "\n## Flags of every command\n\n", flagTable(root.PersistentFlags()))
	for _, cmd := range all {
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n```\n%s\n```\n", cmd.CommandPath(), escaped(strings.TrimSpace(cmd.Long)), cmd.UseLine())
		if cmd.Example != "" {
			fmt.Fprintf(&page, "\nExample:\n\n```\n%s\n```\n", strings.TrimRight(cmd.Example, "\n"))
		}
		if table := flagTable(cmd.LocalNonPersistentFlags()); table != "" {
			fmt.Fprint(&page, "\n", table)
		}
	}
	return page.String()
}

func flagTable(flags *pflag.FlagSet) string {
	var table strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Hidden {
			return
		}
		if table.Len() == 0 {
			table.WriteString("| flag | value | default | meaning |\n|---|---|---|---|\n")
		}
		name := "`--" + f.Name + "`"
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		value, usage := f.Value.Type(), f.Usage
		if value == "bool" {
			value = ""
		}
		standard := f.DefValue
		if standard == "false" || standard == "[]" {
			standard = ""
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", name, value, escaped(standard), escaped(usage))
	})
	return table.String()
}

// escaped is text that Markdown shows as it is.
func escaped(text string) string {
	return strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`, "_", `\_`).Replace(text)
}

// settingReference is docs/reference/settings.md: the settings of every model, as `fubini model settings` lists them.
func settingReference(t *testing.T) string {
	var page strings.Builder
	fmt.Fprint(&page, "# Settings of the models\n\n", madeBy, "\nWhat `--set NAME=VALUE` of `train`, `tune` and `evaluate` may change. A dash as default means that the value follows from the data;\na dash under *searched* that `tune` leaves it alone. [Baselines](../baselines.md) says what the models are.\n")
	for _, name := range registry.Names() {
		var out, messages bytes.Buffer
		if code := run(context.Background(), []string{"model", "settings", name, "--format", "csv"}, strings.NewReader(""), &out, &messages); code != 0 {
			t.Fatal(messages.String())
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&page, "\n## %s\n\n", name)
		if len(rows) < 2 {
			fmt.Fprint(&page, "No settings.\n")
			continue
		}
		for i, row := range rows {
			for j, cell := range row {
				if cell == "" {
					cell = "-"
				}
				row[j] = escaped(cell)
			}
			fmt.Fprintf(&page, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintf(&page, "|%s\n", strings.Repeat("---|", len(row)))
			}
		}
	}
	return page.String()
}
