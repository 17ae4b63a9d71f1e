package league

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"fubini/judge/evaluate"
	"fubini/learn/registry"
	"fubini/paper/cells"
)

// League is a table of models on some data: every model on the same splits, tuned
// with the same number of fits on the training part.
type League struct {
	Data   cells.Data
	Given  []int
	Seeds  []uint64
	Models []string
	Budget int
	Ours   string // the model that all others are compared with
	// Others, if not nil, returns the results of other programs by name.
	Others func(given int, seed uint64) (map[string]*evaluate.Result, error)
}

// Row is one model at one number of given ratings, over all seeds.
type Row struct {
	Model   string
	Given   int
	Users   int
	Splits  int
	Means   map[string]evaluate.Estimate   // by metric
	Minus   map[string]evaluate.Difference // in a league ours minus this one, in an ablation this one minus the one before
	Holm    map[string]float64             // p-values of Minus, corrected for the number of rows at this number of given ratings; nil for none
	FitTime float64                        // seconds, the mean over splits
}

// Metrics that the league shows.
var leagueMetrics = []string{"err", "ndcg@5", "ndcg@10"}

// newRow has the means of a model's results over all splits, and the differences between two others, where there are two.
func newRow(name string, given int, results, a, b []*evaluate.Result) (row Row, err error) {
	pooled := evaluate.Pool(results)
	row = Row{Model: name, Given: given, Users: len(pooled.Users), Splits: len(results), Means: map[string]evaluate.Estimate{}, Minus: map[string]evaluate.Difference{}}
	for _, m := range leagueMetrics {
		if row.Means[m], err = pooled.Mean(m, 1); err != nil {
			return row, err
		}
		if a == nil || b == nil {
			continue
		}
		if row.Minus[m], err = evaluate.Crossed(a, b, m, 1); err != nil {
			return row, err
		}
	}
	return row, nil
}

// correct sets the p-values of the differences, corrected for the number of models that are compared with ours.
func correct(rows []*Row, metrics []string) {
	for _, m := range metrics {
		var p []float64
		var at []int
		for k, r := range rows {
			if d, compared := r.Minus[m]; compared {
				p, at = append(p, d.P), append(at, k)
			}
		}
		for k, v := range evaluate.Holm(p) {
			if rows[at[k]].Holm == nil {
				rows[at[k]].Holm = map[string]float64{}
			}
			rows[at[k]].Holm[m] = v
		}
	}
}

// shown reports whether a difference remains at the level of 5 % after the correction.
func (r Row) shown(metric string) bool {
	p, corrected := r.Holm[metric]
	return corrected && p <= 0.05
}

func (r Row) mean(metric string) string { return fmt.Sprintf("%.4f", r.Means[metric].Mean) }

// minus is a difference with its interval; empty without one. A star marks those that remain after the correction.
func (r Row) minus(metric string) string {
	d, there := r.Minus[metric]
	switch {
	case !there:
		return ""
	case r.shown(metric):
		return interval(d.Estimate) + " \\*"
	}
	return interval(d.Estimate)
}

func interval(e evaluate.Estimate) string {
	return fmt.Sprintf("%+.4f (%+.4f to %+.4f)", e.Mean, e.Low, e.High)
}

// player is a model that is compared, under a name of its own.
type player struct {
	name, model string
	set         map[string]float64
	budget      int
	against     string // in an ablation: the name of the one it is compared with, if not the last step
}

// play returns the results of players by name, one for each seed.
func play(ctx context.Context, b *cells.Runner, d cells.Data, given int, seeds []uint64, players []player) (map[string][]*evaluate.Result, error) {
	results, digest := map[string][]*evaluate.Result{}, d.Set.Fingerprint()
	for _, seed := range seeds {
		split, err := d.Split(given, seed)
		if err != nil {
			return nil, err
		}
		for _, one := range players {
			o, err := b.Run(ctx, cells.Cell{
				Data: d.Name, Digest: digest, Filter: d.Filter, Given: given, MinTest: d.MinTest, Seed: seed, Model: one.model, Set: one.set, Budget: one.budget,
			}, split)
			if err != nil {
				return nil, err
			}
			results[one.name] = append(results[one.name], o.Result())
		}
	}
	return results, nil
}

// Run returns the rows by number of given ratings, and for each the best NDCG@5 first.
func (l League) Run(ctx context.Context, b *cells.Runner) ([]Row, error) {
	var rows []Row
	for _, given := range l.Given {
		results, err := play(ctx, b, l.Data, given, l.Seeds, l.players())
		if err != nil {
			return nil, err
		}
		for _, seed := range l.Seeds {
			if l.Others == nil {
				break
			}
			others, err := l.Others(given, seed)
			if err != nil {
				return nil, err
			}
			for name, r := range others {
				results[name] = append(results[name], r)
			}
		}
		part, err := l.rows(given, results)
		if err != nil {
			return nil, err
		}
		rows = append(rows, part...)
	}
	return rows, nil
}

// ourEvidence is our model with less evidence than it uses as it comes: from the order of ratings alone, and from that and
// which items are rated. Baselines that use ratings alone, or who rated what too, are compared with their like.
func ourEvidence() []change {
	return []change{
		{", orders alone", map[string]float64{"prior-v": cells.None, "co-occurrence": cells.None, "levels": cells.NeverLevels}},
		{", orders and who rated what", map[string]float64{"levels": cells.NeverLevels}},
	}
}

// players are all models; ours once more as it comes where models are tuned, and with less evidence.
func (l League) players() []player {
	var all []player
	for _, m := range l.Models {
		all = append(all, player{name: m, model: m, budget: l.Budget})
		if m != l.Ours {
			continue
		}
		if l.Budget > 0 {
			all = append(all, player{name: m + ", nothing tuned", model: m})
		}
		if m == "latent-osm" {
			for _, less := range ourEvidence() {
				all = append(all, player{name: m + less.label, model: m, set: less.set})
			}
		}
	}
	return all
}

// baselines are the rows at some number of given ratings that are not of our family.
func baselines(rows []Row, given int) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		name, _, _ := strings.Cut(r.Model, ",") // as in "latent-osm, nothing tuned"
		recipe, _ := registry.New(name)
		_, ours := recipe.(registry.OrderedSetRecipe)
		return r.Given != given || ours
	})
}

// standing compares ours with the best baseline by every measure. Ahead and behind are differences that remain after the
// correction for the number of models.
func standing(rows []Row, given int) string {
	var parts []string
	for _, m := range leagueMetrics {
		others := baselines(rows, given)
		if len(others) == 0 {
			return ""
		}
		best := slices.MaxFunc(others, func(a, b Row) int { return cmp.Compare(a.Means[m].Mean, b.Means[m].Mean) })
		d := best.Minus[m]
		stands := "not told apart from " + best.Model
		switch {
		case d.Low > 0 && best.shown(m):
			stands = "ahead of " + best.Model
		case d.High < 0 && best.shown(m):
			stands = "behind " + best.Model
		case d.Low > -0.003:
			stands += " and no more than 0.003 behind it"
		}
		parts = append(parts, fmt.Sprintf("in %s %s, %s", strings.ToUpper(m), stands, interval(d.Estimate)))
	}
	return "\nOurs against the best baseline by each measure: " + strings.Join(parts, "; ") + ".\n"
}

func (l League) rows(given int, results map[string][]*evaluate.Result) ([]Row, error) {
	ours := results[l.Ours]
	if len(ours) == 0 {
		return nil, fmt.Errorf("paper: %s is not in the league", l.Ours)
	}
	var rows []Row
	for name, runs := range results {
		if len(runs) != len(l.Seeds) {
			return nil, fmt.Errorf("paper: %s has %d of %d seeds at %d given", name, len(runs), len(l.Seeds), given)
		}
		other := runs
		if name == l.Ours {
			other = nil
		}
		row, err := newRow(name, given, runs, ours, other)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			row.FitTime += r.FitSeconds / float64(len(runs))
		}
		rows = append(rows, row)
	}
	all := make([]*Row, len(rows))
	for k := range rows {
		all[k] = &rows[k]
	}
	correct(all, leagueMetrics)
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Means["ndcg@5"].Mean, a.Means["ndcg@5"].Mean), strings.Compare(a.Model, b.Model))
	})
	return rows, nil
}

// writeTables writes rows as Markdown tables, one for each number of given ratings, between a head and a foot.
func writeTables(w io.Writer, rows []Row, head func(first Row) string, line func(r Row) []string, foot func(given int) string) error {
	var b strings.Builder
	for n, r := range rows {
		if n == 0 || r.Given != rows[n-1].Given {
			b.WriteString(head(r))
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(line(r), " | "))
		if n+1 == len(rows) || r.Given != rows[n+1].Given {
			b.WriteString(foot(r.Given))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteLeague writes the rows as Markdown tables of means and of differences from ours with 95 % intervals. Below each
// table, ours is compared with the best baseline.
func WriteLeague(w io.Writer, rows []Row) error {
	head := func(first Row) string {
		return fmt.Sprintf(`
N = %d (%d users)

| model | ERR | NDCG@5 | NDCG@10 | ours ahead in ERR | in NDCG@5 | in NDCG@10 | fit, s |
|---|---:|---:|---:|---:|---:|---:|---:|
`, first.Given, first.Users)
	}
	line := func(r Row) []string {
		return []string{r.Model, r.mean("err"), r.mean("ndcg@5"), r.mean("ndcg@10"), r.minus("err"), r.minus("ndcg@5"), r.minus("ndcg@10"), r.seconds()}
	}
	foot := func(given int) string {
		at := slices.IndexFunc(rows, func(r Row) bool { return r.Given == given && r.Holm != nil })
		if at < 0 {
			return standing(rows, given)
		}
		return rows[at].footnote() + standing(rows, given)
	}
	return writeTables(w, rows, head, line, foot)
}

// footnote says what the intervals and stars of a table mean.
func (r Row) footnote() string {
	drawn := "splits and users drawn anew"
	if r.Splits == 1 {
		drawn = "users drawn anew on the one split"
	}
	return fmt.Sprintf("\nIntervals of 95 %% each, for %s. \\*: p ≤ 0.05 after Holm's correction for all models of the table.\n", drawn)
}

// seconds is the time of a fit; empty where nobody measured it, as of scores that another program made.
func (r Row) seconds() string {
	if r.FitTime == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g", r.FitTime)
}

// metricColumns are the names of columns, and of those of each metric: its mean, its difference from the reference, and intervals.
func metricColumns(metrics []string, first ...string) []string {
	for _, m := range metrics {
		first = append(first, m, m+"_low", m+"_high", m+"_minus", m+"_minus_low", m+"_minus_high")
	}
	return first
}

// appendEstimates appends what stands in the columns of each metric, which are empty where there is no mean or no difference.
func appendEstimates(line []any, metrics []string, means map[string]evaluate.Estimate, minus map[string]evaluate.Difference) []any {
	add := func(e evaluate.Estimate, there bool) {
		if there {
			line = append(line, e.Mean, e.Low, e.High)
		} else {
			line = append(line, "", "", "")
		}
	}
	for _, m := range metrics {
		e, there := means[m]
		add(e, there)
		d, there := minus[m]
		add(d.Estimate, there)
	}
	return line
}

// WriteLeagueCSV writes the rows with all means, differences and intervals.
func WriteLeagueCSV(w io.Writer, rows []Row) error {
	header := metricColumns(leagueMetrics, "given", "model", "users")
	lines := [][]string{append(header, "fit_s")}
	for _, r := range rows {
		line := []any{r.Given, r.Model, r.Users}
		line = appendEstimates(line, leagueMetrics, r.Means, r.Minus)
		lines = append(lines, texts(append(line, fmt.Sprintf("%.3g", r.FitTime))...))
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// texts are values as CSV has them.
func texts(values ...any) []string {
	line := make([]string, len(values))
	for k, v := range values {
		line[k] = fmt.Sprint(v)
	}
	return line
}
