package paper

import (
	"fmt"
	"math"
	"slices"

	"fubini/judge/evaluate"
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

// verdict is confirmed or refuted.
func verdict(holds bool) string {
	if holds {
		return confirmed
	}
	return refuted
}

// apart is how much one value is above another, user by user, with the 95 % interval of
// the bootstrap; false where they are not of the same users.
func apart(a, b Value) (evaluate.Difference, bool) {
	if len(a.each) == 0 || !slices.Equal(a.users, b.users) {
		return evaluate.Difference{}, false
	}
	return evaluate.Paired(a.each, b.each, "value", 1), true
}

// ahead is the verdict on a claim that one value is above another, and the difference in
// words: none, where the interval of the difference holds 0.
func ahead(a, b Value, digits int) (found, difference string) {
	d, paired := apart(a, b)
	if !paired {
		return undecided, "no users in common"
	}
	difference = fmt.Sprintf("difference %+.*f (%+.*f to %+.*f)", digits, d.Mean, digits, d.Low, digits, d.High)
	if d.Low <= 0 && d.High >= 0 {
		return undecided, difference
	}
	return verdict(d.Mean > 0), difference
}

// adder takes a claim, with a format of its number.
type adder func(text, where, found, format string, args ...any)

// dataClaims depend on the data at hand.
func dataClaims(results map[string]*Result) (list []Claim) {
	add := func(text, where, found, format string, args ...any) {
		list = append(list, Claim{text, where, found, fmt.Sprintf(format, args...)})
	}
	chainClaims(results["fig3a"], add)
	likelihoodClaims(results["table1"], add)
	rankingClaims(results["table2"], results["table3"], add)
	rebuiltClaims(results["fig3c"], add)
	return list
}

// change is how much higher the second of two means over epochs is, and whether it is up
// (1) or down (-1) by more than two standard errors, or neither.
func change(before, after Value) (difference, stdErr float64, way int) {
	difference, stdErr = after.ours()-before.ours(), math.NaN()
	if before.StdErr != nil && after.StdErr != nil {
		stdErr = math.Hypot(*before.StdErr, *after.StdErr)
	}
	switch {
	case difference > 2*stdErr:
		way = 1
	case difference < -2*stdErr:
		way = -1
	}
	return difference, stdErr, way
}

// moved is the verdict on a claim of a rise (1), by whether there is one, a fall (-1), or neither.
func moved(way int) string { return [...]string{refuted, undecided, confirmed}[way+1] }

// chainClaims are those of Figure 3a.
func chainClaims(r *Result, add adder) {
	const where, shared, base = "section 4.2, Figure 3a", "printed ratio", "corrected ratio, ties in the base only"
	for _, each := range []struct{ row, text string }{
		{shared, ", model and sampler as printed"}, {base, ", tie weight in the base only, corrected sampler"}, {chainsLabel, ", ours, fitted by chains"},
	} {
		overTime := func(what string) (float64, float64, int) {
			return change(r.find("fig3a", each.row, what+firstFifth), r.find("fig3a", each.row, what+lastFifth))
		}
		distance, stdErr, way := overTime("Dist")
		add("Samples get closer to the data as the model learns"+each.text, where, moved(-way), "Dist %+.3f ± %.3f from the first fifth of epochs to the last", distance, stdErr)
		split, splitErr, splits := overTime("splits")
		merge, mergeErr, merges := overTime("merges")
		add("Fewer splits and merges are accepted as it learns"+each.text, where, moved(-max(splits, merges)), "splits %+.3f ± %.3f, merges %+.3f ± %.3f", split, splitErr, merge, mergeErr)
	}
	size := func(row string) Value { return r.find("fig3a", row, "items in a set"+lastFifth) }
	_, _, way := change(size(shared), exactly(size("the data").Ours))
	add("The sampler's sets are small", "section 4.2", moved(way), "%.2f items in a set with the printed ratio, %.2f with the corrected one, %.2f in the data, %.2f in uniform draws",
		size(shared).ours(), size("corrected ratio").ours(), size("the data").ours(), size("uniform draws").ours())
}

// exactly is a value without error.
func exactly(v *float64) Value { return Value{Ours: v, StdErr: new(float64)} }

// closeEnough is how far apart two log likelihoods may be that agree, in nats.
const closeEnough = 0.1

// likelihoodClaims are those of Table 1.
func likelihoodClaims(r *Result, add adder) {
	lengths := r.Settings.Lengths
	pair := annealed{Steps: r.Settings.Annealing[1][0], Runs: r.Settings.Annealing[1][1]}
	longer := annealed{Steps: r.Settings.Annealing[2][0], Runs: r.Settings.Annealing[2][1]}
	for _, against := range []struct {
		label, row string
		length     int
	}{{"exact", "exact", lengths[0]}, {"with " + longer.String(), longer.String(), lengths[len(lengths)-1]}} {
		column := fmt.Sprintf("M = %d", against.length)
		theirs, truth := r.find("ties", paperLabel+", marginal, "+pair.String(), column), r.find("ties", paperLabel+", marginal, "+against.row, column)
		found := undecided
		d, paired := apart(theirs, truth)
		switch {
		case paired && d.Low > -closeEnough && d.High < closeEnough:
			found = confirmed
		case paired && (d.Low > closeEnough || d.High < -closeEnough):
			found = refuted
		}
		add(fmt.Sprintf("Annealing with the paper's sampler and settings finds the likelihood at %s (to %g nats)", column, closeEnough), "section 4.2", found,
			"with %s %.2f, %s %.2f, difference %+.3f (%+.3f to %+.3f)", pair, theirs.ours(), against.label, truth.ours(), d.Mean, d.Low, d.High)
	}
	for _, m := range lengths {
		column := fmt.Sprintf("M = %d", m)
		plackett, theirs := r.find("strict", "Plackett-Luce.MF", column), r.find("strict", paperLabel+" given T = M, predictive", column)
		text := "The Latent OSM beats Plackett-Luce.MF at "
		found, difference := ahead(theirs, plackett, 2)
		if m == 30 { // the one length at which the paper has it behind
			text = "Plackett-Luce.MF beats the Latent OSM at "
			found, difference = ahead(plackett, theirs, 2)
		}
		add(text+column+", both over strict orders", "Table 1", found, "Plackett-Luce.MF %.2f, to the letter %.2f, %s; ours %.2f",
			plackett.ours(), theirs.ours(), difference, r.find("strict", oursLabel+" given T = M, predictive", column).ours())
	}
}

// rankingClaims are those of Tables 2 and 3.
func rankingClaims(table2, table3 *Result, add adder) {
	const where = "section 4.3, Table 2"
	cell := func(row, column string) Value { return table2.find("table2", row, column) }
	for _, given := range table2.Settings.givens(10, 20) {
		column := columnOf(given, "ndcg@5")
		place, of := table2.place("table2", paperLabel, column)
		own, _ := table2.place("table2", oursLabel, column)
		label, baseline := bestBaseline(table2, column, false)
		found, difference := ahead(cell(paperLabel, column), baseline, 3)
		add(fmt.Sprintf("The Latent OSM beats all baselines at N = %d", given), where, found,
			"N@5 to the letter %.3f (place %d of %d), best of the paper's baselines %s %.3f, %s; ours %.3f (place %d)",
			cell(paperLabel, column).ours(), place, of, label, baseline.ours(), difference, cell(oursLabel, column).ours(), own)
	}
	for _, given := range table2.Settings.givens(50) {
		column := columnOf(given, "ndcg@5")
		pmf := cell(pmfLabel, column)
		found, difference := ahead(pmf, cell(paperLabel, column), 3)
		add(fmt.Sprintf("At N = %d PMF beats the Latent OSM", given), where, found,
			"N@5 of PMF %.3f, to the letter %.3f, %s", pmf.ours(), cell(paperLabel, column).ours(), difference)
		found, difference = ahead(pmf, cell(oursLabel, column), 3)
		add("and does so because orders lose what ratings know", "section 4.3", found,
			"N@5 of PMF %.3f, of ours, which is given orders and who placed what but no ratings, %.3f, %s", pmf.ours(), cell(oursLabel, column).ours(), difference)
	}
	for _, model := range []struct{ row, text string }{{paperLabel, "to the letter"}, {oursLabel, "with our corrections"}} {
		for _, given := range table2.Settings.givens(10, 20, 50) {
			column := columnOf(given, "ndcg@5")
			label, baseline := bestBaseline(table2, column, true)
			found, difference := ahead(cell(model.row, column), baseline, 3)
			if found == undecided {
				found = confirmed // not behind is competitive
			}
			add(fmt.Sprintf("The model is competitive against the state of the art (not behind the best baseline, bayesian-mf among them) at N = %d, %s", given, model.text), "abstract, section 6", found,
				"N@5 %.3f, of %s %.3f, %s", cell(model.row, column).ours(), label, baseline.ours(), difference)
		}
	}
	for _, given := range table3.Settings.givens(10, 20) {
		column := columnOf(given, "err")
		label, baseline := bestBaseline(table3, column, false)
		theirs := table3.find("table3", paperLabel, column)
		found, difference := ahead(theirs, baseline, 3)
		add(fmt.Sprintf("The Latent OSM is ahead of PMF and ListRank.MF at N = %d on the second data set (%s)", given, table3.Data[0].Name), "Table 3", found,
			"ERR to the letter %.3f, best baseline %s %.3f, %s; ours %.3f", theirs.ours(), label, baseline.ours(), difference, table3.find("table3", oursLabel, column).ours())
	}
}

// wellRebuilt is the share of pairs in the right order that we take "high quality" to
// mean; the paper has no number.
const wellRebuilt = 0.9

// rebuiltClaims are those of Figure 3c.
func rebuiltClaims(r *Result, add adder) {
	units := r.Settings.Units
	low, high := fmt.Sprintf("K = %d", units[0]), fmt.Sprintf("K = %d", units[len(units)-1])
	for _, model := range []string{paperLabel, oursLabel} {
		pairs := func(part, column string) Value { return r.find("fig3c-pairs", model+", "+part, column) }
		_, _, seen := change(exactly(number(wellRebuilt)), pairs("training", high))
		_, _, unseen := change(exactly(number(wellRebuilt)), pairs("unseen users", high))
		add(fmt.Sprintf("With enough units an order can be rebuilt well (%.0f %% of pairs in order) from its posterior vector, for seen and unseen users, by %s", 100*wellRebuilt, model),
			"section 4.3, Figure 3c", moved(min(seen, unseen)), "pairs in order at %s: %.3f seen, %.3f unseen; at %s: %.3f, %.3f",
			high, pairs("training", high).ours(), pairs("unseen users", high).ours(), low, pairs("training", low).ours(), pairs("unseen users", low).ours())
	}
}

// bestBaseline is the row with the highest value in a column that is not of our family; of
// those that the paper has, or of all.
func bestBaseline(r *Result, column string, all bool) (label string, best Value) {
	return r.best(r.Target, column, func(label string) bool {
		e := labelled(label)[0]
		return e.model != "latent-osm-paper" && e.label != oursLabel && (all || !e.own)
	})
}
