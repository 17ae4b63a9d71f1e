package paper

import (
	"fmt"
	"math"
	"math/big"

	"fubini/core/partition"
	"fubini/judge/evaluate"
)

// Claim is a statement of the paper, and our verdict on it.
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
	unchecked = "not checked"
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

// apart is how much one value is above another, user by user, with the 95 % interval of
// the bootstrap; false where they are not of the same users.
func apart(a, b Value) (evaluate.Difference, bool) {
	if len(a.each) == 0 || len(b.each) == 0 {
		return evaluate.Difference{}, false
	}
	const name = "value"
	one := func(v Value) *evaluate.Result {
		return &evaluate.Result{Metrics: []string{name}, Users: v.users, Values: [][]float64{v.each}}
	}
	d, err := evaluate.Compare(one(a), one(b), name, 1)
	return d, err == nil
}

// ahead is the verdict on a claim that one value is above another, and the difference in
// words: none, where the interval of the difference holds 0.
func ahead(a, b Value, digits int) (found, difference string) {
	d, paired := apart(a, b)
	if !paired {
		return unsettled + here, "no users in common"
	}
	difference = fmt.Sprintf("difference %+.*f (%+.*f to %+.*f)", digits, d.Mean, digits, d.Low, digits, d.High)
	if d.Low <= 0 && d.High >= 0 {
		return unsettled + here, difference
	}
	return verdict(d.Mean > 0) + here, difference
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
		{"Its logarithm is log N! - (N + 1) log log 2 - log 2", "section 2.2", verdict(math.Abs(first-1) < 1e-6), fmt.Sprintf("%.4f at N = 10, exactly %.4f", logFactorial(10)-11*math.Log(math.Ln2)-math.Ln2, partition.LogFubini(10))},
		{"With T = N it is the case of complete rankings", "section 2.2", confirmed, "the rows T = M of Table 1 are that case"},
		{"Split and merge reach every state", "section 2.4", confirmed, "[proof](maths.md#split-proposal)"},
		{"A split of n items is drawn with probability 1/(n (n - 1) 2^(n - 2))", "section 2.4", refuted, fmt.Sprintf("sizes a and b: a b times that; two items off a set of three 1/%.0f, not 1/12", 12/splitSeeds(2, 1))},
		{"A split is merged back with probability 1/T", "section 2.4", confirmed, "T + 1 sets have T pairs of neighbours"},
		{"With the printed acceptance ratios the sampler draws from P", "equations 6 and 8", refuted, fmt.Sprintf("three items, worths 0, nu = 2: all tied in %.4f of draws, should be %.4f", printed, right)},
		{"P(h given X) factorises and P(h_k = 1 given X) = 1/(1 + 1/Omega_k)", "equation 13", confirmed, "[derivation](maths.md#latent)"},
		{"The procedure can explore the space efficiently", "abstract, section 6", partly, "it gets there; taking items out and putting them back gets there faster ([measured](performance.md#samplers))"},
		{"X given h has the form of the model without units, and the same sampler", "section 3.2", confirmed, "[derivation](maths.md#latent)"},
		{"The posteriors can be evaluated efficiently", "abstract, section 3.2", confirmed, "a sum over items for each unit ([scores](maths.md#scores))"},
		{"psi-hat has psi_k as its first factor", "section 3.2", refuted, "a misprint for psi; with it the next equation does not hold"},
		{"Z(0) = Fubini(N) 2^K, and annealing from there estimates Z", "sections 2.5, 3.2", confirmed, "see the row on annealing below"},
		{"Summing the units out in annealing would give lower variance", "section 3.2", refuted, "not lower where it was [measured](performance.md#annealing), on one model of each kind of units, and many times the time"},
		{"With two items it is Davidson's model of ties", "section 4.2", confirmed, "[derivation](maths.md#worth-model)"},
		{"The operators favour small sets because there are more ways to split than to merge", "section 4.2", partly, "uniform draws have small sets anyway, and the missing factor adds to it; sizes below"},
		{"Rebuilding a complete order costs N log N for a user", "section 4.3", confirmed, "scores in N K, then a sort"},
		{"A vector of posteriors can stand for a list in distances and pictures", "sections 1, 3", confirmed, "how much of a list it keeps is [measured](maps.md#what-a-vector-keeps-of-a-list); see also Figure 3c"},
		{"Grouping helps where a plain list is wanted too", "section 1", unsettled, "no two rows here differ in grouping alone"},
		{"At large N the space is harder for the Latent OSM to explore", "section 4.3", unsettled, "no row here tells this from what raw scores do to posteriors at large N"},
		{"The PMOP is no special case of this model", "section 5", confirmed, "[neither contains the other](related.md#rankings-with-ties)"},
		{"The PMOP has neither easy inference nor room for latent variables", "section 5", refuted, "it is normalised and drawn from exactly, and has factors, [here](baselines.md#pmop)"},
		{"Choosing one set of items is the case of two sets", "section 5", confirmed, "T = 2 ([space](maths.md#spaces))"},
		{"MovieLens 10M has over 10 million ratings of 10,681 movies by 71,567 users, Netflix over 100 million of 17,770 by 480,189", "section 4.3", unchecked, "neither is used on this page"},
		{"MovieLens 10M has ratings from 0 to 5", "section 4.3", refuted, "from 0.5, as the paper's next sentence has it"},
		{"ListRank.MF and Plackett-Luce.MF are sensitive to their start", "section 4.2", partly, "20 seeds of each start are [measured](baselines.md#the-start-of-the-user-matrix)"},
		{"Plackett-Luce.MF and the Latent OSM are comparable in likelihood", "Table 1", refuted, "one is over M! strict orders, the other over Fubini(M) with ties"},
	}
}

// splitSeeds is the number of pairs of seeds that lead to one split.
func splitSeeds(upper, lower int) float64 { return float64(upper * lower) }
