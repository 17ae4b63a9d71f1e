// Command firstminute measures the first minute of the page: how good guesses are after 5, 10 and 20 answers, if the items
// that a new person is asked about are those whose place is least sure, the better known the sooner, chosen at random, or the best known first, and
// when the questions end. It writes a page with the tables after each world.
//
//	go run -C tools ./firstminute -o ../docs/firstminute.md
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"fubini/judge/evaluate"
	"fubini/use/deal"
)

const (
	seed    = 1
	least   = 30  // items of a person who takes part
	tested  = 8   // of them are never asked about: guesses are judged on these
	perDeal = 200 // most cards: who knows too few of them leaves
)

var after = []int{5, 10, 20} // answers

// mean is a mean with half of a 95 % interval of the normal approximation over people.
func mean(values []float64) (m, half float64) {
	m, stdErr := evaluate.MeanError(values)
	return m, 1.96 * stdErr
}

func (w *world) write(b *strings.Builder, all [][]*outcome) {
	fmt.Fprintf(b, "\n## %s\n\n| answers | chosen by | people | log loss | against the first | cards |\n| --- | --- | --- | --- | --- | --- |\n", strings.ToUpper(w.name[:1])+w.name[1:])
	for _, answers := range after {
		n := answers - 1
		for k := range ways {
			var loss, ahead, cards []float64
			for u := range w.people {
				if slices.ContainsFunc(all, func(by []*outcome) bool { return len(by[u].Loss) <= n }) {
					continue // under some way they knew too few of the cards
				}
				loss, cards = append(loss, all[k][u].Loss[n]), append(cards, float64(all[k][u].Cards[n]))
				ahead = append(ahead, all[k][u].Loss[n]-all[0][u].Loss[n])
			}
			if len(loss) < 2 {
				continue
			}
			m, half := mean(loss)
			against := "–"
			if k > 0 {
				d, by := mean(ahead)
				against = fmt.Sprintf("%+.3f ± %.3f", d, by)
			}
			asked, _ := mean(cards)
			fmt.Fprintf(b, "| %d | %s | %d | %.3f ± %.3f | %s | %.1f |\n", answers, ways[k].name, len(loss), m, half, against, asked)
		}
	}
}

// writeEnds tells when the questions end by [deal.Enough], and what guesses are worth then, beside numbers of answers fixed beforehand.
func (w *world) writeEnds(b *strings.Builder, dealt []*outcome) {
	fmt.Fprint(b, "\nWhen the questions end, of people who knew enough cards:\n\n| end | people | answers, mean | 10 % to 90 % | log loss | against 10 answers |\n| --- | --- | --- | --- | --- | --- |\n")
	row := func(name string, end func(o *outcome) int) {
		var answers, loss, ahead []float64
		for _, o := range dealt {
			if len(o.Loss) < deal.Most {
				continue
			}
			n := end(o)
			answers, loss, ahead = append(answers, float64(n)), append(loss, o.Loss[n-1]), append(ahead, o.Loss[n-1]-o.Loss[9])
		}
		if len(loss) < 2 {
			return
		}
		slices.Sort(answers)
		m, _ := mean(answers)
		l, half := mean(loss)
		d, by := mean(ahead)
		fmt.Fprintf(b, "| %s | %d | %.1f | %.0f to %.0f | %.3f ± %.3f | %+.3f ± %.3f |\n", name, len(loss), m, answers[len(answers)/10], answers[len(answers)*9/10], l, half, d, by)
	}
	row("guesses hold still", func(o *outcome) int {
		for n := 1; ; n++ {
			if deal.Enough(n, o.Moved[n-1]) {
				return n
			}
		}
	})
	for _, n := range []int{5, 8, 9, 10, deal.Most} {
		row(fmt.Sprint("after ", n), func(*outcome) int { return n })
	}
}

func main() {
	output := flag.String("o", "", "file to write; empty means standard output")
	n := flag.Int("people", 400, "most people of each world")
	flag.Parse()
	if err := measure(context.Background(), *output, *n); err != nil {
		fmt.Fprintln(os.Stderr, "firstminute:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, output string, n int) error {
	commit, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--abbrev=9", "--exclude=*").Output()
	if err != nil {
		return fmt.Errorf("the commit of this tree: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# The first minute, measured

How good the questions are that the page asks a new person first, and when it should stop asking. Made by `+"`go run -C tools ./firstminute -o ../docs/firstminute.md`"+`, with %d people at most. A new person is asked about one item after the other, and answers with a tier, or that they do not know it. %d of their items are never asked about. After 5, 10 and 20 answers the odds of the tiers of these items are compared with where the
person put them: the log loss is in nats, lower is better, with 95 %% intervals over people. The odds of a gap between tiers are divided by the person's empty tiers inside it. Differences are paired, by person: a positive one means that the first way is better. *Cards* is the mean number of items dealt until that many were known. People have %d items or more; a row counts those who knew enough of the cards under every way. All ways choose from the %d best-known items that are left.

*Dealt* is what the page does: the item with the largest entropy of its place times the cube root of the share of people who have it ([maths](maths.md#deal)).

Seed %d, commit %s.
`, n, tested, least, deal.Candidates, seed, strings.TrimSpace(string(commit)))
	for _, make := range []func(context.Context, int) (*world, error){foods, films} {
		w, err := make(ctx, n)
		if err != nil {
			return err
		}
		all, err := w.run(ctx)
		if err != nil {
			return err
		}
		w.write(&b, all)
		w.writeEnds(&b, all[0])
		fmt.Fprintln(os.Stderr, w.name, "done")
		if output == "" {
			continue
		}
		if err := os.WriteFile(output, []byte(b.String()), 0o644); err != nil { // what there is so far
			return err
		}
	}
	if output == "" {
		fmt.Print(b.String())
	}
	return nil
}
