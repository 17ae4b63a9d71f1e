package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"fubini/data/format"
	"fubini/data/ratings"
)

func newDataSplit(p *program) *cobra.Command {
	var read dataFlags
	var protocol protocolFlags
	cmd := &cobra.Command{
		Use:   "split DATA -o DIR",
		Short: "Divide data into training and test",
		Long: `Divide DATA and write DIR/train.tsv and DIR/test.tsv: user, item and level, tab
separated, no header. The protocol paper turns ratings into levels 1 to 5, drops the
half of the items on which people agree most, and draws N ratings of every user for
training; docs/protocol.md has all of them. The protocol user writes DIR/known.tsv as
well, what is told of the users in the test; kfold writes DIR/1, DIR/2 and so on.`,
		Example: "  fubini data split ml-1m/ratings.dat --given 20 -o split20",
		Args:    oneArgument("DATA"),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	protocol.add(cmd, flags)
	read.add(cmd, flags)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if p.output == "-" {
			return usagef("--output is missing: the folder for train.tsv and test.tsv, as in -o split")
		}
		if err := protocol.check(flags); err != nil {
			return err
		}
		set, _, err := p.read(args[0], read)
		if err != nil {
			return err
		}
		splits, err := protocol.splits(set, p.seed)
		if err != nil {
			return err
		}
		folder := p.output
		for k, split := range splits {
			target := folder
			if len(splits) > 1 {
				target = filepath.Join(folder, fmt.Sprint(k+1))
			}
			if err := p.writeSplit(target, split, protocol.protocol == "user"); err != nil {
				return err
			}
		}
		return nil
	}
	return cmd
}

// writeSplit writes the files of one split; each appears complete or not at all.
func (p *program) writeSplit(folder string, split ratings.Split, known bool) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	train, test := split.Training.Set(), split.Holdout.Set()
	files := []struct {
		name string
		set  *ratings.Set
	}{{"train.tsv", train}, {"test.tsv", test}}
	if known {
		files = append(files, struct {
			name string
			set  *ratings.Set
		}{"known.tsv", split.Holdout.KnownSet()})
	}
	for _, file := range files {
		p.output = filepath.Join(folder, file.name)
		err := p.deliver(func(w *bufio.Writer) error { return format.Write(w, file.set, format.Options{Format: "tsv"}) })
		if err != nil {
			return err
		}
	}
	tested := 0
	for u := range test.Users().Len() {
		if test.Row(u).Len() > 0 {
			tested++
		}
	}
	p.tell("%s: %d users tested, %d items, %d training and %d test ratings", folder, tested, test.Items().Len(), train.Len(), test.Len())
	return nil
}
