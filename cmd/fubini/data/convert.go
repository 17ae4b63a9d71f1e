package data

import (
	"bufio"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
)

func newDataConvert(p *program, read *input.DataFlags) *cobra.Command {
	to := ""
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write data in another format",
		Long: `Read IN in any format and write OUT in the format of its extension, or of
--out-format. OUT may be - for standard output; then --out-format is needed. OUT appears complete or not
at all.`,
		Example:     "  fubini data convert ml-1m/ratings.dat ratings.parquet\n  fubini data convert sushi.soc - --out-format csv",
		Args:        cli.TwoArguments("IN", "OUT"),
		Annotations: map[string]string{cli.Arguments: "read write"},
	}
	flags := cmd.Flags()
	cli.AddChoice(cmd, flags, "out-format", &to, format.Writable(), "format of OUT; by its extension if not given")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if flags.Changed("output") {
			return exit.Usagef("--output: convert writes to OUT, its second argument")
		}
		name := to
		if name == "" {
			if args[1] == "-" {
				return exit.Usagef("--out-format is missing: the format for standard output, one of %v", format.Writable())
			}
			var err error
			if name, err = format.ForWriting(args[1]); err != nil {
				return exit.Usagef("%w (--out-format)", err)
			}
		}
		set, _, err := input.Read(cmd.Context(), p.Program, args[0], *read)
		if err != nil {
			return err
		}
		err = cli.Destination{Flag: "OUT", Path: args[1], Stdout: p.Stdout}.Deliver(func(w *bufio.Writer) error {
			if err := format.Write(w, set, format.Options{Format: name}); err != nil {
				return err
			}
			return cmd.Context().Err() // interrupted: nothing stays behind
		})
		if lost := format.NotWritten(set, name); err == nil && len(lost) > 0 {
			p.Tell("%s: %s has no place for %s", args[1], name, strings.Join(lost, ", "))
		}
		return err
	}
	return cmd
}
