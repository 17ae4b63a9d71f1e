package ranking

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"fubini/app/picture"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/terminal"
	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/model/osm"
	"fubini/use/board"
)

// report is the result of a fit.
type report struct {
	flags *flags
	set   *votes.Set
	board *board.Fitted
	shown *board.Report   // on the scale asked for
	sizes osm.SizeWeights // weights of tier sizes; nil for none
}

// watch shows the stages of the fit until end is called.
func (f *flags) watch(p *cli.Program) (end func()) {
	stages := terminal.WatchStages(p.ProgressTo(), "fit")
	f.fit.Stage = func(name string) { stages.Begin("fit: " + name) }
	f.fit.Tell = func(format string, args ...any) {
		stages.Tell(func() { p.Tell(format, args...) })
	}
	return stages.End
}

func (f *flags) report(ctx context.Context, p *cli.Program, set *votes.Set, design ballot.Design) (*report, error) {
	end := f.watch(p)
	fitted, err := f.fit.Run(ctx, set, design)
	end()
	if err != nil {
		return nil, err
	}
	r := &report{flags: f, set: set, board: fitted.Board, sizes: fitted.TierSizes()}
	scale, mean := f.scale()
	r.shown = r.board.Report.On(scale, mean)
	return r, nil
}

// Elo's scale: 400 points for odds of 10 to 1.
const eloPoints, eloMean = 400 / math.Ln10, 1000

// scale is that of the worths shown.
func (f *flags) scale() (scale, mean float64) {
	if f.elo {
		return eloPoints, eloMean
	}
	return 1, 0
}

// draw writes the forest plot.
func (r *report) draw(p *cli.Program, title string) error {
	scale, mean := r.flags.scale()
	axis := fmt.Sprintf("%s, with intervals of %g %%", map[bool]string{false: "worth", true: "Elo"}[r.flags.elo], 100*r.flags.level)
	kind := strings.ToLower(strings.TrimPrefix(filepath.Ext(r.flags.plot), "."))
	names := drawable(p, "--plot", kind, r.board.Rows, r.set.Items, r.allNames())
	return cli.Destination{Flag: "--plot", Path: r.flags.plot}.Deliver(func(w *bufio.Writer) error {
		return picture.Forest(w, kind, filepath.Base(title), axis, r.board.Board, names, func(x float64) float64 { return mean + scale*x })
	})
}

// drawHeat writes the heat map.
func (r *report) drawHeat(p *cli.Program, title string) error {
	kind := strings.ToLower(strings.TrimPrefix(filepath.Ext(r.flags.heat), "."))
	names := drawable(p, "--heat", kind, r.board.Rows, r.set.Items, r.allNames())
	return cli.Destination{Flag: "--heat", Path: r.flags.heat}.Deliver(func(w *bufio.Writer) error {
		return picture.Heat(w, kind, filepath.Base(title), r.board.Board, names, r.board.Chances)
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

// writePairs writes all pairs of items, better first: probabilities in a vote on the two alone, and for those that met in votes what
// was counted, what the fit expects in these votes, and how far they are apart.
func (r *report) writePairs() error {
	scale, _ := r.flags.scale()
	return cli.Destination{Flag: "--pairs", Path: r.flags.pairs}.Deliver(func(w *bufio.Writer) error {
		var records []cli.Record
		for k, upper := range r.board.Rows {
			for _, lower := range r.board.Rows[k+1:] {
				pair := r.board.Pair(r.board.Board, upper.Item, lower.Item)
				record := cli.Record{{"item_a", pair.A}, {"item_b", pair.B}, {"win", pair.Fitted[0]}, {"tie", pair.Fitted[1]}, {"loss", pair.Fitted[2]},
					{"difference", scale * pair.Difference}, {"std_err", scale * pair.StdError}, {"apart", pair.Apart}}
				met := [7]any{} // empty cells where they did not meet
				if c, e := pair.Counted, pair.Expected; c != nil {
					met = [7]any{c[0], c[1], c[2], e[0], e[1], e[2], *pair.P}
				}
				for k, name := range []string{"wins", "ties", "losses", "expected_wins", "expected_ties", "expected_losses", "p"} {
					record = append(record, cli.Field{name, met[k]})
				}
				records = append(records, record)
			}
		}
		return cli.WriteCSV(w, records)
	})
}

// deliver writes the board, and what holds for all of it: in a table below it, in JSON in one object. CSV and JSON lines have the
// items alone.
func (r *report) deliver(p *cli.Program) error {
	return p.Deliver(func(w *bufio.Writer) error {
		switch p.Format {
		case "csv", "jsonl":
			return p.WriteRecords(w, r.items())
		case "json":
			text, err := json.MarshalIndent(r.shown, "", "  ")
			if err != nil {
				return err
			}
			_, err = w.Write(append(text, '\n'))
			return err
		}
		return r.table(p, w)
	})
}

// items are the rows of the board, for programs.
func (r *report) items() []cli.Record {
	records := make([]cli.Record, len(r.shown.Items))
	for k, i := range r.shown.Items {
		records[k] = cli.Record{{"item", i.ID}, {"name", cli.OrNone(i.Name)}, {"worth", i.Worth}, {"std_err", i.StdError}, {"low", i.Low}, {"high", i.High},
			{"quasi", i.Quasi}, {"rank", i.Rank}, {"rank_low", i.RankLow}, {"rank_high", i.RankHigh}, {"tier", i.Tier}}
		if i.Tie != nil {
			records[k] = append(records[k], cli.Field{"tie", *i.Tie}, cli.Field{"tie_std_err", cli.OrNone(i.TieError)})
		}
	}
	return records
}

// table is for a person: intervals beside what they are of.
func (r *report) table(p *cli.Program, w *bufio.Writer) error {
	var records []cli.Record
	digits := 3
	if r.flags.elo {
		digits = 0
	}
	number := func(v float64) string { return fixed(v, digits) }
	for k, i := range r.shown.Items {
		ranks := fmt.Sprint(i.RankLow)
		if i.RankHigh > i.RankLow {
			ranks = fmt.Sprintf("%d-%d", i.RankLow, i.RankHigh)
		}
		record := cli.Record{{"item", r.set.Name(r.board.Rows[k].Item)}, {"tier", i.Tier}, {"rank", i.Rank}, {"ranks", ranks},
			{"worth", number(i.Worth)}, {"std_err", number(i.StdError)}, {"interval", number(i.Low) + " to " + number(i.High)}}
		if i.Tie != nil { // a log weight, whatever the scale of worths
			record = append(record, cli.Field{"tie", fixed(*i.Tie, 3)}, cli.Field{"tie_std_err", fixed(*i.TieError, 3)})
		}
		records = append(records, record)
	}
	if err := p.WriteRecords(w, records); err != nil {
		return err
	}
	w.WriteString("\n")
	if o := r.shown.Open; o != nil {
		fmt.Fprintf(w, "%s\n\n", cli.Folded(o.Words(r.nameOf), 0))
	}
	if t := r.shown.Tastes; t != nil {
		names := make([]string, len(r.board.Rows))
		for k, row := range r.board.Rows {
			names[k] = r.set.Name(row.Item)
		}
		if err := writeTastes(p, w, t, names, digits, r.shown.Level); err != nil {
			return err
		}
	}
	if s := r.shown.Spread; s != nil {
		if err := writeRaters(p, w, r.shown.Raters, s); err != nil {
			return err
		}
	}
	if in := r.shown.Influence; in != nil {
		fmt.Fprintf(w, "%s\n\n", cli.Folded(in.Words(r.nameOf(in.First), r.nameOf(in.Second)), 0))
	}
	if len(r.shown.Coefficients) > 0 {
		if err := p.WriteRecords(w, coefficients(r.shown.Coefficients, r.shown.Level)); err != nil {
			return err
		}
		w.WriteString("\n")
	}
	return p.WriteRecord(w, r.facts())
}

// nameOf is the name of an item by its id.
func (r *report) nameOf(id string) string {
	return r.set.Name(slices.Index(r.set.Items, id))
}

// facts are what holds for the whole fit, in the table.
func (r *report) facts() cli.Record {
	s := r.shown
	facts := cli.Record{{"nu", cli.OrNone(s.Nu)}, {"log_likelihood", cli.OrNone(s.LogLikelihood)}, {"mean_nll", cli.OrNone(s.MeanNLL)}, {"likelihood", s.Likelihood}}
	if s.SlotNLL != nil { // the two before it are estimates by annealing
		facts = append(facts, cli.Field{"mean_nll_std_err", cli.OrNone(s.MeanNLLStd)}, cli.Field{"slot_nll", *s.SlotNLL})
	}
	facts = append(facts, cli.Record{{"lists", s.Lists}, {"weight", s.Weight},
		{"parameters", s.Parameters}}...)
	degrees := cli.OrNone(s.Degrees)
	if s.Effective != nil { // no whole number, nor are then the degrees
		facts = append(facts, cli.Field{"effective_parameters", fixed(*s.Effective, 2)})
		degrees = fixed(*s.Degrees, 2)
	}
	facts = append(facts, cli.Record{{"deviance", cli.OrNone(s.Deviance)}, {"degrees", degrees}, {"ties_observed", s.TiesSeen}, {"ties_expected", s.TiesFitted},
		{"errors", s.Errors}, {"level", s.Level}, {"critical", s.Critical}}...)
	if s.Redrawn != nil {
		facts = append(facts, cli.Field{"redrawn", *s.Redrawn})
	}
	if s.Prior != nil {
		facts = append(facts, cli.Field{"prior", *s.Prior})
	}
	return facts
}
