package people

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini"
	"fubini/app/exit"
	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/titles"
	"fubini/learn/modelstore"
	"fubini/model"
)

type recommendFlags struct {
	*tiersFlags
	*input.MatchFlags
	*usersFlags
	*countFlags
	*supportFlags
	*unknownFlags
	together int
	exclude  string
	only     string
	novelty  float64

	// Of batches.
	*input.DataFlags
	*input.AimFlags
	whole  bool
	noOdds bool
	shards int
}

// recommendFormats are those of all commands, and two for batches.
var recommendFormats = append(slices.Clone(cli.Formats), "trec", "parquet")

// Recommend is the command fubini recommend.
func Recommend(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "recommend")
	cmd.Annotations = map[string]string{cli.FolderWith: "shards"}
	flags := cmd.Flags()
	f := recommendFlags{tiersFlags: addTiers(p, cmd), MatchFlags: input.AddMatch(p, cmd), usersFlags: addUsers(p, cmd), countFlags: addCount(p, cmd)}
	cli.AddFlag(flags, "together", "", &f.together, "K", cli.ParseWhole(1), "choose a set of K items that please together, instead of a list")
	f.AimFlags = input.AddAim(p, cmd)
	cli.AddInput(flags, "exclude", &f.exclude, "FILE", "items to leave out, one id a line")
	cli.AddInput(flags, "only", &f.only, "FILE", "recommend only these items, one id a line")
	f.supportFlags = addSupport(p, cmd)
	cli.AddFlag(flags, "novelty", "", &f.novelty, "X", cli.ParseNotNegative, "prefer less popular items, the more the larger")
	f.unknownFlags = addUnknown(p, cmd)
	cli.AddSwitch(flags, "no-odds", &f.noOdds, "without interest, tier, tier_probs and gap_probs")
	cli.AddFlag(flags, "shards", "", &f.shards, "N", cli.ParseWhole(1), "write N parts of about as many users each into the folder of --output")
	cli.AddSwitch(flags, "whole", &f.whole, "read all of DATA into memory; users may stand in any order")
	f.DataFlags = input.AddData(p, cmd)
	cli.AddChoice(cmd, flags, "format", &p.Format, recommendFormats, "form of the results: "+strings.Join(recommendFormats, ", ")+"; the last two with --users")
	flags.Lookup("format").DefValue = "table"
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(p, flags); err != nil {
			return err
		}
		saved, err := input.ReadModel(args[0])
		if err != nil {
			return err
		}
		rules := recommend.Rules{Count: f.count, Support: f.support, Novelty: f.novelty, Odds: !f.noOdds}
		if rules.Aim, err = modelstore.ParseAim(f.Aim); err != nil {
			return exit.Usage(err)
		}
		items, err := input.NewItems(cmd.Context(), p, saved, f.Match, f.tiers, f.users)
		if err != nil {
			return err
		}
		if rules.Only, err = readIDs(p, items, "only", f.only); err != nil {
			return err
		}
		if rules.Exclude, err = readIDs(p, items, "exclude", f.exclude); err != nil {
			return err
		}
		if f.users == "" {
			return recommendOne(cmd.Context(), p, &f, fubini.NewModel(saved), rules, items)
		}
		r, err := recommend.New(saved, rules)
		if err != nil {
			return err
		}
		return recommendAll(cmd.Context(), p, &f, r, items)
	}
	return cmd
}

// readIDs reads the items of --only or --exclude, ids or titles one a line; nil where the flag is not given. An item that
// the model does not have cannot be recommended, and is not anyway.
func readIDs(p *cli.Program, items *input.Items, flag, path string) ([]int, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	found, unknown, example, line := []int{}, 0, "", 0
	for k, id := range strings.Split(string(text), "\n") {
		if id = strings.TrimSpace(id); id == "" {
			continue
		}
		switch m := items.Find(id); {
		case m.How.Found():
			found = append(found, m.Item)
		case flag == "only" || m.How == titles.Ambiguous:
			i, err := items.Named(id)
			if err != nil {
				return nil, fmt.Errorf("--%s: %s:%d: %w", flag, path, k+1, err)
			}
			found = append(found, i)
		default:
			if unknown++; unknown == 1 {
				example, line = id, k+1
			}
		}
	}
	if unknown > 0 {
		p.Tell("--exclude: ids in %s that are not in the model: %d, such as %s in line %d", path, unknown, cli.Quote(example), line)
	}
	return found, nil
}

func (f *recommendFlags) check(p *cli.Program, flags *pflag.FlagSet) error {
	batchOnly := ""
	switch {
	case f.shards > 0:
		batchOnly = "--shards"
	case f.whole:
		batchOnly = "--whole"
	case p.Format == "trec" || p.Format == "parquet":
		batchOnly = "--format " + p.Format
	}
	switch {
	case f.tiers == "" && f.users == "":
		return exit.Usagef("--tiers or --users is missing: a file with the tiers of one person, or the data of many; - is standard input")
	case f.tiers != "" && f.users != "":
		return exit.Usagef("--tiers is for one person, --users for many; give one of them")
	case f.tiers != "" && batchOnly != "":
		return exit.Usagef("%s is for --users", batchOnly)
	case f.shards > 0 && f.Match != "":
		return exit.Usagef("--match does not go with --shards, whose parts must not depend on answers that are added meanwhile")
	case f.users != "" && f.together > 0:
		return exit.Usagef("--together is for --tiers")
	case f.together > 0 && flags.Changed("count"):
		return exit.Usagef("-n is for a list, --together for a set; give one of them")
	case f.together > 0 && f.novelty > 0:
		return exit.Usagef("--novelty changes scores, and a set is not made by scores; leave one out")
	case f.together > 0 && f.Aim == modelstore.AimNext.String():
		return exit.Usagef("--together chooses by probabilities, and what comes next has scores alone; leave one out, or give --aim interest")
	case f.shards > 0 && p.Output == "-":
		return exit.Usagef("--shards needs -o/--output, a folder for the parts")
	case f.shards > 0 && f.users == "-":
		return exit.Usagef("--shards reads the data twice, which standard input does not allow; put them into a file")
	}
	return nil
}

func recommendOne(ctx context.Context, p *cli.Program, f *recommendFlags, m *fubini.Model, rules recommend.Rules, items *input.Items) error {
	person, seen, err := items.Person(ctx, f.tiers, *f.DataFlags, f.unknown)
	if err != nil {
		return err
	}
	who := m.Folded(person, seen)
	r, err := who.Recommender(rules)
	if err != nil {
		return err
	}
	unknown := person.Known.Len() == 0
	if unknown {
		p.Tell("no tiers that the model knows: this is the general order")
	}
	var records []cli.Record
	if f.together > 0 && !unknown {
		records, err = chosen(p, r, person, f.together)
	} else {
		if f.together > 0 { // without tiers there is no best one
			r.Count = f.together
		}
		var rows []recommend.Row
		rows, err = who.Rank(ctx, r)
		for _, row := range rows {
			records = append(records, fields(r, row))
		}
	}
	if err != nil {
		return err
	}
	if len(records) == 0 && person.Known.Len() == len(r.Saved.ItemIDs) {
		p.Tell("every item of the model is on the list: none is left to recommend")
	} else if len(records) == 0 {
		p.Tell("no item is left to recommend: see --min-support, --only and --exclude")
	}
	if p.InTables() {
		for k := range records {
			records[k] = short(records[k])
		}
	}
	return p.Fitted(records, spare...)
}

// chosen are the records of a set of items that please together.
func chosen(p *cli.Program, r *recommend.Recommender, person model.Person, size int) ([]cli.Record, error) {
	set, err := r.Together(person, size, p.Seed)
	if err != nil {
		return nil, err
	}
	var records []cli.Record
	before := 0.0
	for k, row := range set.Rows {
		chance := set.Chances[k]
		records = append(records, append(fields(r, row), cli.Record{{"gain", chance - before}, {"chance", chance}}...))
		before = chance
	}
	success := map[modelstore.Aim]string{modelstore.AimTaste: "belongs in the best tier", modelstore.AimBalanced: "is picked and belongs in the best tier", modelstore.AimInterest: "is picked"}[r.Aim]
	p.Tell("the chance that one of the set %s is %.3f; of as many with the highest scores it is %.3f", success, before, set.Top)
	return records, nil
}
