// Command firstminute measures the first minute of the page: how good guesses are after 5, 10 and 20 answers, if the items
// that a new person is asked about are chosen by expected information and interest, at random, or the best known first. It
// writes a page with the table.
//
//	go run -C tools ./firstminute -o PAGE.md
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"fubini/app/demo"
	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/use/deal"
)

const (
	seed    = 1
	least   = 30  // items of a person who takes part
	tested  = 8   // of them are never asked about: guesses are judged on these
	perDeal = 200 // most cards: who knows too few of them leaves
)

var after = []int{5, 10, 20} // answers

// A way of choosing puts the best-known items that are left in the order in which they are asked about.
type way struct {
	name string
	next func(s *modelstore.Saved, p model.Person, away []int, r *rng.Rand) ([]deal.Card, error)
}

var ways = []way{
	{"expected information × interest", func(s *modelstore.Saved, p model.Person, away []int, r *rng.Rand) ([]deal.Card, error) {
		return s.Deal(p, away, r)
	}},
	{"best known first", func(s *modelstore.Saved, p model.Person, away []int, _ *rng.Rand) ([]deal.Card, error) {
		return left(s, p, away), nil
	}},
	{"at random", func(s *modelstore.Saved, p model.Person, away []int, r *rng.Rand) ([]deal.Card, error) {
		cards := left(s, p, away)
		r.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
		return cards, nil
	}},
}

// left are the best-known items that were neither placed nor asked about, the same that a deal chooses from.
func left(s *modelstore.Saved, p model.Person, away []int) (cards []deal.Card) {
	for _, i := range s.MostRated(1) {
		if len(cards) < deal.Candidates && !slices.Contains(away, i) && !slices.Contains(p.Known.Items, uint32(i)) {
			cards = append(cards, deal.Card{Item: i})
		}
	}
	return cards
}

// outcome is what became of one person under one way.
type outcome struct {
	loss  []float64 // mean log loss of the guesses after each number of answers
	cards []float64 // cards that it took
}

// play asks one person. Answers are tiers alone, as on the page; tiers are the person's own ratings.
func play(s *modelstore.Saved, w way, person model.Person, r *rng.Rand) (*outcome, error) {
	known := map[int]float32{}
	var levels []float32
	order := r.Perm(person.Known.Len())
	var test []int
	for k, at := range order {
		item, value := int(person.Known.Items[at]), person.Known.Values[at]
		levels = append(levels, value)
		if k < tested {
			test = append(test, at)
		} else {
			known[item] = value
		}
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	slices.Reverse(levels) // best first
	so := model.Person{Index: -1, TiersOnly: true}
	var away []int
	for _, at := range test {
		away = append(away, int(person.Known.Items[at]))
	}
	out := &outcome{}
	for cards := 1; len(out.loss) < len(after) && cards <= perDeal; cards++ {
		next, err := w.next(s, so, away, r)
		if err != nil {
			return nil, err
		}
		if len(next) == 0 {
			break
		}
		item := next[0].Item
		value, tried := known[item]
		if !tried {
			away = append(away, item)
			continue
		}
		at, _ := slices.BinarySearch(so.Known.Items, uint32(item))
		so.Known.Items, so.Known.Values = slices.Insert(so.Known.Items, at, uint32(item)), slices.Insert(so.Known.Values, at, value)
		if so.Known.Len() != after[len(out.loss)] {
			continue
		}
		loss, err := judge(s, so, person, test, levels)
		if err != nil {
			return nil, err
		}
		out.loss, out.cards = append(out.loss, loss), append(out.cards, float64(cards))
	}
	return out, nil
}

// judge is the mean log loss, in nats, of the tiers of the tested items. A guess is a probability of each of the person's
// tiers, whether something stands in it already or not: the odds of a gap are shared by the tiers inside it, or by its two
// neighbours where there is none.
func judge(s *modelstore.Saved, so, person model.Person, test []int, levels []float32) (loss float64, err error) {
	placer, err := s.Placer(so)
	if err != nil {
		return 0, err
	}
	used := slices.Clone(so.Known.Values)
	slices.Sort(used)
	used = slices.Compact(used)
	slices.Reverse(used)
	for _, at := range test {
		odds := placer.Place(int(person.Known.Items[at]))
		chances := make([]float64, len(levels))
		first := 0 // tier after the last used one
		for t := range len(used) + 1 {
			until := len(levels)
			if t < len(used) {
				until = slices.Index(levels, used[t])
				chances[until] += odds.Tiers[t]
			}
			inside := []int{}
			for k := first; k < until; k++ {
				inside = append(inside, k)
			}
			if len(inside) == 0 && first > 0 {
				inside = append(inside, first-1)
			}
			if until == first && until < len(levels) {
				inside = append(inside, until)
			}
			for _, k := range inside {
				chances[k] += odds.Gaps[t] / float64(len(inside))
			}
			first = until + 1
		}
		loss -= math.Log(chances[slices.Index(levels, person.Known.Values[at])]) / float64(len(test))
	}
	return loss, nil
}

// world is a model, and people that it has not seen.
type world struct {
	name   string
	saved  *modelstore.Saved
	people []model.Person
}

func foods(ctx context.Context, n int) (*world, error) {
	w := demo.New()
	saved, err := w.Train(ctx, demo.Training{Seed: seed})
	if err != nil {
		return nil, err
	}
	const before = demo.TrainingPeople + demo.HeldOutPeople
	drawn, err := w.People(ctx, seed, before+4*n, 0)
	if err != nil {
		return nil, err
	}
	set, err := w.Ratings(drawn[before:])
	return &world{"foods, drawn people", saved, takePart(saved, set, func(int) bool { return true }, n)}, err
}

// films trains as fubini demo does, without every fourth of the people who rated enough films.
func films(ctx context.Context, n int) (*world, error) {
	set, err := demo.Films()
	if err != nil {
		return nil, err
	}
	many := 0
	out := make([]bool, set.Users().Len())
	for u := range out {
		if set.Row(u).Len() >= least {
			out[u] = many%4 == 0
			many++
		}
	}
	recipe, err := registry.New("latent-osm")
	if err != nil {
		return nil, err
	}
	if err := setting.Apply(recipe.Settings(), map[string]float64{"epochs": 15}); err != nil {
		return nil, err
	}
	saved, err := modelstore.Train(ctx, set.OfUsers(func(u int) bool { return !out[u] }), modelstore.Request{Model: "latent-osm", Recipe: recipe, Seed: seed, Calibrate: 0.1, Interest: true})
	if err != nil {
		return nil, err
	}
	return &world{"films, people held out", saved, takePart(saved, set, func(u int) bool { return out[u] }, n)}, nil
}

// takePart are up to n people with enough items.
func takePart(saved *modelstore.Saved, set *ratings.Set, wanted func(u int) bool, n int) (people []model.Person) {
	for u := range set.Users().Len() {
		if p, _ := saved.Person(set, u); wanted(u) && p.Known.Len() >= least && len(people) < n {
			people = append(people, p)
		}
	}
	return people
}

// run plays with everybody, and returns outcomes by way and person.
func (w *world) run(ctx context.Context) ([][]*outcome, error) {
	all := make([][]*outcome, len(ways))
	for k := range ways {
		all[k] = make([]*outcome, len(w.people))
	}
	err := parallel.Each(ctx, len(w.people), 0, func(_, u int) (err error) {
		for k := range ways {
			// The same stream for all ways: the tested items are the same.
			if all[k][u], err = play(w.saved, ways[k], w.people[u], rng.Stream(seed, "first minute", uint64(u))); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// mean is a mean with a 95 % interval of the normal approximation over people.
func mean(values []float64) (m, half float64) {
	for _, v := range values {
		m += v / float64(len(values))
	}
	for _, v := range values {
		half += (v - m) * (v - m)
	}
	return m, 1.96 * math.Sqrt(half/float64(len(values)-1)/float64(len(values)))
}

func (w *world) write(b *strings.Builder, all [][]*outcome) {
	fmt.Fprintf(b, "\n## %s\n\n| answers | chosen by | people | log loss | against the first | cards |\n| --- | --- | --- | --- | --- | --- |\n", strings.ToUpper(w.name[:1])+w.name[1:])
	for n, answers := range after {
		for k := range ways {
			var loss, ahead, cards []float64
			for u := range w.people {
				if slices.ContainsFunc(all, func(by []*outcome) bool { return len(by[u].loss) <= n }) {
					continue // under some way they knew too few of the cards
				}
				loss, cards = append(loss, all[k][u].loss[n]), append(cards, all[k][u].cards[n])
				ahead = append(ahead, all[k][u].loss[n]-all[0][u].loss[n])
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

func main() {
	output := flag.String("o", "", "file to write; empty means standard output")
	n := flag.Int("people", 300, "people of each world")
	flag.Parse()
	if err := measure(context.Background(), *output, *n); err != nil {
		fmt.Fprintln(os.Stderr, "firstminute:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, output string, n int) error {
	var b strings.Builder
	fmt.Fprintf(&b, `# The first minute, measured

Made by `+"`go run -C tools ./firstminute -o PAGE.md`"+`. A new person is asked about one item after the other ([how one is chosen](maths.md#deal)), and answers with a tier, or that they do not know it. %d of their items are never asked about. After 5, 10 and 20 answers the odds of these items' tiers are compared with where the
person put them: the log loss is in nats, lower is better, with 95 %% intervals over people. Differences are paired, by person: a positive one means that the first way is better. Cards are how many items were dealt until so many were known. People have %d items or more; a row counts those who knew enough of the cards under every way. All ways choose from the %d best-known items that are left.
`, tested, least, deal.Candidates)
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
		fmt.Fprintln(os.Stderr, w.name, "done")
	}
	if output == "" {
		fmt.Print(b.String())
		return nil
	}
	return os.WriteFile(output, []byte(b.String()), 0o644)
}
