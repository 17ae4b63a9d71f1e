package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fubini/tools/peak"
)

// trainingCost is what fubini-beam train took on a set, in core seconds.
type trainingCost struct {
	ratings, rounds int
	core, seconds   float64
	memory          float64 // in MB
}

// All measurements have beamShards shards, and each set is trained on with fewRounds rounds and with more.
const (
	beamShards = 4
	fewRounds  = 2
)

// beamModel is what a job costs, in core seconds: before the first round and in each round, whatever the number of ratings, and for each rating.
type beamModel struct {
	fixed, fixedRating float64
	round, roundRating float64
}

// modelOf solves for the costs: of two sets, the smaller first, each with few rounds and then more.
func modelOf(c [4]trainingCost) beamModel {
	round := func(few, more trainingCost) float64 { return (more.core - few.core) / float64(more.rounds-few.rounds) }
	small, large := round(c[0], c[1]), round(c[2], c[3])
	start := func(few trainingCost, each float64) float64 { return few.core - float64(few.rounds)*each }
	more := float64(c[2].ratings - c[0].ratings)
	m := beamModel{roundRating: (large - small) / more}
	m.round = small - m.roundRating*float64(c[0].ratings)
	first := start(c[0], small)
	m.fixedRating = (start(c[2], large) - first) / more
	m.fixed = first - m.fixedRating*float64(c[0].ratings)
	return m
}

// core is what a job costs, in core seconds, with the shards of the measurements.
func (m beamModel) core(ratings, rounds int) float64 {
	return m.fixed + float64(rounds)*m.round + (m.fixedRating+float64(rounds)*m.roundRating)*float64(ratings)
}

// hours is how long a job takes on a number of cores that share the work evenly, with a shard each: what a round costs whatever the ratings is that of four shards.
func (m beamModel) hours(ratings, rounds, cores float64) float64 {
	each := m.fixedRating + rounds*m.roundRating
	return (m.fixed + rounds*m.round/beamShards + each*ratings/cores) / 3600
}

// beam measures fubini-beam train on Prism, on two sets with few rounds, and projects to many.
func beam(args []string) error {
	flags := flag.NewFlagSet("large beam", flag.ExitOnError)
	from := flags.String("from", "", "ratings to expand, such as ml-1m/ratings.dat")
	dir := flags.String("dir", "", "folder for the sets and the models")
	program := flags.String("beam", "", "fubini-beam")
	version := flags.String("fubini", "", "fubini of the same build, which says its version")
	also := flags.Int("also", 0, "ratings of a third set, about, on which the line through the others is put to the test, and on which the projection then rests; none if 0")
	rounds := flags.Int("rounds", 6, "rounds on that set, after a run with two; more than two")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *from == "" || *dir == "" || *program == "" || *version == "" {
		return errors.New("beam: -from, -dir, -beam and -fubini must be given")
	}
	if *rounds <= fewRounds {
		return fmt.Errorf("beam: -rounds must be above %d", fewRounds)
	}
	about, err := peak.Version(*version)
	if err != nil {
		return err
	}
	var costs []trainingCost
	measure := func(size Size, rounds ...int) error {
		r := run{from: *from, dir: *dir, size: size}
		csv := filepath.Join(*dir, fmt.Sprintf("%d.csv", size.Ratings))
		written, err := r.makeSet(csv)
		for _, n := range rounds {
			if err != nil {
				break
			}
			s := step{in: csv, args: []string{"train", csv, "-o", filepath.Join(*dir, "model.safetensors"), "-j", "1", "--shards", fmt.Sprint(beamShards), "--rounds", fmt.Sprint(n), "--quiet"}}
			err = s.run(*program)
			costs = append(costs, trainingCost{written.ratings, n, s.Core, s.Seconds, s.Memory})
			fmt.Fprintf(os.Stderr, "%d ratings, %d rounds: %.1f core seconds, %.1f s\n", written.ratings, n, s.Core, s.Seconds)
		}
		return err
	}
	err = measure(Size{Users: 1510, Items: 3706, Ratings: 250_000, Seed: 1}, fewRounds, 6)
	if err == nil {
		err = measure(Size{Users: 6040, Items: 3706, Ratings: 1_000_000, Seed: 1}, fewRounds, 6)
	}
	if err == nil && *also > 0 { // as many ratings a user, about
		err = measure(Size{Users: *also / 143, Items: 10_677, Ratings: *also, Seed: 1}, fewRounds, *rounds)
	}
	if err != nil {
		return err
	}
	writeBeam(os.Stdout, costs, about)
	return nil
}

// writeBeam writes the measurements, four or six, how well the first four foretell the others, and the projection from the last four.
func writeBeam(w io.Writer, costs []trainingCost, version string) {
	fmt.Fprintln(w, "| ratings | rounds | core seconds | s | memory at its peak, MB |\n|---:|---:|---:|---:|---:|")
	for _, c := range costs {
		fmt.Fprintf(w, "| %d | %d | %.1f | %.1f | %.0f |\n", c.ratings, c.rounds, c.core, c.seconds, c.memory)
	}
	m := modelOf([4]trainingCost(costs))
	say := func(which string) {
		fmt.Fprintf(w, "By the %s four, a job costs %.1f core seconds and %.2f µs a rating before the first round, and each round %.2f core seconds and %.2f µs a rating.", which, m.fixed, 1e6*m.fixedRating, m.round, 1e6*m.roundRating)
	}
	fmt.Fprintf(w, "\nPrism, %d shards, `-j 1`; fubini %s. ", beamShards, version)
	say("first")
	if further := costs[4:]; len(further) > 0 {
		for _, c := range further {
			fmt.Fprintf(w, " By that, %d ratings and %d rounds take %.0f core seconds; measured are %.0f.", c.ratings, c.rounds, m.core(c.ratings, c.rounds), c.core)
		}
		m = modelOf([4]trainingCost(costs[len(costs)-4:]))
		fmt.Fprint(w, " ")
		say("last")
	}
	fmt.Fprintf(w, "\n\n**Projection, not a measurement**, of 50 rounds, by the last four, in hours:\n\n| ratings | 2 cores | 16 cores | 64 cores |\n|---:|---:|---:|---:|\n")
	for _, ratings := range []float64{1e7, 1e8, 1e9} {
		fmt.Fprintf(w, "| %.0f |", ratings)
		for _, cores := range []float64{2, 16, 64} {
			fmt.Fprintf(w, " %.3g |", m.hours(ratings, 50, cores))
		}
		fmt.Fprintln(w)
	}
}
