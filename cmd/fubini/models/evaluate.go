package models

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/data"
	"fubini/cmd/fubini/input"
	"fubini/cmd/fubini/terminal"
	"fubini/core/setting"
	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
)

type evaluateFlags struct {
	*input.DataFlags
	*input.AimFlags
	*input.CatalogueFlags
	*data.ProtocolFlags
	*setFlags
	*filesFlags
	*rankFlags
	models  []string
	budget  int
	split   string
	gain    string
	more    bool
	against string
	perUser string
}

// Evaluate is the command fubini evaluate, which compares models by their ranking of held-out ratings.
func Evaluate(p *cli.Program) *cobra.Command {
	f := evaluateFlags{gain: "exp2"}
	cmd := cli.Page(pages, "evaluate")
	cmd.Args = cli.Arguments(0, 1)
	flags := cmd.Flags()
	cli.AddFlag(flags, "models", "", &f.models, "LIST", parseModels, "models by name, with commas between, or all: "+strings.Join(registry.Names(), ", "))
	f.setFlags, f.filesFlags = addSet(p, cmd), addFiles(p, cmd)
	cli.AddFlag(flags, "tune", "", &f.budget, "N", cli.ParseWhole(1), "tune every model on the training part first, by N fits")
	f.ProtocolFlags = data.AddProtocol(p, cmd)
	cli.AddInput(flags, "split", &f.split, "DIR", "folder with train.tsv and test.tsv in place of DATA")
	f.rankFlags = addCandidates(p, cmd)
	cli.AddChoice(cmd, flags, "ndcg-gain", &f.gain, []string{"exp2", "linear", "binary"}, "gain of a level: exp2, linear, or binary (4 or more on the scale 1 to 5, three quarters of any other)")
	f.AimFlags = input.AddAim(p, cmd)
	cli.AddSwitch(flags, "more", &f.more, "also P@10, R@10, MAP, MRR, AUC, tau-b and pairwise accuracy")
	cli.AddFlag(flags, "against", "", &f.against, "NAME", cli.ParseText, "compare every model with this one")
	cli.AddOutput(flags, "per-user", "", &f.perUser, "FILE", cli.ParsePath, "also write the values of every user to FILE, as CSV")
	f.DataFlags, f.CatalogueFlags = input.AddData(p, cmd), input.AddCatalogue(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(flags, args); err != nil {
			return err
		}
		if f.candidates == "" {
			f.candidates = "all"
			if f.Protocol == "paper" || f.split != "" {
				f.candidates = "rated"
			}
		}
		about, err := f.About(p, cmp.Or(f.split, strings.Join(args, "")))
		if err != nil {
			return err
		}
		splits, err := splitsFor(cmd.Context(), p, args, &f)
		if err != nil {
			return err
		}
		for k, split := range splits {
			splits[k] = split.Described(about.Kinds)
		}
		return judge(cmd.Context(), p, &f, splits)
	}
	return cmd
}

func parseModels(text string) ([]string, error) {
	known := registry.Names()
	if strings.TrimSpace(text) == "all" {
		return known, nil
	}
	models := strings.Split(text, ",")
	for k, name := range models {
		models[k] = strings.TrimSpace(name)
		if !slices.Contains(known, models[k]) {
			return nil, fmt.Errorf("there is no model %s; there are %s", cli.Quote(models[k]), strings.Join(known, ", "))
		}
	}
	return models, nil
}

func (f *evaluateFlags) check(flags *pflag.FlagSet, args []string) error {
	if len(f.models) == 0 {
		return exit.Usagef("--models is missing: one or more of %s, or all", strings.Join(registry.Names(), ", "))
	}
	switch {
	case f.split == "" && len(args) == 0:
		return exit.Usagef("DATA is missing, or --split DIR (see fubini evaluate --help)")
	case f.split != "" && len(args) > 0:
		return exit.Usagef("--split takes the place of DATA; %s is one too many", cli.Quote(args[0]))
	case f.budget > 0 && (len(f.settings) > 0 || len(f.chosen) > 0):
		return exit.Usagef("--tune chooses the settings; --set and --settings do not go with it")
	case f.against != "" && !slices.Contains(f.models, f.against):
		return exit.Usagef("--against: %s is not among --models", cli.Quote(f.against))
	case f.split == "":
		return f.ProtocolFlags.Check(flags)
	}
	for _, flag := range []string{"given", "protocol", "min-test", "scale", "k", "share", "duplicates", "columns"} {
		if flags.Changed(flag) {
			return exit.Usagef("--%s does not go with --split, which is divided already", flag)
		}
	}
	return nil
}

// splitsFor divides DATA, or reads what was divided before.
func splitsFor(ctx context.Context, p *cli.Program, args []string, f *evaluateFlags) ([]ratings.Split, error) {
	if f.split != "" {
		split, err := input.ReadSplit(ctx, p, f.split)
		return []ratings.Split{split}, err
	}
	f.DataFlags.Scale = f.ProtocolFlags.Scale
	set, _, err := input.Read(ctx, p, args[0], *f.DataFlags)
	if err != nil {
		return nil, err
	}
	splits, err := cli.Await(ctx, func() ([]ratings.Split, error) { return f.Splits(set, p.Seed) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", args[0], err)
	}
	return splits, nil
}

// round keeps three digits of a time: more would be noise.
func round(v float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return short
}

// short writes half an interval, below 1, without the 0 before the point.
func short(half float64) string { return strings.TrimPrefix(fmt.Sprintf("%.3f", half), "0") }

// judge runs every model over every split and delivers a record of each model.
func judge(ctx context.Context, p *cli.Program, f *evaluateFlags, splits []ratings.Split) error {
	candidates, err := evaluate.ParseCandidates(f.candidates)
	if err != nil {
		return exit.Usage(err)
	}
	recipes, err := configured(f.models, f.chosen, f.settings)
	if err != nil {
		return err
	}
	results, aims := make([]*evaluate.Result, len(f.models)), make([]string, len(f.models))
	view := terminal.WatchFits(p.ProgressTo(), len(f.models)*len(splits))
	defer view.Clear()
	for m, name := range f.models {
		view.Clear()
		p.Tell("%s ...", name)
		run := model.Run{Seed: p.Seed, Jobs: p.Jobs, Observe: view.Epoch}
		aim := f.aimOf(name, recipes[m])
		model := modelstore.Judged(recipes[m], aim, run)
		var by []string // the aims of the folds
		folds := make([]*evaluate.Result, len(splits))
		for k, split := range splits {
			metrics, err := evaluate.SplitMetrics(split, f.gain, candidates, f.more)
			if err != nil {
				return exit.Usage(err)
			}
			if f.budget > 0 {
				view.Clear()
				if model, err = tunedModel(ctx, p, f, name, aim, split.Training, run); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			view.Begin(name, k, len(splits))
			noted := modelstore.Chosen(model, func(a modelstore.Aim) { by = append(by, a.String()) })
			if folds[k], err = evaluate.Run(ctx, noted, split, evaluate.Options{Metrics: metrics, Candidates: candidates, Shown: candidates == evaluate.All, Jobs: p.Jobs}); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			view.Done()
		}
		results[m] = evaluate.Pool(folds)
		slices.Sort(by)
		if by = slices.Compact(by); len(by) == 0 { // a model of ratings, or taste alone
			by = []string{aim.String()}
		}
		aims[m] = strings.Join(by, ", ")
	}
	view.Clear()
	if f.perUser != "" {
		if err := writePerUser(p, f, splits[0].Holdout.Set().Users(), results); err != nil {
			return err
		}
	}
	var records []cli.Record
	for m, name := range f.models {
		record, err := evaluation(p, f, name, aims[m], results[m], results)
		if err != nil {
			return err
		}
		records = append(records, record)
	}
	return p.Fitted(records, spare(results[0])...)
}

// spare names the columns that a narrow table can do without, the first ones first: the measure that is left is NDCG@5.
func spare(r *evaluate.Result) []string {
	columns := []string{"protocol", "candidates", "aim", "rank s", "fit s"}
	for _, suffix := range []string{" diff", ""} {
		columns = append(columns, evaluate.CoverageName+suffix)
		for _, m := range slices.Backward(r.Metrics) {
			if m != "ndcg@5" && m != "ndcg@10" {
				columns = append(columns, m+suffix)
			}
		}
		columns = append(columns, "ndcg@10"+suffix)
	}
	return append(columns, "given", "users")
}

// tunedModel is a model with settings chosen on the training part, for the same candidates and, if they are to be new,
// people. fit_s leaves the time of the search out.
func tunedModel(ctx context.Context, p *cli.Program, f *evaluateFlags, name string, aim modelstore.Aim, training ratings.Training, run model.Run) (evaluate.Model, error) {
	wanted := &tuneFlags{modelFlags: &modelFlags{name}, rankFlags: f.rankFlags, budget: f.budget}
	if f.split == "" {
		wanted.divide = f.ProtocolFlags.Folds
	}
	found, err := search(ctx, p, wanted, training)
	if err != nil {
		return nil, err
	}
	recipe, err := registry.New(name)
	if err != nil {
		return nil, err
	}
	p.Tell("%s%s", name, showSettings(name, found.Best))
	return modelstore.Judged(recipe, aim, run), setting.Apply(recipe.Settings(), found.Best)
}

// aimOf is what a model ranks by.
func (f *evaluateFlags) aimOf(name string, r model.Recipe) modelstore.Aim {
	asked, _ := modelstore.ParseAim(f.Aim) // one of the names that the flag takes
	return modelstore.JudgedBy(name, r, asked, f.candidates == "all")
}

func writePerUser(p *cli.Program, f *evaluateFlags, users *ratings.Vocabulary, results []*evaluate.Result) error {
	var records []cli.Record
	for m, name := range f.models {
		r := results[m]
		for k, u := range r.Users {
			record := cli.Record{{"model", name}, {"user", users.ID(uint32(u))}}
			for v, metric := range r.Metrics {
				record = append(record, cli.Field{metric, r.Values[v][k]})
			}
			records = append(records, record)
		}
	}
	return cli.Destination{Flag: "--per-user", Path: f.perUser}.Deliver(func(w *bufio.Writer) error { return cli.WriteCSV(w, records) })
}

// evaluation is the record of one model. In a table for people an interval is
// written into the cell of its mean; elsewhere it has keys of its own.
func evaluation(p *cli.Program, f *evaluateFlags, name string, aim string, r *evaluate.Result, all []*evaluate.Result) (cli.Record, error) {
	protocol := f.Protocol
	if f.split != "" {
		protocol = "split"
	}
	table := p.InTables()
	record := cli.Record{{"model", name}, {"given", cli.OrNil(f.Given)}, {"users", len(r.Users)}}
	var intervals, differences cli.Record
	add := func(m string, e evaluate.Estimate, d *evaluate.Difference) {
		if table {
			record = append(record, cli.Field{m, fmt.Sprintf("%.4f ±%s", e.Mean, short((e.High-e.Low)/2))})
		} else {
			record = append(record, cli.Field{m, e.Mean})
			intervals = append(intervals, cli.Record{{m + "_low", e.Low}, {m + "_high", e.High}}...)
		}
		switch {
		case d == nil:
		case table:
			differences = append(differences, cli.Field{m + "_diff", fmt.Sprintf("%+.4f ±%s, p %.2g", d.Mean, short((d.High-d.Low)/2), d.P)})
		default:
			differences = append(differences, cli.Record{{m + "_diff", d.Mean}, {m + "_diff_low", d.Low}, {m + "_diff_high", d.High}, {m + "_p", d.P}}...)
		}
	}
	var other *evaluate.Result
	if f.against != "" {
		other = all[slices.Index(f.models, f.against)]
	}
	for _, m := range r.Metrics {
		e, err := r.Mean(m, p.Seed)
		if err != nil {
			return nil, err
		}
		if other == nil {
			add(m, e, nil)
			continue
		}
		d, err := evaluate.Compare(r, other, m, p.Seed)
		if err != nil {
			return nil, err
		}
		add(m, e, &d)
	}
	if r.Coverage != nil && other != nil {
		d := evaluate.CompareCoverage(r.Coverage, other.Coverage)
		add(evaluate.CoverageName, r.Coverage.Estimate(), &d)
	} else if r.Coverage != nil {
		add(evaluate.CoverageName, r.Coverage.Estimate(), nil)
	}
	seconds := cli.Record{{"fit_s", fmt.Sprintf("%.2f", r.FitSeconds)}, {"rank_s", fmt.Sprintf("%.2f", r.RankSeconds)}}
	about := cli.Record{{"protocol", protocol}, {"candidates", f.candidates}, {"aim", cli.OrNil(aim)}}
	if !table {
		seconds = cli.Record{{"fit_s", round(r.FitSeconds)}, {"rank_s", round(r.RankSeconds)}}
		about = append(about, cli.Record{{"ndcg_gain", f.gain}, {"seed", p.Seed}}...)
	}
	return slices.Concat(record, seconds, intervals, differences, about), nil
}
