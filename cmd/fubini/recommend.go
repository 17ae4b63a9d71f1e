package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fubini/learn/zoo"
	"fubini/model/osm"
	"fubini/use/rank"
)

// recommendFlags say for whom, and what they may get.
type recommendFlags struct {
	tiers   string
	count   int
	exclude string
	only    string
	support int
	novelty float64
	unknown string
}

func newRecommend(p *program) *cobra.Command {
	f := recommendFlags{count: 10, support: 5, unknown: "ignore"}
	cmd := &cobra.Command{
		Use:   "recommend MODEL --tiers FILE",
		Short: "Rank the items that a person has not placed",
		Long: `Read a person's tiers into a model and rank all other items for them: nothing is
trained and nothing stored. FILE is a tiers file, or any rating format that holds one
user; - is standard input.

Beside its score an item gets the person's tier it most likely belongs in (1 for the
best), and the odds of every place: tier_probs of standing in each of the T tiers,
gap_probs of a tier of its own above, between and below them, together 1. Models
other than osm and latent-osm have scores alone.

Items of fewer than --min-support ratings are left out: of them a model knows
little more than the mean. --novelty X takes X times the log of an item's ratings
from its score.`,
		Example: "  fubini recommend movies.safetensors --tiers mine.json -n 5",
		Args:    oneArgument("MODEL"),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addFlag(flags, "tiers", "", &f.tiers, "FILE", parsePath, "tiers of one person, best first")
	addFlag(flags, "count", "n", &f.count, "N", parseWhole(1), "how many items")
	addFlag(flags, "exclude", "", &f.exclude, "FILE", parsePath, "items that are not to come, one id a line")
	addFlag(flags, "only", "", &f.only, "FILE", parsePath, "items of which alone some are to come, one id a line")
	addFlag(flags, "min-support", "", &f.support, "N", parseWhole(0), "ratings that an item must have had")
	addFlag(flags, "novelty", "", &f.novelty, "X", parseNotNegative, "prefer less popular items, the more the larger")
	addChoice(cmd, flags, "unknown", &f.unknown, []string{"ignore", "error"}, "placed items that the model does not know: ignore and tell, or an error")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.tiers == "" {
			return usagef("--tiers is missing: a file with the tiers of one person, or -")
		}
		saved, err := readModel(args[0])
		if err != nil {
			return err
		}
		handicap, err := f.handicaps(saved)
		if err != nil {
			return err
		}
		list, err := p.tiersOf(cmd.Context(), f.tiers, saved, f.unknown)
		if err != nil {
			return err
		}
		records, err := recommended(saved, list, handicap, f.count)
		if err != nil {
			return err
		}
		if len(list.Items) == 0 {
			p.tell("no tiers that the model knows: this is the general order")
		}
		return p.deliver(func(w *bufio.Writer) error { return p.writeRecords(w, records) })
	}
	return cmd
}

// handicaps are taken from the scores of items: all of it from those that are not
// to come.
func (f *recommendFlags) handicaps(saved *zoo.Saved) ([]float64, error) {
	handicap := make([]float64, len(saved.ItemIDs))
	for i, seen := range saved.Seen {
		handicap[i] = f.novelty * math.Log(1+float64(seen))
		if int(seen) < f.support {
			handicap[i] = math.Inf(1)
		}
	}
	if f.only != "" {
		ids, err := readIDs(f.only, saved)
		if err != nil {
			return nil, fmt.Errorf("--only: %w", err)
		}
		for i := range handicap {
			if !ids[i] {
				handicap[i] = math.Inf(1)
			}
		}
	}
	if f.exclude != "" {
		ids, err := readIDs(f.exclude, saved)
		if err != nil {
			return nil, fmt.Errorf("--exclude: %w", err)
		}
		for i := range ids {
			handicap[i] = math.Inf(1)
		}
	}
	return handicap, nil
}

// readIDs reads ids, one a line; an id that the model does not have is an error.
func readIDs(path string, saved *zoo.Saved) (map[int]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found := map[int]bool{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		id := strings.TrimSpace(line)
		if id == "" {
			continue
		}
		i, known := saved.Find(id)
		if !known {
			return nil, fmt.Errorf("%s:%d: the model has no item %s", path, number, quote(id))
		}
		found[i] = true
	}
	return found, nil
}

// tiersOf reads one person's list, which may be empty; what becomes of unknown
// items is up to the policy.
func (p *program) tiersOf(ctx context.Context, path string, saved *zoo.Saved, policy string) (osm.List, error) {
	set, _, err := p.read(ctx, path, dataFlags{duplicates: "error", incomplete: "subset"})
	if err != nil {
		return osm.List{}, err
	}
	switch n := set.Users().Len(); {
	case n == 0:
		return osm.List{}, nil
	case n > 1:
		return osm.List{}, fmt.Errorf("--tiers: %s holds %d users; it must hold one", path, n)
	}
	list, unknown, err := saved.List(set, 0)
	if err != nil {
		return osm.List{}, err
	}
	if len(unknown) > 0 {
		if policy == "error" {
			return osm.List{}, fmt.Errorf("--tiers: %s: %d items are not in the model: %s", path, len(unknown), shorten(unknown))
		}
		p.tell("%d items are not in the model: %s", len(unknown), shorten(unknown))
	}
	return list, nil
}

// recommended are the records of the best items.
func recommended(saved *zoo.Saved, list osm.List, handicap []float64, count int) ([][]field, error) {
	catalogue, err := saved.Catalogue()
	if err != nil {
		return recommendedByScore(saved, list, handicap, count), nil
	}
	person, err := rank.Read(catalogue, list)
	if err != nil {
		return nil, err
	}
	shelf, err := rank.NewShelf(catalogue, handicap)
	if err != nil {
		return nil, err
	}
	answers := make([][]rank.Scored, 1)
	shelf.Best([]rank.Query{{Taste: person.Taste(), Listed: len(list.Items), Hide: list.Items}}, count, &rank.Room{}, answers)
	var records [][]field
	one := make([]float64, 1)
	for n, each := range answers[0] {
		person.Score([]int{each.Item}, one)
		odds := person.Place(each.Item)
		tier := any(nil)
		if t := odds.Tier(); t >= 0 {
			tier = t + 1
		}
		records = append(records, []field{
			{"rank", n + 1}, {"item", saved.ItemIDs[each.Item]}, {"name", saved.ItemNames[each.Item]}, {"score", one[0] - handicap[each.Item]},
			{"tier", tier}, {"tier_probs", odds.Tiers}, {"gap_probs", odds.Gaps},
		})
	}
	return records, nil
}

// recommendedByScore is for models that have scores alone.
func recommendedByScore(saved *zoo.Saved, list osm.List, handicap []float64, count int) [][]field {
	var items []uint32
	for i, h := range handicap {
		if !math.IsInf(h, 1) && !slices.Contains(list.Items, i) {
			items = append(items, uint32(i))
		}
	}
	scores := make([]float64, len(items))
	saved.Model.Score(zoo.Person{Index: -1, Known: saved.Rated(list)}, items, scores)
	for k, i := range items {
		scores[k] -= handicap[i]
	}
	var records [][]field
	for n, k := range rank.Best(scores, count) {
		i := items[k]
		records = append(records, []field{
			{"rank", n + 1}, {"item", saved.ItemIDs[i]}, {"name", saved.ItemNames[i]}, {"score", scores[k]}, {"tier", nil}, {"tier_probs", nil}, {"gap_probs", nil},
		})
	}
	return records
}
