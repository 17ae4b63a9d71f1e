package main

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/mcmc"
	"fubini/model/osm"
)

// The small world of the demonstration.
var (
	foods      = []string{"pizza", "ramen", "tacos", "salad", "liver"}
	foodWorths = []float64{1.5, 1.2, 0.3, -0.4, -1.8}
)

const foodNu = 0.5

func newDemo(p *program) *cobra.Command {
	addr := "127.0.0.1:8080"
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Print a worked example: five foods in tiers",
		Long: `Print a worked example: five foods in tiers, the most likely tier lists, and a
Markov chain held against the exact answer. It is a page for people, whatever
--format says. The server that will take its place is not built yet.`,
		Example: "  fubini demo",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			return p.deliver(func(w *bufio.Writer) error { return p.demo(w) })
		},
	}
	addFlag(cmd.Flags(), "addr", "", &addr, "HOST:PORT", parseAddress, "where the server will listen")
	return cmd
}

func (p *program) demo(w *bufio.Writer) error {
	model, err := osm.NewWorths(foodWorths, foodNu, osm.Options{})
	if err != nil {
		return err
	}
	listing, err := exact.List(model, partition.Space{})
	if err != nil {
		return err
	}
	table, err := exact.NewTable(model, partition.Space{})
	if err != nil {
		return err
	}
	pen := pen{w, p.colours()}
	pen.title("Five foods in tiers")
	fmt.Fprint(w, `
The server and its page are not built yet. Until then, here is the model at work
on a small world.

`)
	var worths []string
	for i, food := range foods {
		fmt.Fprintf(w, "   %s %g", food, foodWorths[i])
		worths = append(worths, strconv.FormatFloat(foodWorths[i], 'g', -1, 64))
	}
	fmt.Fprintf(w, "   ties %g\n\n", foodNu)
	fmt.Fprintf(w, "There are %v ways to sort them into tiers. Their weights sum to Z:\n\n   log Z = %.10f, exactly\n\n",
		partition.Fubini(len(foods)), table.LogZ())

	pen.title("The most likely tier lists")
	fmt.Fprintln(w)
	pen.podium(listing)
	fmt.Fprintln(w)

	pen.title("Pizza or ramen?")
	fmt.Fprintln(w)
	pen.duel(p.seed, model, table.Moments())
	fmt.Fprintln(w)

	pen.title("Try next")
	list := strings.Join(worths, ",")
	fmt.Fprintf(w, "\n   fubini sample --worths %s --nu %g -n 3\n   fubini logz --worths %s --nu %g --format json\n", list, foodNu, list, foodNu)
	return nil
}

// pen writes the page, with colours or without.
type pen struct {
	*bufio.Writer
	colours bool
}

func (w pen) paint(code, text string) string {
	if !w.colours {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (w pen) title(text string) { fmt.Fprintln(w, w.paint("1", text)) }

// tierInk has the colours that tier lists on the web have: red for S, then
// orange, yellow, green, blue; black on a light ground of the 256 colours.
var tierInk = []string{"30;48;5;210", "30;48;5;216", "30;48;5;228", "30;48;5;120", "30;48;5;111"}

// podium draws the three most likely tier lists side by side.
func (w pen) podium(listing *exact.Listing) {
	const places, width = 3, 22
	states, probability := listing.States(), listing.Probabilities()
	order := make([]int, len(states))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(probability[b], probability[a]) })
	order = order[:places]
	tiers := 0
	line := ""
	for _, i := range order {
		line += fmt.Sprintf("   %-*s", width, fmt.Sprintf("%.1f %%", 100*probability[i]))
		tiers = max(tiers, states[i].Len())
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
	for t := range tiers {
		line = ""
		for _, i := range order {
			if t >= states[i].Len() {
				line += fmt.Sprintf("   %*s", width, "")
				continue
			}
			var names []string
			for _, item := range states[i].Blocks()[t] {
				names = append(names, foods[item])
			}
			label := w.paint(tierInk[t], " "+"SABCD"[t:t+1]+" ")
			line += fmt.Sprintf("   %s %-*s", label, width-4, strings.Join(names, " "))
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// duel compares the exact relation of the first two foods with what Markov
// chains say about it.
func (w pen) duel(seed uint64, model *osm.Worths, moments *exact.Moments) {
	const chains, sweeps = 4, 5000
	fmt.Fprintf(w, "Exactly, and from %d chains of %d reinsertion sweeps (seed %d):\n\n", chains, sweeps, seed)
	rows := []struct {
		name     string
		relation partition.Relation
		exact    float64
	}{
		{"pizza above", partition.Above, moments.Above(0, 1)},
		{"on one tier", partition.Tied, moments.Tied(0, 1)},
		{"ramen above", partition.Below, moments.Above(1, 0)},
	}
	relations := walkFoods(seed, model, chains, sweeps)
	worst := 0.0
	fmt.Fprintf(w, "   %-11s  %6s  %-18s  %15s  %s\n", "", "exact", "", "chains", "standard errors off")
	for _, row := range rows {
		hits := make([][]float64, chains)
		for c, chain := range relations {
			hits[c] = make([]float64, sweeps)
			for i, r := range chain {
				if r == row.relation {
					hits[c][i] = 1
				}
			}
		}
		mean, deviation := mcmc.Mean(hits), mcmc.StandardError(hits)
		z := 0.0
		if deviation > 0 {
			z = (mean - row.exact) / deviation
		}
		worst = max(worst, math.Abs(z))
		bar := strings.Repeat("█", int(math.Round(40*row.exact)))
		fmt.Fprintf(w, "   %-11s  %.4f  %s  %.4f ± %.4f  %+.1f\n",
			row.name, row.exact, w.paint("36", fmt.Sprintf("%-18s", bar)), mean, deviation, z)
	}
	if worst <= 3 {
		fmt.Fprint(w, "\nThe chains agree with the exact answer, to within their own error.\n")
	} else {
		fmt.Fprint(w, "\nMore than three standard errors off, as at about one seed in 150. Try another.\n")
	}
}

// walkFoods returns how pizza stood to ramen after each sweep of each chain.
func walkFoods(seed uint64, model *osm.Worths, chains, sweeps int) [][]partition.Relation {
	relations := make([][]partition.Relation, chains)
	for c := range relations {
		r := rng.Stream(seed, "demo", uint64(c))
		kernel, err := mcmc.NewReinsertion(model, partition.Space{})
		if err != nil {
			panic(err) // the space of all partitions fits any number of items
		}
		x := partition.OneBlock(model.N())
		partition.NewUniform(model.N()).Draw(r, x)
		for range 100 { // burn-in, long for five items
			kernel.Step(r, x, nil)
		}
		relations[c] = make([]partition.Relation, sweeps)
		for i := range relations[c] {
			kernel.Step(r, x, nil)
			relations[c][i] = x.Relation(0, 1)
		}
	}
	return relations
}
