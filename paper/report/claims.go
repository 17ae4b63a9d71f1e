package report

import (
	"fmt"

	"fubini/paper"
)

// Claim is a statement of the paper, and our verdict on it. Claims that need no data are in report.md.tmpl.
type Claim struct {
	Text    string // in our words
	Where   string // in the paper
	Verdict string // confirmed, refuted, ...
	Number  string
}

// The verdicts on data: other data may overturn them.
const (
	confirmed = "confirmed here"
	refuted   = "refuted here"
	undecided = "inconclusive here"
)

// leastRuns is the number of splits, with a training on each, that a verdict needs: runs of one model on one data set can differ by
// more than the interval over the users of a run is wide.
const leastRuns = 2

// verdict is what a result of so many runs leaves of a finding.
func verdict(runs int, found string) string {
	if runs < leastRuns {
		return undecided
	}
	return found
}

// oneRun is what the number of a claim ends with if it rests on one run.
func oneRun(runs int) string {
	if runs < leastRuns {
		return "; one split, one training"
	}
	return ""
}

// ahead is the verdict on a claim that one value is above another, and the difference in words: none, where the interval of the
// difference, over runs and users, holds 0, or where there is but one run.
func ahead(runs int, a, b paper.Value, digits int) (found, difference string) {
	d, err := a.Minus(b)
	if err != nil {
		return undecided, err.Error()
	}
	difference = fmt.Sprintf("difference %+.*f (%+.*f to %+.*f)", digits, d.Mean, digits, d.Low, digits, d.High) + oneRun(runs)
	way := 0
	switch {
	case d.Low > 0:
		way = 1
	case d.High < 0:
		way = -1
	}
	return verdict(runs, moved(way)), difference
}

// moved is the verdict on a claim of a rise (1), by whether there is one, a fall (-1), or neither.
func moved(way int) string { return [...]string{refuted, undecided, confirmed}[way+1] }

// adder takes a claim about some results, with a format of its number.
type adder func(text, where, found, format string, args ...any)

// dataClaims depend on the data at hand.
func dataClaims(results map[string]*paper.Result) (list []Claim) {
	add := func(text, where, found, format string, args ...any) {
		list = append(list, Claim{text, where, found, fmt.Sprintf(format, args...)})
	}
	chainClaims(results["fig3a"], add)
	likelihoodClaims(results["table1"], add)
	rankingClaims(results["table2"], results["table3"], add)
	rebuiltClaims(results["fig3c"], add)
	return list
}

// chainClaims are those of Figure 3a.
func chainClaims(r *paper.Result, add adder) {
	const where, shared, base = "section 4.2, Figure 3a", "printed ratio", "corrected ratio, ties in the base only"
	runs := len(r.Seeds)
	for _, each := range []struct{ row, text string }{
		{shared, ", model and sampler as printed"}, {base, ", tie weight in the base only, corrected sampler"}, {paper.ChainsLabel, ", ours, fitted by chains"},
	} {
		overTime := func(what string) (float64, float64, int) {
			return paper.Change(r.Find("fig3a", each.row, what+paper.FirstFifth), r.Find("fig3a", each.row, what+paper.LastFifth))
		}
		distance, stdErr, way := overTime("Dist")
		add("Samples get closer to the data as the model learns"+each.text, where, verdict(runs, moved(-way)), "Dist %+.3f ± %.3f from the first fifth of epochs to the last%s", distance, stdErr, oneRun(runs))
		split, splitErr, splits := overTime("splits")
		merge, mergeErr, merges := overTime("merges")
		add("Fewer splits and merges are accepted as it learns"+each.text, where, verdict(runs, moved(-max(splits, merges))), "splits %+.3f ± %.3f, merges %+.3f ± %.3f%s", split, splitErr, merge, mergeErr, oneRun(runs))
	}
	size := func(row string) paper.Value { return r.Find("fig3a", row, "items in a set"+paper.LastFifth) }
	_, _, way := paper.Change(size(shared), exactly(size("the data").Ours))
	add("The sampler's sets are small", "section 4.2", verdict(runs, moved(way)), "%.2f items in a set with the printed ratio, %.2f with the corrected one, %.2f in the data, %.2f in uniform draws%s",
		size(shared).Number(), size("corrected ratio").Number(), size("the data").Number(), size("uniform draws").Number(), oneRun(runs))
}

// exactly is a value without error.
func exactly(v *float64) paper.Value { return paper.Value{Ours: v, StdErr: new(float64)} }

// closeEnough is how far apart two log likelihoods may be that agree, in nats.
const closeEnough = 0.1

// likelihoodClaims are those of Table 1.
func likelihoodClaims(r *paper.Result, add adder) {
	lengths, runs := r.Settings.Lengths, len(r.Seeds)
	label := func(k int) string {
		return paper.AnnealingLabel(r.Settings.Annealing[k][0], r.Settings.Annealing[k][1])
	}
	pair, longer := label(1), label(2)
	for _, against := range []struct {
		label, row string
		length     int
	}{{"exact", "exact", lengths[0]}, {"with " + longer, longer, lengths[len(lengths)-1]}} {
		column := fmt.Sprintf("M = %d", against.length)
		theirs, truth := r.Find("ties", paper.PaperLabel+", marginal, "+pair, column), r.Find("ties", paper.PaperLabel+", marginal, "+against.row, column)
		found := undecided
		d, err := theirs.Minus(truth)
		switch {
		case err == nil && d.Low > -closeEnough && d.High < closeEnough:
			found = confirmed
		case err == nil && (d.Low > closeEnough || d.High < -closeEnough):
			found = refuted
		}
		add(fmt.Sprintf("Annealing with the paper's sampler and settings finds the likelihood at %s (to %g nats)", column, closeEnough), "section 4.2", verdict(runs, found),
			"with %s %.2f, %s %.2f, difference %+.3f (%+.3f to %+.3f)%s", pair, theirs.Number(), against.label, truth.Number(), d.Mean, d.Low, d.High, oneRun(runs))
	}
	for _, m := range lengths {
		column := fmt.Sprintf("M = %d", m)
		plackett, theirs := r.Find("strict", "Plackett-Luce.MF", column), r.Find("strict", paper.PaperLabel+" given T = M, predictive", column)
		text := "The Latent OSM beats Plackett-Luce.MF at "
		found, difference := ahead(runs, theirs, plackett, 2)
		if m == 30 { // the one length at which the paper has it behind
			text = "Plackett-Luce.MF beats the Latent OSM at "
			found, difference = ahead(runs, plackett, theirs, 2)
		}
		add(text+column+", both over strict orders", "Table 1", found, "Plackett-Luce.MF %.2f, to the letter %.2f, ours %.2f; %s",
			plackett.Number(), theirs.Number(), r.Find("strict", paper.OursLabel+" given T = M, predictive", column).Number(), difference)
	}
}

// rankingClaims are those of Tables 2 and 3.
func rankingClaims(table2, table3 *paper.Result, add adder) {
	const where = "section 4.3, Table 2"
	runs := len(table2.Seeds)
	cell := func(row, column string) paper.Value { return table2.Find("table2", row, column) }
	for _, given := range table2.Settings.Givens(10, 20) {
		column := paper.ColumnOf(given, "ndcg@5")
		place, of := table2.Place("table2", paper.PaperLabel, column)
		own, _ := table2.Place("table2", paper.OursLabel, column)
		label, baseline := bestBaseline(table2, column, false)
		found, difference := ahead(runs, cell(paper.PaperLabel, column), baseline, 3)
		add(fmt.Sprintf("The Latent OSM beats all baselines at N = %d", given), where, found,
			"N@5 to the letter %.3f (place %d of %d), ours %.3f (place %d), best of the paper's baselines %s %.3f; %s",
			cell(paper.PaperLabel, column).Number(), place, of, cell(paper.OursLabel, column).Number(), own, label, baseline.Number(), difference)
	}
	for _, given := range table2.Settings.Givens(50) {
		column := paper.ColumnOf(given, "ndcg@5")
		pmf := cell(paper.PMFLabel, column)
		found, difference := ahead(runs, pmf, cell(paper.PaperLabel, column), 3)
		add(fmt.Sprintf("At N = %d PMF beats the Latent OSM", given), where, found,
			"N@5 of PMF %.3f, to the letter %.3f, %s", pmf.Number(), cell(paper.PaperLabel, column).Number(), difference)
		found, difference = ahead(runs, pmf, cell(paper.OursLabel, column), 3)
		add("and does so because orders lose what ratings know", "section 4.3", found,
			"N@5 of PMF %.3f, of ours, which is given orders and who placed what but no ratings, %.3f, %s", pmf.Number(), cell(paper.OursLabel, column).Number(), difference)
	}
	for _, model := range []struct{ row, text string }{{paper.PaperLabel, "to the letter"}, {paper.OursLabel, "with our corrections"}} {
		for _, given := range table2.Settings.Givens(10, 20, 50) {
			column := paper.ColumnOf(given, "ndcg@5")
			label, baseline := bestBaseline(table2, column, true)
			found, difference := ahead(runs, cell(model.row, column), baseline, 3)
			add(fmt.Sprintf("The model is competitive against the state of the art (not behind the best baseline, bayesian-mf among them) at N = %d, %s", given, model.text), "abstract, section 6", found,
				"N@5 %.3f, of %s %.3f, %s", cell(model.row, column).Number(), label, baseline.Number(), difference)
		}
	}
	for _, given := range table3.Settings.Givens(10, 20) {
		column := paper.ColumnOf(given, "err")
		label, baseline := bestBaseline(table3, column, false)
		theirs := table3.Find("table3", paper.PaperLabel, column)
		found, difference := ahead(len(table3.Seeds), theirs, baseline, 3)
		add(fmt.Sprintf("The Latent OSM is ahead of PMF and ListRank.MF at N = %d on the second data set (%s)", given, table3.Data[0].Name), "Table 3", found,
			"ERR to the letter %.3f, ours %.3f, best baseline %s %.3f; %s", theirs.Number(), table3.Find("table3", paper.OursLabel, column).Number(), label, baseline.Number(), difference)
	}
}

// wellRebuilt is the share of pairs in the right order that we take "high quality" to
// mean; the paper has no number.
const wellRebuilt = 0.9

// rebuiltClaims are those of Figure 3c.
func rebuiltClaims(r *paper.Result, add adder) {
	units, runs := r.Settings.Units, len(r.Seeds)
	low, high := fmt.Sprintf("K = %d", units[0]), fmt.Sprintf("K = %d", units[len(units)-1])
	enough := wellRebuilt
	for _, model := range []string{paper.PaperLabel, paper.OursLabel} {
		pairs := func(part, column string) paper.Value { return r.Find("fig3c-pairs", model+", "+part, column) }
		_, _, seen := paper.Change(exactly(&enough), pairs("training", high))
		_, _, unseen := paper.Change(exactly(&enough), pairs("unseen users", high))
		add(fmt.Sprintf("With enough units an order can be rebuilt well (%.0f %% of pairs in order) from its posterior vector, for seen and unseen users, by %s", 100*wellRebuilt, model),
			"section 4.3, Figure 3c", verdict(runs, moved(min(seen, unseen))), "pairs in order at %s: %.3f seen, %.3f unseen; at %s: %.3f, %.3f%s",
			high, pairs("training", high).Number(), pairs("unseen users", high).Number(), low, pairs("training", low).Number(), pairs("unseen users", low).Number(), oneRun(runs))
	}
}

// bestBaseline is the row with the highest value in a column that is not of our family; of those that the paper has, or of all.
func bestBaseline(r *paper.Result, column string, all bool) (label string, best paper.Value) {
	return r.Best(r.Target, column, func(label string) bool {
		return !ofFamily(r, label) && (all || label != paper.BayesLabel)
	})
}

// ofFamily is whether a row is of the paper's model or of ours.
func ofFamily(r *paper.Result, label string) bool {
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if row.Label == label && (row.Model == "latent-osm-paper" || row.Model == "latent-osm") {
				return true
			}
		}
	}
	return false
}
