package paper

import (
	"fmt"
	"math"
	"math/big"

	"fubini/core/partition"
)

// Claim is something the paper says, and what became of it.
type Claim struct {
	Text    string // in our words
	Where   string // in the paper
	Verdict string // confirmed, refuted, ...
	Number  string
}

const (
	confirmed = "confirmed"
	refuted   = "refuted"
	partly    = "in part"
	unsettled = "not settled"
)

// here marks a verdict that other data may overturn.
const here = " here"

// verdict is confirmed or refuted.
func verdict(holds bool) string {
	if holds {
		return confirmed
	}
	return refuted
}

// ahead is the verdict on a claim that one value is above another: none, where they
// are within two standard errors of their difference, taken as if independent.
func ahead(a, b Value) string {
	if a.Ours == nil || b.Ours == nil {
		return unsettled + here
	}
	var square float64
	for _, v := range []Value{a, b} {
		if v.StdErr != nil {
			square += *v.StdErr * *v.StdErr
		}
	}
	if difference := *a.Ours - *b.Ours; math.Abs(difference) >= 2*math.Sqrt(square) {
		return verdict(difference > 0) + here
	}
	return unsettled + here
}

// claims goes through the paper's text. What is a matter of arithmetic is computed
// here; what is a matter of data is looked up in the results.
func claims(results map[string]*Result) []Claim {
	return append(theoremClaims(), dataClaims(results)...)
}

// theoremClaims can be checked without data.
func theoremClaims() []Claim {
	const n = 30
	base := math.Exp((partition.LogFubini(n) - logFactorial(n) + math.Ln2) / (n + 1))
	first := math.Exp(logFactorial(10)-math.Ln2-11*math.Log(math.Ln2)) / math.Exp(partition.LogFubini(10))
	// The series over k^N / 2^(k+1), to where its terms no longer count.
	series := new(big.Float).SetPrec(200)
	for k := int64(1); k < 400; k++ {
		power := new(big.Int).Exp(big.NewInt(k), big.NewInt(10), nil)
		term := new(big.Float).SetPrec(200).SetInt(power)
		series.Add(series, term.SetMantExp(term, -int(k+1)))
	}
	sum, _ := series.Float64()
	// docs/maths.md#split-proposal has these two for three items of worth 0, nu = 2.
	right := math.Exp(6) / (math.Exp(6) + 6*math.Exp(2) + 6)
	printed := math.Exp(6) / (math.Exp(6) + 12*math.Exp(2) + 12)
	return []Claim{
		{"The number of states approaches (N!/2) 6.93145^(N+1)", "abstract, section 1", verdict(math.Abs(base-6.93145) < 0.01), fmt.Sprintf("the base is %.4f = 1/ln 2 at N = %d", base, n)},
		{"The number of states approaches N!/(2 (log 2)^(N+1))", "section 2.2", verdict(math.Abs(first-1) < 1e-6), fmt.Sprintf("off by a factor of 1 %+.0e at N = 10", first-1)},
		{"Fubini(N) is the sum over k of k^N / 2^(k+1)", "equation 2", verdict(math.Abs(sum/math.Exp(partition.LogFubini(10))-1) < 1e-12), fmt.Sprintf("%.0f at N = 10", sum)},
		{"It grows much faster than the number of permutations", "section 1", confirmed, fmt.Sprintf("log Fubini(%d) = %.1f, log %d! = %.1f", n, partition.LogFubini(n), n, logFactorial(n))},
		{"Split and merge reach every state", "section 2.4", confirmed, "[proof](maths.md#split-proposal)"},
		{"With the printed acceptance ratios the sampler draws from P", "equations 6 and 8", refuted, fmt.Sprintf("three items, worths 0, nu = 2: all tied in %.4f of draws, should be %.4f", printed, right)},
		{"P(h given X) factorises and P(h_k = 1 given X) = 1/(1 + 1/Omega_k)", "equation 13", confirmed, "[derivation](maths.md#latent)"},
		{"The procedure can explore the space efficiently", "abstract, section 6", partly, "it gets there; taking items out and putting them back gets there faster ([measured](performance.md#samplers))"},
		{"The posteriors can be evaluated efficiently", "abstract, section 3.2", confirmed, "a sum over items for each unit ([scores](maths.md#scores))"},
		{"psi-hat has psi_k as its first factor", "section 3.2", refuted, "a misprint for psi; with it the next equation does not hold"},
		{"Z(0) = Fubini(N) 2^K, and annealing from there estimates Z", "sections 2.5, 3.2", confirmed, "see the row on annealing below"},
		{"Summing the units out in annealing would give lower variance", "section 3.2", refuted, "not lower where it was [measured](performance.md#annealing), on one model of each kind of units, and many times the time"},
		{"With two items it is Davidson's model of ties", "section 4.2", confirmed, "[derivation](maths.md#worth-model)"},
		{"The operators favour small sets because there are more ways to split than to merge", "section 4.2", partly, "uniform draws have small sets anyway, and the missing factor adds to it; sizes below"},
		{"Rebuilding a complete order costs N log N for a user", "section 4.3", confirmed, "scores in N K, then a sort"},
		{"MovieLens 10M has ratings from 0 to 5", "section 4.3", refuted, "from 0.5, as the paper's next sentence has it"},
		{"ListRank.MF and Plackett-Luce.MF are sensitive to their start", "section 4.2", partly, "20 seeds of each start are [measured](rivals.md#the-start-of-the-user-matrix)"},
		{"Plackett-Luce.MF and the Latent OSM are comparable in likelihood", "Table 1", refuted, "one is over M! strict orders, the other over Fubini(M) with ties"},
	}
}

// dataClaims depend on the data at hand.
func dataClaims(results map[string]*Result) (list []Claim) {
	get := func(target, table, row, column string) float64 {
		v, there := results[target].find(table, row, column)
		if !there {
			return math.NaN()
		}
		return *v.Ours
	}
	add := func(text, where string, holds bool, format string, args ...any) {
		list = append(list, Claim{text, where, verdict(holds) + here, fmt.Sprintf(format, args...)})
	}
	chain := func(row, column string) float64 { return get("fig3a", "fig3a", row, column) }
	const shared, base = "printed ratio", "corrected ratio, ties in the base only"
	for _, way := range []struct{ row, text string }{{shared, ", model and sampler as printed"}, {base, ", tie weight in the base only, corrected sampler"}} {
		before, after := chain(way.row, "Dist at first"), chain(way.row, "Dist at the end")
		add("Samples get closer to the data as the model learns"+way.text, "section 4.2, Figure 3a", after < before-0.01, "Dist %.3f at first, %.3f at the end", before, after)
		split, merge := chain(way.row, "splits at the end")-chain(way.row, "splits accepted at first"), chain(way.row, "merges at the end")-chain(way.row, "merges accepted at first")
		add("Fewer splits and merges are accepted as it learns"+way.text, "section 4.2, Figure 3a", split < 0 && merge < 0, "splits %+.3f, merges %+.3f", split, merge)
	}
	data := chain("the data", "items in a set")
	add("The sampler's sets are small", "section 4.2", chain(shared, "items in a set") < data, "%.2f items in a set with the printed ratio, %.2f with the corrected one, %.2f in the data, %.2f in uniform draws",
		chain(shared, "items in a set"), chain("corrected ratio", "items in a set"), data, chain("uniform draws", "items in a set"))
	list = append(list, likelihoodClaims(results["table1"])...)
	list = append(list, rankingClaims(results)...)
	return list
}

// likelihoodClaims are those of Table 1.
func likelihoodClaims(r *Result) (list []Claim) {
	value := func(table, row, column string) float64 {
		v, there := r.find(table, row, column)
		if !there {
			return math.NaN()
		}
		return *v.Ours
	}
	lengths := r.Settings.Lengths
	first := fmt.Sprintf("M = %d", lengths[0])
	pair := annealed{Steps: r.Settings.Annealing[1][0], Runs: r.Settings.Annealing[1][1]}
	exactly, sampled := value("ties", paperLabel+", marginal, exact", first), value("ties", paperLabel+", marginal, "+pair.String(), first)
	list = append(list, Claim{"Annealing with the paper's settings finds the likelihood", "section 4.3", verdict(math.Abs(exactly-sampled) < 0.5) + here,
		fmt.Sprintf("%.2f, exact %.2f, at %s with %s", sampled, exactly, first, pair)})
	for _, m := range lengths {
		column := fmt.Sprintf("M = %d", m)
		plackett, _ := r.find("strict", "Plackett-Luce.MF", column)
		theirs, _ := r.find("strict", paperLabel+" given T = M, predictive", column)
		text, found := fmt.Sprintf("The Latent OSM beats Plackett-Luce.MF at M = %d", m), ahead(theirs, plackett)
		if m == 30 { // the one length at which the paper has it behind
			text, found = "Plackett-Luce.MF beats the Latent OSM at M = 30", ahead(plackett, theirs)
		}
		list = append(list, Claim{text + ", both over strict orders", "Table 1", found, fmt.Sprintf("Plackett-Luce.MF %.2f, to the letter %.2f, ours %.2f",
			value("strict", "Plackett-Luce.MF", column), value("strict", paperLabel+" given T = M, predictive", column), value("strict", oursLabel+" given T = M, predictive", column))})
	}
	return list
}

// rankingClaims are those of Tables 2 and 3 and the curves.
func rankingClaims(results map[string]*Result) (list []Claim) {
	add := func(text, where, found, format string, args ...any) {
		list = append(list, Claim{text, where, found, fmt.Sprintf(format, args...)})
	}
	cell := func(target, row, column string) Value {
		v, _ := results[target].find(target, row, column)
		return v
	}
	at := func(target, row, column string) float64 {
		if v := cell(target, row, column); v.Ours != nil {
			return *v.Ours
		}
		return math.NaN()
	}
	table2 := results["table2"]
	for _, given := range table2.Settings.givens(10, 20) {
		column := columnOf(given, "ndcg@5")
		place, of := placeOf(table2, "table2", paperLabel, column)
		own, _ := placeOf(table2, "table2", oursLabel, column)
		rivals := bestRival(table2, "table2", column)
		add(fmt.Sprintf("The Latent OSM beats all rivals at N = %d", given), "section 4.3, Table 2", ahead(cell("table2", paperLabel, column), rivals),
			"N@5 to the letter %.3f (place %d of %d), best of the paper's rivals %.3f, ours %.3f (place %d)", at("table2", paperLabel, column), place, of, *rivals.Ours, at("table2", oursLabel, column), own)
	}
	for _, given := range table2.Settings.givens(50) {
		column := columnOf(given, "ndcg@5")
		pmf := cell("table2", pmfLabel, column)
		add(fmt.Sprintf("At N = %d PMF beats the Latent OSM", given), "section 4.3, Table 2", ahead(pmf, cell("table2", paperLabel, column)),
			"N@5 of PMF %.3f, to the letter %.3f", at("table2", pmfLabel, column), at("table2", paperLabel, column))
		add("and does so because orders lose what ratings know", "section 4.3", ahead(pmf, cell("table2", oursLabel, column)),
			"N@5 of PMF %.3f, of ours, which sees orders and no ratings, %.3f", at("table2", pmfLabel, column), at("table2", oursLabel, column))
	}
	for _, given := range table2.Settings.givens(20) {
		column := columnOf(given, "ndcg@5")
		place, of := placeOf(table2, "table2", oursLabel, column)
		add("The model is competitive against the state of the art", "abstract, section 6", verdict(2*place <= of)+here, "with our corrections place %d of %d at N = %d, bayesian-mf among them", place, of, given)
	}
	table3 := results["table3"]
	for _, given := range table3.Settings.givens(10, 20) {
		column := columnOf(given, "err")
		rivals := bestRival(table3, "table3", column)
		add(fmt.Sprintf("The Latent OSM is ahead of PMF and ListRank.MF at N = %d on the second data set (%s)", given, table3.Data[0].Name), "Table 3", ahead(cell("table3", paperLabel, column), rivals),
			"ERR to the letter %.3f, best rival %.3f, ours %.3f", at("table3", paperLabel, column), *rivals.Ours, at("table3", oursLabel, column))
	}
	units := results["fig3c"].Settings.Units
	low, high := fmt.Sprintf("K = %d", units[0]), fmt.Sprintf("K = %d", units[len(units)-1])
	for _, model := range []string{paperLabel, oursLabel} {
		pairs := func(part, column string) float64 {
			v, _ := results["fig3c"].find("fig3c-pairs", model+", "+part, column)
			if v.Ours == nil {
				return math.NaN()
			}
			return *v.Ours
		}
		add("With enough units an order can be rebuilt well (nine pairs in ten) from its posterior vector, for seen and unseen users, by "+model, "section 4.3, Figure 3c",
			verdict(pairs("training", high) > 0.9 && pairs("unseen users", high) > 0.9)+here,
			"pairs in order at %s: %.3f seen, %.3f unseen; at %s: %.3f, %.3f", high, pairs("training", high), pairs("unseen users", high), low, pairs("training", low), pairs("unseen users", low))
	}
	return list
}

// bestRival is the highest value in a column of a row that the paper has beside its
// own model.
func bestRival(r *Result, table, column string) (best Value) {
	for _, e := range entries() {
		if v, there := r.find(table, e.label, column); there && !e.own && e.model != "latent-osm-paper" && (best.Ours == nil || *v.Ours > *best.Ours) {
			best = v
		}
	}
	return best
}
