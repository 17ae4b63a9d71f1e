package cli

import (
	"cmp"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
)

// OwnFormat is the annotation of a command whose --format has a default of its own.
const OwnFormat = "format"

// Page makes a command with the texts of help/NAME.txt, a file of its package: the usage line, a line that describes
// the command, a long description, and after a line "Example:" commands that can be pasted.
func Page(files fs.FS, name string) *cobra.Command {
	text, err := fs.ReadFile(files, "help/"+name+".txt")
	if err != nil {
		panic(err) // the file is part of the program
	}
	head, example, _ := strings.Cut(strings.TrimRight(string(text), "\n"), "\nExample:\n")
	use, rest, _ := strings.Cut(head, "\n")
	short, long, _ := strings.Cut(rest, "\n")
	return &cobra.Command{Use: use, Short: short, Long: strings.TrimSpace(long), Example: example}
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Show this page, or that of a command",
		Example:           "  fubini help sample",
		ValidArgsFunction: completeCommands,
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil }, // help needs no settings
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			switch {
			case err != nil:
				return unknownCommand(cmd.Root(), strings.Join(args, " "))
			case len(rest) > 0 && found.HasAvailableSubCommands():
				return unknownCommand(found, rest[0])
			case len(rest) > 0:
				return exit.Usagef("%s has no command %s", found.CommandPath(), Quote(rest[0]))
			}
			return found.Help()
		},
	}
}

func completeCommands(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	group, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return available(group, func(cmd *cobra.Command) string { return cmd.Name() + "\t" + cmd.Short }), cobra.ShellCompDirectiveNoFileComp
}

// help prints the page of a command.
func (p *Program) help(cmd *cobra.Command, _ []string) {
	cmd.InitDefaultHelpFlag() // absent when the page is asked for by name
	if rest := cmd.Flags().Args(); cmd.HasAvailableSubCommands() && len(rest) > 0 {
		p.fault = unknownCommand(cmd, rest[0]) // a page of what there is not
		return
	}
	var page strings.Builder
	section := func(title, text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			fmt.Fprintf(&page, "\n%s:\n%s\n", title, text)
		}
	}
	page.WriteString(wrapped(cmp.Or(cmd.Long, cmd.Short+".")))
	if own := cmd.Annotations[OwnFormat]; own != "" {
		cmd.InheritedFlags().Lookup("format").DefValue = own
	}
	usage := cmd.UseLine()
	if cmd.HasSubCommands() {
		usage = cmd.CommandPath() + " COMMAND [flags]"
	}
	section("Usage", "  "+usage)
	commands := available(cmd, func(each *cobra.Command) string { return fmt.Sprintf("  %-12s%s\n", each.Name(), each.Short) })
	section("Commands", strings.Join(commands, ""))
	section("Example", cmd.Example)
	if cmd.HasParent() {
		section("Flags", usages(cmd, false))
		section("Flags of every command", usages(cmd, true))
		twins := ""
		for _, variable := range SortedKeys(TwinsOf(cmd)) {
			twins += fmt.Sprintf("  %-24s--%s\n", variable, TwinsOf(cmd)[variable].Name)
		}
		section("Environment", twins)
	} else {
		section("Flags of every command", usages(cmd, true))
		page.WriteString("\n" + wrapped(`Without --format the extension of --output (.csv, .json or .jsonl) chooses the
format. The variable FUBINI_DB sets --db; fubini serve --help lists the variables of a server.

fubini COMMAND --help shows the flags of a command.`))
	}
	fmt.Fprint(p.Stdout, page.String())
}

// wrapped sets paragraphs, which blank lines part, to the width of the page.
func wrapped(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, each := range paragraphs {
		paragraphs[i] = Folded(each, 0)
	}
	return strings.Join(paragraphs, "\n\n") + "\n"
}

// usages lists the flags that every command has, or those of a command and of the groups around it.
func usages(cmd *cobra.Command, everywhere bool) string {
	list := pflag.NewFlagSet("", pflag.ContinueOnError)
	list.SortFlags = false
	global := cmd.Root().PersistentFlags()
	add := func(f *pflag.Flag) {
		if list.Lookup(f.Name) == nil && (global.Lookup(f.Name) == f) == everywhere && cmd.Flag(f.Name) == f {
			list.AddFlag(f)
		}
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.VisitParents(func(parent *cobra.Command) { parent.PersistentFlags().VisitAll(add) })
	return list.FlagUsagesWrapped(HelpWidth)
}
