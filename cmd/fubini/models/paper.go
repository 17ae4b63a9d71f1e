package models

import (
	"bufio"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/paper"
	"fubini/paper/cells"
	"fubini/paper/chart"
	"fubini/paper/report"
)

func reproducePaper(p *cli.Program, cmd *cobra.Command, target string, f *reproduceFlags) error {
	ctx, flags := cmd.Context(), cmd.Flags()
	for _, other := range []string{"given", "models", "budget", "peers"} {
		if flags.Changed(other) {
			return exit.Usagef("--%s goes with %s; %s has the paper's own (--largest lowers N)", other, strings.Join(ownTargets, ", "), target)
		}
	}
	switch {
	case f.report != "" && target != "all":
		return exit.Usagef("--report goes with the target all, not with %s", target)
	case f.report != "" && f.largest > 0:
		return exit.Usagef("--report is about the paper's own N; it does not go with --largest")
	}
	size := paper.Full()
	if f.quick {
		size = paper.Quick()
	}
	size.Largest = f.largest
	if flags.Changed("seeds") {
		size.Seeds = f.seeds
	}
	r := &paper.Reproduction{Size: size, Seed: p.Seed}
	var err error
	if r.Data, err = reproduceData(ctx, p, f.data, f.name, !f.plain, f); err != nil {
		return err
	}
	if f.netflix != "" {
		if r.Netflix, err = reproduceData(ctx, p, f.netflix, "", !f.plain, f); err != nil {
			return err
		}
	}
	names := []string{target}
	if target == "all" {
		names = paper.Targets()
	}
	plan := &cells.Plan{
		Runner: &cells.Runner{Store: folderStore(p.Output), Jobs: p.Jobs, Program: cli.BuildVersion().Name()},
		Observe: func(now cells.Progress) {
			left := ""
			if now.Left >= 0 {
				left = fmt.Sprintf(", about %s left", now.Left)
			}
			p.Tell("%d of %d cells done%s; now %s", now.Done, now.Total, left, now.Cell)
		},
		Unmade: func(cell, reason string) { p.Tell("not made: %s: %s", cell, reason) },
	}
	var results []*paper.Result
	err = r.Run(ctx, plan, names, func(result *paper.Result) error {
		results = append(results, result)
		p.Tell("%s: %s", result.Target, filepath.Join(p.Output, result.Target))
		return writeFiles("--output", filepath.Join(p.Output, result.Target), result.Files())
	})
	if err != nil || f.report == "" {
		return err
	}
	return writeReport(f.report, reproduceCommand(flags, f), results)
}

// writeFiles puts files into a folder, each complete or not at all.
func writeFiles(flag, folder string, files []chart.File) error {
	for _, file := range files {
		if err := writeInto(flag, filepath.Join(folder, file.Name), func(w *bufio.Writer) error { return file.Write(w) }); err != nil {
			return err
		}
	}
	return nil
}

// writeReport writes the page, and the pictures it shows in a folder beside it.
func writeReport(path, command string, results []*paper.Result) error {
	page, pictures, err := report.Write(command, results)
	if err != nil {
		return err
	}
	if err := writeFiles("--report", filepath.Join(filepath.Dir(path), "pictures"), pictures); err != nil {
		return err
	}
	page.Name = filepath.Base(path)
	return writeFiles("--report", filepath.Dir(path), []chart.File{page})
}

// reproduceCommand is the command that makes the report again, without folders of this machine.
func reproduceCommand(flags *pflag.FlagSet, f *reproduceFlags) string {
	words := []string{"go build ./cmd/fubini && ./fubini reproduce all"}
	flags.Visit(func(flag *pflag.Flag) {
		switch {
		case slices.Contains([]string{"output", "jobs", "quiet", "report"}, flag.Name):
			return
		case flag.Name == "data" || flag.Name == "netflix":
			words = append(words, "--"+flag.Name, filepath.Base(flag.Value.String()))
		case flag.NoOptDefVal != "":
			words = append(words, "--"+flag.Name)
		default: // lists come as [1 2]
			value := strings.ReplaceAll(strings.Trim(flag.Value.String(), "[]"), " ", ",")
			words = append(words, "--"+flag.Name, value)
		}
	})
	return strings.Join(append(words, "-o results", "--report", "docs/"+filepath.Base(f.report)), " ")
}
