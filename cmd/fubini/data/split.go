package data

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/data/text"
)

func newSplit(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "split")
	cmd.Annotations = map[string]string{cli.FolderWith: "always"}
	flags := cmd.Flags()
	protocol, read := AddProtocol(p, cmd), readFlags(p, cmd)
	times := flags.Bool("times", false, "write times too, as a fourth column")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if p.Output == "-" {
			return exit.Usagef("--output is missing: the folder for train.tsv and test.tsv, as in -o split")
		}
		if err := protocol.Check(flags); err != nil {
			return err
		}
		read.Scale = protocol.Scale
		set, _, err := input.Read(cmd.Context(), p, args[0], *read)
		if err != nil {
			return err
		}
		if *times && !set.HasTimes() {
			return fmt.Errorf("--times: %s has no times", args[0])
		}
		splits, err := protocol.Splits(set, p.Seed)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		return writeSplits(cmd.Context(), p, splits, protocol.Protocol == "user", *times)
	}
	return cmd
}

// writeSplits writes all splits to a folder below the target, and moves the files when all are complete.
func writeSplits(ctx context.Context, p *cli.Program, splits []ratings.Split, given, times bool) error {
	target := filepath.Clean(p.Output)
	if err := os.MkdirAll(target, 0o777); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	stage, err := os.MkdirTemp(target, ".fubini-")
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	defer os.RemoveAll(stage)
	var files []string
	for k, split := range splits {
		folder := ""
		if len(splits) > 1 {
			folder = fmt.Sprint(k + 1)
		}
		written, err := writeSplit(p, stage, folder, split, given, times)
		if err != nil {
			return err
		}
		files = append(files, written...)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := move(files, stage, target); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if given {
		return nil
	}
	// One of an earlier split by users would be mixed up with these.
	if err := os.Remove(filepath.Join(target, "known.tsv")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--output: %w", err)
	}
	return nil
}

// move moves files from one folder to another, all of them or, where one is a folder there, none.
func move(files []string, from, to string) error {
	for _, file := range files {
		if info, err := os.Stat(filepath.Join(to, file)); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a folder", filepath.Join(to, file))
		}
	}
	for _, file := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, file)), 0o777); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(from, file), filepath.Join(to, file)); err != nil {
			return err
		}
	}
	return nil
}

// writeSplit writes the files of one split below the stage and returns their names.
func writeSplit(p *cli.Program, stage, folder string, split ratings.Split, given, times bool) (files []string, err error) {
	train, test := split.Training.Set(), split.Holdout.Set()
	parts := []*ratings.Set{train, test}
	if given {
		parts = append(parts, split.Holdout.Given(split.Training))
	}
	if err := os.MkdirAll(filepath.Join(stage, folder), 0o777); err != nil {
		return nil, fmt.Errorf("--output: %w", err)
	}
	for k, part := range parts {
		file := filepath.Join(folder, input.SplitFiles[k])
		to := cli.Destination{Flag: "--output", Path: filepath.Join(stage, file)}
		if err := to.Deliver(func(w *bufio.Writer) error { return format.Write(w, part, format.Options{Format: "tsv", Times: times}) }); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	tested := 0
	for u := range test.Users().Len() {
		tested += min(1, test.Row(u).Len())
	}
	p.Tell("%s: %s tested, %s, %s and %s", filepath.Join(p.Output, folder), text.Count(tested, "user", "users"), text.Count(test.Items().Len(), "item", "items"),
		text.Count(train.Len(), "training rating", "training ratings"), text.Count(test.Len(), "test rating", "test ratings"))
	return files, nil
}
