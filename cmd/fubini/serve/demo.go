package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"fubini/app/demo"
	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/cmd/fubini/terminal"
	"fubini/data/codec"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/data/tierlist"
	"fubini/learn/modelstore"
)

// Demo is the command fubini demo, which trains on the demonstration world and serves the page.
func Demo(p *cli.Program) *cobra.Command {
	folder, world := "", "foods"
	cmd := cli.Page(pages, "demo")
	flags := cmd.Flags()
	f := addAddress(p, cmd)
	cli.AddChoice(cmd, flags, "world", &world, []string{"foods", "films"}, "foods, which synthetic people sort into tiers; films, which real people rated (MovieTweetings, 2013)")
	cli.AddOutput(flags, "write", "", &folder, "DIR", cli.ParsePath, "write the people and their foods or films to a folder and end")
	cli.Mark(flags, "write", cli.Role, cli.WritesFolder)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case !onLoopback(f.address):
			return exit.Usagef("--addr: %s can be reached from other machines, and the demonstration is for this one; write the model (-o foods.safetensors) and see fubini serve --help", f.address)
		case folder != "" && flags.Changed("output"):
			return exit.Usagef("--output does not go with --write, which names a folder")
		case folder != "":
			return writeWorld(cmd.Context(), p, world, folder)
		}
		began := time.Now()
		view := terminal.WatchTraining(p.ProgressTo())
		saved, err := trainWorld(world)(cmd.Context(), demo.Training{Seed: p.Seed, Jobs: p.Jobs, Program: cli.BuildVersion().Version, Observe: view.Epoch})
		view.End(err)
		if err != nil {
			return err
		}
		took := time.Since(began)
		if p.Output != "-" {
			if err := input.Save(p.Results(), saved); err != nil {
				return err
			}
			p.Tell("%s has the model of %d %s; fubini serve %s shows its page", p.Output, len(saved.ItemIDs), world, p.Output)
			return nil
		}
		to := p.Results()
		to.Escapes = true // those of the titles; all words are ours
		show := showTastes
		if world == "films" {
			show = showFilms
		}
		if err := to.Deliver(func(w *bufio.Writer) error { return show(p, w, saved) }); err != nil {
			return err
		}
		return serveDemo(cmd.Context(), p, world, saved, took, f.address, !flags.Changed("addr"))
	}
	return cmd
}

// serveDemo serves the page until the context ends, with a store in a temporary folder.
func serveDemo(ctx context.Context, p *cli.Program, world string, saved *modelstore.Saved, took time.Duration, address string, elsewhere bool) (err error) {
	hangUp := catchHangUp()
	defer signal.Stop(hangUp)
	folder, err := os.MkdirTemp("", "fubini-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	all := newWorlds(ctx, p, folder, world)
	defer all.running.Wait()
	return all.host(world, saved, took, hosting{
		name: saved.Title, welcome: "http://%s is the page; Ctrl-C ends it", patience: 5 * time.Second, hangUp: hangUp,
		listen: func() (net.Listener, error) {
			listener, err := net.Listen("tcp", address)
			if elsewhere && errors.Is(err, syscall.EADDRINUSE) {
				return net.Listen("tcp", "127.0.0.1:0")
			}
			return listener, err
		},
	})
}

func showTastes(p *cli.Program, w *bufio.Writer, saved *modelstore.Saved) error {
	const each = 3 // which fit into a line
	units, err := saved.Units(each)
	if err != nil {
		return err
	}
	title := func(text string) { writeTitle(p, w, text) }
	title(saved.Title)
	fmt.Fprintf(w, "\n%d foods, sorted into tiers by %d people who do not exist: %d placements.\n\n", len(saved.ItemIDs), saved.Users, saved.Ratings)
	title("Tastes it found")
	fmt.Fprintln(w)
	for _, u := range units {
		fmt.Fprintf(w, "   %2.0f %% of people   up    %s\n                    down  %s\n", 100*u.Share, named(saved, u.Up), named(saved, u.Down))
	}
	best := 0.0
	for _, e := range saved.History {
		best = max(best, e.Validation)
	}
	fmt.Fprintln(w)
	title("How good it is")
	fmt.Fprintf(w, "\n   NDCG@10 on held-back placements  %.4f, item means %.4f\n", best, saved.ItemMean)
	fmt.Fprintf(w, "   calibration error of its odds    %.4f, over %d places of unseen people\n\n", saved.Calibration.ECE, saved.Calibration.Events)
	title("Try next")
	fmt.Fprint(w, "\n   fubini demo -o foods.safetensors\n   echo '[[\"ramen\",\"pho\"],[\"pizza\"],[\"olives\"]]' |\n     fubini recommend foods.safetensors --tiers -\n")
	return nil
}

func writeTitle(p *cli.Program, w *bufio.Writer, text string) {
	if p.Colours() {
		text = "\x1b[1m" + text + "\x1b[0m"
	}
	fmt.Fprintln(w, text)
}

// showFilms writes what the model of films was made from, and how good its odds are.
func showFilms(p *cli.Program, w *bufio.Writer, saved *modelstore.Saved) error {
	writeTitle(p, w, saved.Title)
	fmt.Fprintf(w, "\n%d films, with %d ratings by %d people on Twitter,\ncollected by Simon Dooms (MIT licence).\n\n", len(saved.ItemIDs), saved.Ratings, saved.Users)
	if saved.Calibration != nil {
		writeTitle(p, w, "How good it is")
		fmt.Fprintf(w, "\n   calibration error of its odds    %.4f, over %d places held back\n\n", saved.Calibration.ECE, saved.Calibration.Events)
	}
	writeTitle(p, w, "Try next")
	_, err := fmt.Fprint(w, "\n   fubini demo --world films -o films.safetensors\n   echo '[[\"The Matrix\",\"Alien\"],[\"Titanic\"]]' |\n     fubini recommend films.safetensors --tiers -\n")
	return err
}

func named(saved *modelstore.Saved, items []int) string {
	var names []string
	for _, i := range items {
		names = append(names, saved.ItemEmoji[i]+" "+strings.ReplaceAll(saved.ItemNames[i], "\u00ad", ""))
	}
	return strings.Join(names, ", ")
}

func writeWorld(ctx context.Context, p *cli.Program, world, folder string) error {
	set, items, people, err := worldOf(ctx, p, world)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	for _, file := range []struct {
		name  string
		write func(w *bufio.Writer) error
	}{
		{"ratings.csv", func(w *bufio.Writer) error { return format.Write(w, set, format.Options{Format: "csv"}) }},
		{"tiers.jsonl", func(w *bufio.Writer) error { return writeLists(w, set, world) }},
		{"items.csv", func(w *bufio.Writer) error { return items(w) }},
	} {
		if err := (cli.Destination{Flag: "--write", Path: filepath.Join(folder, file.name)}).Deliver(file.write); err != nil {
			return err
		}
	}
	p.Tell("%s: %d %s, %d %s, %d placements", folder, set.Users().Len(), people, set.Items().Len(), world, set.Len())
	return ctx.Err()
}

// worldOf are the placements of a world, a function that writes its items, and what its people are.
func worldOf(ctx context.Context, p *cli.Program, world string) (set *ratings.Set, items func(w io.Writer) error, people string, err error) {
	if world == "films" {
		set, err = demo.Films()
		return set, demo.WriteFilms, "people on Twitter", err
	}
	foods := demo.New()
	all, err := foods.People(ctx, p.Seed, demo.TrainingPeople, p.Jobs)
	if err != nil {
		return nil, nil, "", err
	}
	set, err = foods.Ratings(all)
	return set, foods.WriteItems, "synthetic people", err
}

// writeLists writes a tier list a line: of foods with letters for each person's tiers, of films with the ratings as names.
func writeLists(w *bufio.Writer, set *ratings.Set, world string) error {
	if world == "films" {
		return format.Write(w, set, format.Options{Format: codec.TierLists.Name})
	}
	for u := range set.Users().Len() {
		line, err := tierlist.Line{User: set.Users().ID(uint32(u)), Tiers: codec.TiersOf(set, u).Tiers}.Encode()
		if err != nil {
			return err
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
