// Bench measures how fast sampling, training, recommending and serving are on this machine.
//
//	go run -C tools ./bench page [flags]       run the Go benchmarks, and write the tables of docs/performance.md
//	go run -C tools ./bench load [flags] URL   measure a server under offered loads
//	go run -C tools ./bench once FILE          read ratings to memory, and say the core seconds, the MB at most and the number of ratings
//	go run -C tools ./bench reading FILE...    convert files of ratings to the compact form, and write a table of docs/performance-reading.md
//	go run -C tools ./bench tastes [flags]     fit votes of raters of two planted tastes, and write the table of docs/votes.md
//	go run -C tools ./bench training DATA      train on ratings, by what is left out, and write a table of docs/performance-training.md
//	go run -C tools ./bench world FILE         write a random model of 10,000 items to serve meanwhile
//
// The flags of each are listed by -h. Paths are relative to tools.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"fubini/app/measure"
	"fubini/learn/modelstore"
)

const seed = 1

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("want page, load URL, once FILE, reading FILE, tastes, training DATA or world FILE; each has -h")
	}
	flags := flag.NewFlagSet("bench "+args[0], flag.ContinueOnError)
	output := flags.String("o", "", "file for the tables; standard output if empty")
	var fill func(w io.Writer) error
	argument := "" // an example of the one that is wanted
	many := false  // there may be more of them
	switch args[0] {
	case "page":
		p := newPage(flags)
		fill = func(w io.Writer) error { return p.write(ctx, w) }
	case "load":
		l := newLoads(flags)
		fill = func(w io.Writer) error { return l.write(ctx, flags.Arg(0), w) }
		argument = "the URL of a server, as in http://127.0.0.1:8080"
	case "reading":
		r := newReading(flags)
		fill = func(w io.Writer) error { return r.write(ctx, flags.Args(), w) }
		argument, many = "files of ratings, as in data/ml-1m/ratings.dat", true
	case "once":
		fill = func(w io.Writer) error { return readOnce(flags.Arg(0), w) }
		argument = "a file of ratings, as in data/ml-1m/ratings.dat"
	case "tastes":
		t := newTastes(flags)
		fill = func(w io.Writer) error { return t.write(ctx, w) }
	case "training":
		t := newTraining(flags)
		fill = func(w io.Writer) error { return t.write(ctx, flags.Arg(0), w) }
		argument = "ratings, as in data/ml-1m"
	case "world":
		fill = writeWorld
		argument = "the file for the model, as in world.safetensors"
	default:
		return fmt.Errorf("no command %q; want page, load, once, reading, tastes, training or world", args[0])
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if (flags.NArg() >= 1) != (argument != "") || flags.NArg() > 1 && !many {
		return fmt.Errorf("%s takes %s, not %q", args[0], cmp.Or(argument, "no argument"), flags.Args())
	}
	if args[0] == "world" {
		*output = flags.Arg(0)
	}
	return write(*output, fill)
}

// write hands a file, or standard output, to a function.
func write(name string, fill func(w io.Writer) error) error {
	to := os.Stdout
	if name != "" {
		file, err := os.Create(name)
		if err != nil {
			return err
		}
		defer file.Close()
		to = file
	}
	w := bufio.NewWriter(to)
	return cmp.Or(fill(w), w.Flush())
}

// writeWorld writes the model that recommending is measured on.
func writeWorld(w io.Writer) error {
	return writeModel(w, measure.Model(seed))
}

// writeModel writes a model as a file.
func writeModel(w io.Writer, saved *modelstore.Saved) error {
	file, err := saved.File()
	if err != nil {
		return err
	}
	_, err = file.WriteTo(w)
	return err
}

// tell writes a line of progress.
func tell(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
