// Package data has the commands that look at, convert, divide and download rating data.
package data

import (
	"bufio"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/fetch"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
)

// Command is the command fubini data, which holds info, convert, split and fetch.
func Command(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "data")
	return cli.Group(cmd, newInfo(p), newConvert(p), newSplit(p), fetch.Command(p))
}

// While a file of at most smallFile bytes is read, the heap is small and grows, and collecting garbage as often as usual takes a tenth of the time: there
// may be smallGarbage % of it.
const smallFile, smallGarbage = 64 << 20, 800

func newConvert(p *cli.Program) *cobra.Command {
	to := ""
	cmd := cli.Page(pages, "convert")
	flags := cmd.Flags()
	cli.AddChoice(cmd, flags, "out-format", &to, format.Writable(), "format of OUT; by its extension if not given")
	read := readFlags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if flags.Changed("output") {
			return exit.Usagef("--output: convert writes to OUT, its second argument")
		}
		name, err := to, error(nil)
		if name == "" && args[1] == "-" {
			return exit.Usagef("--out-format is missing: the format for standard output, one of %v", format.Writable())
		}
		if name == "" {
			if name, err = format.ForWriting(args[1]); err != nil {
				return exit.Usagef("%w (--out-format)", err)
			}
		}
		if info, err := os.Stat(args[0]); err == nil && info.Size() <= smallFile {
			defer debug.SetGCPercent(debug.SetGCPercent(smallGarbage))
		}
		set, _, err := input.Read(cmd.Context(), p, args[0], *read)
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
