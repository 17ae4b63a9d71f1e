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
	// Others are ranked by somebody else: outcomes by name, given and seed.
	Others func(given int, seed uint64) (map[string]*evaluate.Result, error)
}

// Row is one model at one number of given ratings, over all seeds.
type Row struct {
	Model   string
	Given   int
	Users   int
	Means   map[string]evaluate.Estimate
	Minus   map[string]evaluate.Difference // ours minus this one
	FitTime float64
	Chosen  map[string]float64 // settings, of the first seed
}

// Metrics that the league shows.
var leagueMetrics = []string{"err", "ndcg@5", "ndcg@10"}

// Run plays the league. Rows come by given ratings, best NDCG@5 first.
func (l League) Run(ctx context.Context, b *cells.Bench) ([]Row, error) {
	digest := l.Data.Set.Fingerprint()
	var rows []Row
	for _, given := range l.Given {
		results := map[string][]*evaluate.Result{}
		chosen := map[string]map[string]float64{}
		for _, seed := range l.Seeds {
			split, err := l.Data.Split(given, seed)
			if err != nil {
				return nil, err
			}
			for _, one := range l.players() {
				o, err := b.Run(ctx, cells.Cell{
					Data: l.Data.Name, Digest: digest, Filter: l.Data.Filter, Given: given, MinTest: l.Data.MinTest, Seed: seed, Model: one.model, Budget: one.budget,
				}, split)
				if err != nil {
					return nil, err
				}
				results[one.name] = append(results[one.name], o.Result())
				if chosen[one.name] == nil {
					chosen[one.name] = o.Chosen
				}
			}
			if l.Others == nil {
				continue
			}
			others, err := l.Others(given, seed)
			if err != nil {
				return nil, err
			}
			for name, r := range others {
				results[name] = append(results[name], r)
			}
		}
		part, err := l.rows(given, results, chosen)
		if err != nil {
			return nil, err
		}
		rows = append(rows, part...)
	}
	return rows, nil
}

// player is a model that plays, under a name of its own.
type player struct {
	name, model string
	budget      int
}

// players are all models, and where models are tuned ours once more as it comes.
func (l League) players() []player {
	var all []player
	for _, m := range l.Models {
		all = append(all, player{m, m, l.Budget})
		if m == l.Ours && l.Budget > 0 {
			all = append(all, player{m + ", nothing tuned", m, 0})
		}
	}
	return all
}

// baselines are the rows at some number of given ratings that are not of our family.
func baselines(rows []Row, given int) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool {
		return r.Given != given || strings.HasPrefix(r.Model, "latent-osm") || r.Model == "osm"
	})
}

// standing compares ours with the best baseline by every measure. Level means not
// 0.003 behind; the goal is 0.010 ahead in NDCG@5.
func standing(rows []Row, given int) string {
	var parts []string
	for _, m := range leagueMetrics {
		others := baselines(rows, given)
		if len(others) == 0 {
			return ""
		}
		best := slices.MaxFunc(others, func(a, b Row) int { return cmp.Compare(a.Means[m].Mean, b.Means[m].Mean) })
		d := best.Minus[m]
		stands := "not shown to be level with " + best.Model
		switch {
		case d.Low > 0:
			stands = "ahead of " + best.Model
		case d.High < 0:
			stands = "behind " + best.Model
		case d.Low > -0.003:
			stands = "level with " + best.Model
		}
		text := fmt.Sprintf("in %s %s, %+.4f (%+.4f to %+.4f)", strings.ToUpper(m), stands, d.Mean, d.Low, d.High)
		if m == "ndcg@5" && d.Mean >= 0.010 {
			text += ", the goal of 0.010 reached"
		} else if m == "ndcg@5" {
			text += ", the goal of 0.010 missed"
		}
		parts = append(parts, text)
	}
	return "Ours against the best baseline by each measure: " + strings.Join(parts, "; ") + "."
}

func (l League) rows(given int, results map[string][]*evaluate.Result, chosen map[string]map[string]float64) ([]Row, error) {
	ours := results[l.Ours]
	if len(ours) == 0 {
		return nil, fmt.Errorf("paper: %s is not in the league", l.Ours)
	}
	base := evaluate.Pool(ours)
	var rows []Row
	for name, runs := range results {
		if len(runs) != len(l.Seeds) {
			return nil, fmt.Errorf("paper: %s has %d of %d seeds at %d given", name, len(runs), len(l.Seeds), given)
		}
		pooled := evaluate.Pool(runs)
		row := Row{Model: name, Given: given, Users: len(pooled.Users), Means: map[string]evaluate.Estimate{}, Minus: map[string]evaluate.Difference{}, Chosen: chosen[name]}
		for _, r := range runs {
			row.FitTime += r.FitSeconds / float64(len(runs))
		}
		for _, m := range leagueMetrics {
			mean, err := pooled.Mean(m, 1)
			if err != nil {
				return nil, err
			}
			row.Means[m] = mean
			if name == l.Ours {
				continue
			}
			if row.Minus[m], err = evaluate.Compare(base, pooled, m, 1); err != nil {
				return nil, err
			}
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Means["ndcg@5"].Mean, a.Means["ndcg@5"].Mean), strings.Compare(a.Model, b.Model))
	})
	return rows, nil
}

// WriteLeague writes rows as a Markdown table: means, and how much ours is ahead
// with a 95 % interval over users; below it how ours compares with the best baseline.
func WriteLeague(w io.Writer, rows []Row) error {
	var b strings.Builder
	given := 0
	for n, r := range rows {
		if r.Given != given {
			given = r.Given
			fmt.Fprintf(&b, `
N = %d (%d users)

| model | ERR | NDCG@5 | NDCG@10 | ours ahead in ERR | in NDCG@5 | in NDCG@10 | fit, s |
|---|---:|---:|---:|---:|---:|---:|---:|
`, given, r.Users)
		}
		cells := []string{r.Model}
		for _, m := range leagueMetrics {
			cells = append(cells, fmt.Sprintf("%.4f", r.Means[m].Mean))
		}
		for _, m := range leagueMetrics {
			d, there := r.Minus[m]
			if !there {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, fmt.Sprintf("%+.4f (%+.4f to %+.4f)", d.Mean, d.Low, d.High))
		}
		cells = append(cells, fmt.Sprintf("%.3g", r.FitTime))
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
		if n+1 < len(rows) && rows[n+1].Given == given {
			continue
		}
		if text := standing(rows, given); text != "" {
			fmt.Fprintf(&b, "\n%s\n", text)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteLeagueCSV writes rows in full.
func WriteLeagueCSV(w io.Writer, rows []Row) error {
	header := []string{"given", "model", "users"}
	for _, m := range leagueMetrics {
		header = append(header, m, m+"_low", m+"_high", m+"_minus", m+"_minus_low", m+"_minus_high")
	}
	lines := [][]string{append(header, "fit_s")}
	for _, r := range rows {
		line := []string{fmt.Sprint(r.Given), r.Model, fmt.Sprint(r.Users)}
		for _, m := range leagueMetrics {
			e := r.Means[m]
			line = append(line, fmt.Sprint(e.Mean), fmt.Sprint(e.Low), fmt.Sprint(e.High))
			if d, there := r.Minus[m]; there {
				line = append(line, fmt.Sprint(d.Mean), fmt.Sprint(d.Low), fmt.Sprint(d.High))
			} else {
				line = append(line, "", "", "")
			}
		}
		lines = append(lines, append(line, fmt.Sprintf("%.3g", r.FitTime)))
	}
	return csv.NewWriter(w).WriteAll(lines)
}
