package league

import (
	"context"
	"encoding/csv"
	"fmt"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/modelstore"
	"fubini/paper/cells"
	"fubini/use/odds"
)

// Calibration compares the tier probabilities of several models with the test ratings of one split.
type Calibration struct {
	Data  cells.Data
	Given int
	Seed  uint64
	Jobs  int
	// Observe, if not nil, is called with what is under way.
	Observe func(what string)
}

// Odds is the outcome of one forecast.
type Odds struct {
	Name string
	*odds.Outcome
	Minus evaluate.Difference // log loss of ours minus that of this one, user by user
}

// calibrationShare is the part of the training ratings by which ours is calibrated.
const calibrationShare = 0.1

// ourOdds is the row that others are compared with.
const ourOdds = "latent-osm"

// Run fits the models to the training part and compares their forecasts with the test ratings.
func (c Calibration) Run(ctx context.Context) ([]Odds, error) {
	split, err := c.Data.Split(c.Given, c.Seed)
	if err != nil {
		return nil, err
	}
	report := func(what string) {
		if c.Observe != nil {
			c.Observe(what)
		}
	}
	report("latent-osm, calibrated by a tenth of its training ratings")
	ours, err := modelstore.Train(ctx, split.Training.Set(), modelstore.Request{Model: "latent-osm", Seed: c.Seed, Jobs: c.Jobs, Calibrate: calibrationShare})
	if err != nil {
		return nil, err
	}
	catalogue, err := ours.Catalogue()
	if err != nil {
		return nil, err
	}
	if ours.Odds == nil || ours.Odds.Guess == nil {
		return nil, fmt.Errorf("paper: %d ratings are too few to calibrate by, or have too many levels; take other data", split.Training.Set().Len())
	}
	report("bayesian-mf, with an ordered probit")
	probit, err := c.probit(ctx, split.Training.Set())
	if err != nil {
		return nil, err
	}
	report("bayesian-mf without as many ratings, to calibrate it by them")
	kept, err := odds.HoldBack(split.Training.Set(), calibrationShare, c.Seed) // those of ours
	if err != nil {
		return nil, err
	}
	trial, err := c.probit(ctx, kept.Training.Set())
	if err != nil {
		return nil, err
	}
	correction, err := odds.FitForecast(trial, kept, c.Jobs)
	if err != nil {
		return nil, err
	}
	bare := odds.Slots{Catalogue: catalogue, Calibration: ours.Odds, TiersOnly: true}
	var rows []Odds
	for _, each := range []struct {
		name       string
		forecaster odds.Forecaster
	}{
		{ourOdds, odds.Slots{Catalogue: catalogue, Calibration: ours.Odds}},
		{"latent-osm, ratings of the tiers hidden", bare},
		{"latent-osm, not calibrated", odds.Slots{Catalogue: catalogue, TiersOnly: true}},
		{"bayesian-mf, ordered probit", probit},
		{"bayesian-mf, calibrated as ours is", odds.Corrected{Forecaster: probit, Calibration: correction}},
		{"bayesian-mf, ratings of the tiers hidden", odds.Levels{Model: probit.Model, Guess: bare.Guesses}},
		{"the person's frequencies", odds.Frequencies{}},
	} {
		report("odds of " + each.name)
		outcome, err := odds.Judge(ctx, each.forecaster, split.Holdout, c.Jobs)
		if err != nil {
			return nil, err
		}
		row := Odds{Name: each.name, Outcome: outcome}
		if len(rows) > 0 {
			row.Minus = evaluate.Paired(rows[0].Losses, row.Losses, "log loss", c.Seed)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// probit fits bayesian-mf with an ordered probit.
func (c Calibration) probit(ctx context.Context, set *ratings.Set) (odds.Levels, error) {
	runner := &cells.Runner{Jobs: c.Jobs}
	fitted, err := runner.Fit(ctx, "bayesian-mf", map[string]float64{"response": cells.OrderedProbit}, set, c.Seed)
	if err != nil {
		return odds.Levels{}, err
	}
	levels, ok := fitted.(odds.LevelModel)
	if !ok {
		return odds.Levels{}, fmt.Errorf("paper: bayesian-mf gives no probabilities of ratings")
	}
	return odds.Levels{Model: levels}, nil
}

// WriteCalibration writes the table of all forecasts and the reliability tables of
// ours in Markdown.
func WriteCalibration(w io.Writer, rows []Odds) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d held-out ratings of %d people.\n\n", rows[0].Ratings, rows[0].Users)
	b.WriteString("| odds | log loss | ours less, per person | error, all slots | error, likeliest slot | error, best tier |\n|---|---:|---:|---:|---:|---:|\n")
	for k, r := range rows {
		minus := ""
		if k > 0 {
			minus = interval(r.Minus.Estimate)
		}
		fmt.Fprintf(&b, "| %s | %.4f | %s | %.4f | %.4f | %.4f |\n", r.Name, r.LogLoss, minus, r.All.ECE, r.Likeliest.ECE, r.Best.ECE)
	}
	fmt.Fprintf(&b, "\nReliability of %s: what slots were given on average, and how often they came (95 %% interval of independent events).\n\n", rows[0].Name)
	b.WriteString("| all slots: given | came | likeliest: given | came | best tier: given | came |\n|---:|---:|---:|---:|---:|---:|\n")
	for k := range rows[0].All.Bins {
		for _, t := range rows[0].tables() {
			if k < len(t.Bins) {
				bin := t.Bins[k]
				fmt.Fprintf(&b, "| %.4f | %.4f (%.4f to %.4f) ", bin.P, bin.Observed, bin.Low, bin.High)
			} else {
				b.WriteString("| | ")
			}
		}
		b.WriteString("|\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCalibrationCSV writes every bin of every forecast.
func WriteCalibrationCSV(w io.Writer, rows []Odds) error {
	lines := [][]string{{"odds", "log_loss", "slots", "ece", "bin", "p", "observed", "low", "high", "count"}}
	for _, r := range rows {
		for _, t := range r.tables() {
			for k, bin := range t.Bins {
				lines = append(lines, texts(r.Name, r.LogLoss, t.name, t.ECE, k+1, bin.P, bin.Observed, bin.Low, bin.High, bin.Count))
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

type namedTable struct {
	name string
	odds.Reliability
}

func (o Odds) tables() []namedTable {
	return []namedTable{{"all slots", o.All}, {"likeliest slot", o.Likeliest}, {"best tier", o.Best}}
}

// Colours that colour-blind people can distinguish.
var (
	oursColour  = color.NRGBA{R: 0, G: 114, B: 178, A: 255}
	otherColour = color.NRGBA{R: 213, G: 94, B: 0, A: 255}
	greyColour  = color.NRGBA{R: 150, G: 150, B: 150, A: 255}
)

// ReliabilityPicture draws observed shares against stated probabilities, for the likeliest slot
// and all slots of each row, and writes the picture as svg or png.
func ReliabilityPicture(w io.Writer, rows []Odds, kind string) error {
	const side = 12 * vg.Centimeter
	p := plot.New()
	p.Title.Text = "What was given, and what came"
	p.X.Label.Text, p.Y.Label.Text = "odds given", "share that came"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.XOffs, p.Legend.YOffs = vg.Points(8), vg.Points(-8)
	same, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return err
	}
	same.Color = greyColour
	same.Dashes = []vg.Length{vg.Points(3), vg.Points(3)}
	p.Add(plotter.NewGrid(), same)
	for _, row := range rows {
		ink, shape := otherColour, draw.GlyphDrawer(draw.TriangleGlyph{})
		if row.Name == ourOdds {
			ink, shape = oursColour, draw.CircleGlyph{}
		}
		for _, t := range row.tables()[:2] {
			at := make(plotter.XYs, len(t.Bins))
			for k, bin := range t.Bins {
				at[k] = plotter.XY{X: bin.P, Y: bin.Observed}
			}
			line, points, err := plotter.NewLinePoints(at)
			if err != nil {
				return err
			}
			line.Color, points.Color, points.Shape = ink, ink, shape
			p.Add(line, points)
			p.Legend.Add(row.Name+", "+t.name, line, points)
			ink.A /= 2
		}
	}
	to, err := p.WriterTo(side, side, kind)
	if err != nil {
		return fmt.Errorf("paper: %w", err)
	}
	_, err = to.WriteTo(w)
	return err
}
