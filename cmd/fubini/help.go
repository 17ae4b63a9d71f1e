package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of help pages: the smallest terminal in common use.
const helpWidth = 80

// ownFormat is the annotation of a command whose --format has a default of its
// own.
const ownFormat = "format"

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Show this page, or that of a command",
		Example:           "  fubini help sample",
		ValidArgsFunction: completeCommands,
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil }, // help needs no settings
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), strings.Join(args, " "))
			}
			return found.Help()
		},
	}
}

func completeCommands(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, other := range cmd.Root().Commands() {
		if len(args) == 0 && other.IsAvailableCommand() {
			names = append(names, other.Name()+"\t"+other.Short)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// help prints the page of a command: what it does, how it is called, an example
// that can be pasted, its flags.
func (p *program) help(cmd *cobra.Command, _ []string) {
	cmd.InitDefaultHelpFlag() // absent when the page is asked for by name
	var page strings.Builder
	section := func(title, text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			fmt.Fprintf(&page, "\n%s:\n%s\n", title, text)
		}
	}
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	page.WriteString(wrapped(text))
	if own := cmd.Annotations[ownFormat]; own != "" {
		cmd.InheritedFlags().Lookup("format").DefValue = own
	}
	if cmd.HasParent() {
		section("Usage", "  "+cmd.UseLine())
	} else {
		section("Usage", "  fubini COMMAND [flags]")
		section("Commands", commandTable(cmd))
	}
	section("Example", cmd.Example)
	if cmd.HasParent() {
		section("Flags", usages(cmd.LocalNonPersistentFlags()))
		section("Flags of every command", usages(cmd.InheritedFlags()))
	} else {
		section("Flags of every command", usages(cmd.PersistentFlags()))
		page.WriteString("\n" + wrapped(`A flag can also be set in the environment, --max-tiers as
FUBINI_MAX_TIERS, or in the file of --config, as a line max-tiers = 3. The command
line comes before the environment, and the environment before the file.

fubini COMMAND --help shows the flags of a command.`))
	}
	fmt.Fprint(p.stdout, page.String())
}

// wrapped sets paragraphs, which blank lines part, to the width of the page.
func wrapped(text string) string {
	var page strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			page.WriteString("\n\n")
		}
		column := 0
		for _, word := range strings.Fields(paragraph) {
			width := utf8.RuneCountInString(word)
			switch {
			case column == 0:
			case column+1+width > helpWidth:
				page.WriteByte('\n')
				column = 0
			default:
				page.WriteByte(' ')
				column++
			}
			page.WriteString(word)
			column += width
		}
	}
	page.WriteByte('\n')
	return page.String()
}

func commandTable(root *cobra.Command) string {
	var table strings.Builder
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			fmt.Fprintf(&table, "  %-12s%s\n", cmd.Name(), cmd.Short)
		}
	}
	return table.String()
}

func usages(flags *pflag.FlagSet) string {
	flags.SortFlags = false
	return flags.FlagUsagesWrapped(helpWidth)
}
