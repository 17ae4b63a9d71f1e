package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"fubini/core/partition"
	"fubini/learn/zoo"
	"fubini/model/osm"
	"fubini/use/rank"
)

func newReconstruct(p *program) *cobra.Command {
	tiers := ""
	cmd := &cobra.Command{
		Use:   "reconstruct MODEL --tiers FILE",
		Short: "Rebuild a tier list from its posterior vector alone",
		Long: `Fold a tier list into the model and rebuild its order from the posterior vector
alone: what the hidden units kept of it. Shows the share of item pairs whose
relation came back different, and one row an item: its tier in the list, its score,
and its place in the rebuilt order. FILE is a tiers file, or any rating format that
holds one user; - is standard input.`,
		Example: "  fubini reconstruct movies.safetensors --tiers mine.json",
		Args:    oneArgument("MODEL"),
	}
	flags := cmd.Flags()
	addFlag(flags, "tiers", "", &tiers, "FILE", parsePath, "tiers of one person, best first")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if tiers == "" {
			return usagef("--tiers is missing: a file with the tiers of one person")
		}
		saved, err := readModel(args[0])
		if err != nil {
			return err
		}
		catalogue, err := saved.Catalogue()
		if err != nil {
			return err
		}
		list, err := p.readTiers(cmd.Context(), tiers, saved)
		if err != nil {
			return err
		}
		taste, scores, order, err := rank.Reconstruct(catalogue, list)
		if err != nil {
			return err
		}
		return p.deliver(func(w *bufio.Writer) error {
			if p.format == "json" || p.format == "jsonl" {
				return p.writeRecord(w, []field{
					{"posterior", taste}, {"distance", partition.Distance(order, list.Order)},
					{"items", reconstructed(saved, list, scores, order)},
				})
			}
			var records [][]field
			for _, r := range reconstructed(saved, list, scores, order) {
				records = append(records, []field{{"item", r.Item}, {"name", r.Name}, {"tier", r.Tier}, {"score", r.Score}, {"rank", r.Rank}})
			}
			p.tell("%.3f of the pairs came back different", partition.Distance(order, list.Order))
			return p.writeRecords(w, records)
		})
	}
	return cmd
}

type reconstructedItem struct {
	Item  string  `json:"item"`
	Name  string  `json:"name"`
	Tier  int     `json:"tier"` // in the list, 1 for the best
	Score float64 `json:"score"`
	Rank  int     `json:"rank"` // in the rebuilt order, 1 for the best
}

func reconstructed(saved *zoo.Saved, list osm.List, scores []float64, order *partition.Partition) []reconstructedItem {
	var items []reconstructedItem
	for _, k := range rank.Best(scores, len(scores)) {
		i := list.Items[k]
		items = append(items, reconstructedItem{
			Item: saved.ItemIDs[i], Name: saved.ItemNames[i], Tier: list.Order.BlockOf(k) + 1, Score: scores[k], Rank: order.BlockOf(k) + 1,
		})
	}
	return items
}

// readTiers reads the tier list of one person and keeps the items that a model
// knows; the others are told of.
func (p *program) readTiers(ctx context.Context, path string, saved *zoo.Saved) (osm.List, error) {
	read := dataFlags{duplicates: "error", incomplete: "subset"}
	set, _, err := p.read(ctx, path, read)
	if err != nil {
		return osm.List{}, err
	}
	if n := set.Users().Len(); n != 1 {
		return osm.List{}, fmt.Errorf("--tiers: %s holds %d users; it must hold one", path, n)
	}
	list, unknown, err := saved.List(set, 0)
	if err != nil {
		return osm.List{}, err
	}
	if len(unknown) > 0 {
		p.tell("%d items are not in the model: %s", len(unknown), shorten(unknown))
	}
	if len(list.Items) == 0 {
		return osm.List{}, fmt.Errorf("--tiers: the model knows none of the items in %s", path)
	}
	return list, nil
}
