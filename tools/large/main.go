// Command large makes a large set of ratings out of a small real one, and measures what the program needs to read it, to train
// on it and to recommend from it. From the module tools, with a program that was built before:
//
//	go build -o /tmp/program ./cmd/fubini
//	go run -C tools ./large -fubini /tmp/program -from ml-1m/ratings.dat -dir DIR -o large.md
//
// Ten ratings of each of some users are held back, and the table ends with how well the model ranks them. The defaults are of the size of Netflix: 480,000 users, 17,770 items, 100 million ratings. The folder DIR needs 4 GB for them.
// Without -fubini the set alone is made.
//
//	go run -C tools ./large serve -fubini /tmp/program DIR/model.safetensors DIR/people.csv
//
// starts a server with the model, and asks it for the best items of a thousand people, one after another.
//
//	go run -C tools ./large stream -dir DIR
//
// writes planted ratings as Parquet, a hundred million and then a billion, and measures one pass over each, user by user.
//
//	go run -C tools ./large beam -beam /tmp/fubini-beam -fubini /tmp/program -from ml-1m/ratings.dat -dir DIR
//
// measures what fubini-beam train costs on two sets, with few rounds, and projects to a billion ratings. With -also 10000000 it trains on a larger set too,
// with two rounds and with -rounds, says what the line through the others had for it, and projects from the two larger sets.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fubini/data/format"
	"fubini/tools/peak"
)

func main() {
	if len(os.Args) > 1 {
		if command, known := map[string]func([]string) error{"stream": stream, "beam": beam, "serve": serve}[os.Args[1]]; known {
			if err := command(os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, "large:", err)
				os.Exit(1)
			}
			return
		}
	}
	var r run
	flag.StringVar(&r.from, "from", "", "ratings to expand, such as ml-1m/ratings.dat")
	flag.StringVar(&r.dir, "dir", "", "folder for the set and the model")
	flag.StringVar(&r.program, "fubini", "", "program to measure; none if not given")
	flag.StringVar(&r.table, "o", "", "file for the table; standard output if not given")
	flag.StringVar(&r.jobs, "j", "2", "cores")
	flag.StringVar(&r.aim, "aim", "", "what to train: taste, interest or balanced; the program's default if not given")
	flag.IntVar(&r.size.Users, "users", 480_000, "users")
	flag.IntVar(&r.size.Items, "items", 17_770, "items")
	flag.IntVar(&r.size.Ratings, "ratings", 100_000_000, "ratings, about")
	flag.Uint64Var(&r.size.Seed, "seed", 1, "seed")
	flag.Parse()
	if flag.NArg() > 0 || r.from == "" || r.dir == "" {
		fmt.Fprintln(os.Stderr, "usage: large -from RATINGS -dir DIR [flags]; -help lists them")
		os.Exit(2)
	}
	if err := r.all(); err != nil {
		fmt.Fprintln(os.Stderr, "large:", err)
		os.Exit(1)
	}
}

// run is one run of the command.
type run struct {
	from, dir, program, table, jobs, aim string
	size                                 Size
}

func (r *run) all() error {
	csv := filepath.Join(r.dir, "ratings.csv")
	written, err := r.makeSet(csv)
	if err != nil || r.program == "" {
		return err
	}
	people := filepath.Join(r.dir, "people.csv")
	if err := firstUsers(csv, people, 2*judgedUsers); err != nil {
		return err
	}
	compact, model := filepath.Join(r.dir, "ratings.compact"), filepath.Join(r.dir, "model.safetensors")
	steps := []step{
		{name: "CSV to the compact form", args: []string{"data", "convert", csv, compact}, in: csv},
		{name: "look at the compact form", args: []string{"data", "info", compact, "--format", "json"}, in: compact},
		{name: "train: tiers, calibration, interest", args: []string{"train", compact, "-j", r.jobs, "-o", model}, in: compact},
		{name: "recommend to 10,000 people", args: []string{"recommend", model, "--users", people, "-j", r.jobs, "-o", filepath.Join(r.dir, "recommended.jsonl"), "--format", "jsonl"}, in: people},
	}
	if r.aim != "" {
		steps[2].name = "train, aim " + r.aim
		steps[2].args = append(steps[2].args, "--aim", r.aim)
	}
	for k := range steps {
		if err := steps[k].run(r.program); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s: %.1f s\n", steps[k].name, steps[k].Seconds)
	}
	out := io.Writer(os.Stdout)
	if r.table != "" {
		file, err := os.Create(r.table)
		if err != nil {
			return err
		}
		defer file.Close()
		out = file
	}
	version, err := peak.Version(r.program)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d users, %d items, %d ratings, expanded from %s with seed %d; `-j %s`; fubini %s.\n\n", r.size.Users, r.size.Items, written.ratings, filepath.Base(r.from), r.size.Seed, r.jobs, version)
	if err := writeTable(out, steps); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nWhat the programs printed:\n\n")
	for _, s := range steps {
		for line := range strings.Lines(strings.ReplaceAll(s.log.String(), r.dir+string(filepath.Separator), "")) {
			fmt.Fprintf(out, "    %s\n", strings.TrimRight(line, "\r\n"))
		}
	}
	found, err := judge(model, people, written)
	if err != nil {
		return err
	}
	return found.write(out)
}

// makeSet writes the expanded set.
func (r *run) makeSet(path string) (*made, error) {
	real, _, err := format.Read(os.DirFS(filepath.Dir(r.from)), filepath.Base(r.from), format.Options{})
	if err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(file, 1<<20)
	written, err := expand(w, real, r.size)
	if err == nil {
		err = w.Flush()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return written, err
}
