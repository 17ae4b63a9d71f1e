package ranking

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"fubini/cmd/fubini/cli"
	"fubini/data/votes"
	"fubini/learn/likelihood"
	"fubini/use/board"
)

// report is the result of a fit.
type report struct {
	flags      *flags
	set        *votes.Set
	fit        *likelihood.Fit
	covariance likelihood.Covariance
	board      *board.Board
	goodness   *likelihood.Goodness
	tastes     *board.Tastes
	influence  *board.Influence
}

func (f *flags) report(ctx context.Context, p *cli.Program, set *votes.Set, design likelihood.Design) (*report, error) {
	data, err := f.group(set, design)
	if err != nil {
		return nil, err
	}
	r := &report{flags: f, set: set}
	if r.fit, err = f.maximise(ctx, p, data, set.Items); err != nil {
		return nil, err
	}
	if r.covariance, err = f.covariance(ctx, p, r.fit); err != nil {
		return nil, err
	}
	if r.board, err = board.New(r.fit.Worths(), r.fit.OfWorths(r.covariance), board.Options{Level: f.level, Seed: p.Seed, Jobs: p.Jobs}); err != nil {
		return nil, err
	}
	if r.goodness, err = r.fit.Goodness(ctx); err != nil {
		return nil, err
	}
	if f.hidden > 0 {
		if r.tastes, err = f.tastes(ctx, p, set, design, r.board.Rows, r.fit.Prior.Worth); err != nil {
			return nil, err
		}
	}
	information := r.covariance
	if f.errors != "information" {
		if information, err = r.fit.Covariance(); err != nil {
			return nil, err
		}
	}
	r.influence, err = influence(ctx, set, r.fit, information)
	return r, err
}

// Elo's scale: 400 points for odds of 10 to 1.
const eloPoints, eloMean = 400 / math.Ln10, 1000

// scale is that of the worths shown.
func (r *report) scale() (scale, mean float64) {
	if r.flags.elo {
		return eloPoints, eloMean
	}
	return 1, 0
}

// draw writes the forest plot.
func (r *report) draw(title string) error {
	scale, mean := r.scale()
	axis := fmt.Sprintf("worth, with intervals of %g %%", 100*r.flags.level)
	kind := strings.ToLower(strings.TrimPrefix(filepath.Ext(r.flags.plot), "."))
	return cli.Destination{Flag: "--plot", Path: r.flags.plot}.Deliver(func(w *bufio.Writer) error {
		return r.board.Forest(w, kind, filepath.Base(title), axis, r.allNames(), func(x float64) float64 { return mean + scale*x })
	})
}

// drawHeat writes the heat map.
func (r *report) drawHeat(title string) error {
	kind := strings.ToLower(strings.TrimPrefix(filepath.Ext(r.flags.heat), "."))
	return cli.Destination{Flag: "--heat", Path: r.flags.heat}.Deliver(func(w *bufio.Writer) error {
		return r.board.Heat(w, kind, filepath.Base(title), r.allNames(), r.fit.Pair)
	})
}

// allNames are the names of the items by their number.
func (r *report) allNames() []string {
	names := make([]string, len(r.set.Items))
	for i := range names {
		names[i] = r.set.Name(i)
	}
	return names
}

// writePairs writes all pairs of items, better first, and for those that met in votes what was
// counted and how far that is from the fit.
func (r *report) writePairs() error {
	met := map[[2]int]*likelihood.Pair{}
	for k := range r.goodness.Pairs {
		p := &r.goodness.Pairs[k]
		met[[2]int{p.I, p.J}] = p
	}
	return cli.Destination{Flag: "--pairs", Path: r.flags.pairs}.Deliver(func(w *bufio.Writer) error {
		var records []cli.Record
		for k, upper := range r.board.Rows {
			for _, lower := range r.board.Rows[k+1:] {
				i, j := upper.Item, lower.Item
				win, tie, loss := r.fit.Pair(i, j)
				difference, e := r.board.Difference(i, j)
				record := cli.Record{{"item_a", r.set.Items[i]}, {"item_b", r.set.Items[j]}, {"win", win}, {"tie", tie}, {"loss", loss},
					{"difference", difference}, {"std_err", e}, {"apart", r.board.Apart(i, j)}}
				wins, ties, losses, chance := any(nil), any(nil), any(nil), any(nil)
				if p := met[[2]int{min(i, j), max(i, j)}]; p != nil {
					counted := p.Observed
					if i > j {
						counted[0], counted[2] = counted[2], counted[0]
					}
					wins, ties, losses, chance = counted[0], counted[1], counted[2], p.P(r.fit.Space)
				}
				records = append(records, append(record, cli.Field{"wins", wins}, cli.Field{"ties", ties}, cli.Field{"losses", losses}, cli.Field{"p", chance}))
			}
		}
		return cli.WriteCSV(w, records)
	})
}

// items are the rows of the board.
func (r *report) items() []cli.Record {
	scale, mean := r.scale()
	at := func(x float64) float64 { return mean + scale*x }
	records := make([]cli.Record, len(r.board.Rows))
	deviations := r.fit.TieDeviations()
	for k, row := range r.board.Rows {
		name := any(nil)
		if r.set.Names != nil {
			name = r.set.Names[row.Item]
		}
		records[k] = cli.Record{{"item", r.set.Items[row.Item]}, {"name", name}, {"worth", at(row.Worth)}, {"std_err", scale * row.StdError},
			{"low", at(row.Low)}, {"high", at(row.High)}, {"quasi", scale * row.Quasi}, {"rank", row.Rank}, {"rank_low", row.RankLow}, {"rank_high", row.RankHigh}, {"tier", row.Tier}}
		if len(deviations) > 0 {
			records[k] = append(records[k], cli.Field{"tie", deviations[row.Item]})
		}
	}
	return records
}

// facts are what holds for the whole fit.
func (r *report) facts() cli.Record {
	nu := any(nil)
	if v := r.fit.Nu(); !math.IsInf(v, -1) {
		nu = v
	}
	facts := cli.Record{{"nu", nu}, {"log_likelihood", r.fit.LogLikelihood}, {"mean_nll", -r.fit.LogLikelihood / r.fit.Weight},
		{"lists", r.set.Len()}, {"weight", r.fit.Weight}, {"parameters", r.fit.Free()}, {"deviance", r.goodness.Deviance}, {"degrees", r.goodness.Degrees},
		{"ties_observed", r.goodness.Observed}, {"ties_expected", r.goodness.Expected}, {"errors", r.flags.errors}, {"level", r.flags.level}, {"critical", r.board.Critical}}
	if r.fit.Prior.Worth > 0 {
		facts = append(facts, cli.Field{"prior", r.fit.Prior.Worth})
	}
	return facts
}

// coefficients are the parameters that no item or rater has of its own.
func (r *report) coefficients() []cli.Record {
	records := []cli.Record{} // an empty list in JSON, not null
	for _, c := range r.fit.Others(r.covariance) {
		records = append(records, cli.Record{{"name", c.Name}, {"value", c.Value}, {"std_err", c.StdError}})
	}
	return records
}

// raters are the reliabilities.
func (r *report) raters() []cli.Record {
	var records []cli.Record
	errors := r.fit.ReliabilityErrors(r.covariance)
	for k, v := range r.fit.Reliabilities() {
		records = append(records, cli.Record{{"rater", r.set.Raters[k]}, {"reliability", v}, {"std_err", errors[k]}})
	}
	return records
}

// deliver writes the board, and what holds for all of it: in a table below it, in JSON in one object. CSV and JSON lines have the
// items alone.
func (r *report) deliver(p *cli.Program) error {
	return p.Deliver(func(w *bufio.Writer) error {
		switch p.Format {
		case "csv", "jsonl":
			return p.WriteRecords(w, r.items())
		case "json":
			all := append(cli.Record{{"items", r.items()}}, r.facts()...)
			all = append(all, cli.Field{"coefficients", r.coefficients()})
			if raters := r.raters(); raters != nil {
				all = append(all, cli.Field{"raters", raters})
			}
			if r.tastes != nil {
				scale, mean := r.scale()
				all = append(all, cli.Field{"tastes", r.tastes.On(scale, mean)})
			}
			all = append(all, cli.Field{"influence", r.influence})
			text, err := json.MarshalIndent(all, "", "  ")
			if err != nil {
				return err
			}
			_, err = w.Write(append(text, '\n'))
			return err
		}
		return r.table(p, w)
	})
}

// table is for a person: intervals beside what they are of.
func (r *report) table(p *cli.Program, w *bufio.Writer) error {
	var records []cli.Record
	digits := 3
	if r.flags.elo {
		digits = 0
	}
	number := func(v any) string { return fmt.Sprintf("%.*f", digits, v) }
	for k, record := range r.items() {
		row := r.board.Rows[k]
		ranks := fmt.Sprint(row.RankLow)
		if row.RankHigh > row.RankLow {
			ranks = fmt.Sprintf("%d-%d", row.RankLow, row.RankHigh)
		}
		records = append(records, cli.Record{{"item", r.set.Name(row.Item)}, {"tier", row.Tier}, {"rank", row.Rank}, {"ranks", ranks},
			{"worth", number(record[2][1])}, {"std_err", number(record[3][1])}, {"interval", number(record[4][1]) + " to " + number(record[5][1])}})
	}
	if err := p.WriteRecords(w, records); err != nil {
		return err
	}
	w.WriteString("\n")
	if r.tastes != nil {
		scale, mean := r.scale()
		names := make([]string, len(r.board.Rows))
		for k, row := range r.board.Rows {
			names[k] = r.set.Name(row.Item)
		}
		if err := writeTastes(p, w, r.tastes.On(scale, mean), names, digits); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%s\n\n", r.influence.Words(r.set.Name(r.board.Rows[0].Item), r.set.Name(r.board.Rows[1].Item)))
	if others := r.coefficients(); len(others) > 0 {
		if err := p.WriteRecords(w, others); err != nil {
			return err
		}
		w.WriteString("\n")
	}
	return p.WriteRecord(w, r.facts())
}
