package board

import "slices"

// Report is a fitted board as data: what `fubini fit --format json` prints, what a saved fit
// keeps, and what the page shows. Numbers are on the raw scale of worths unless said otherwise.
type Report struct {
	Source string `json:"source,omitempty"` // name of the file of votes
	Items  []Item `json:"items"`            // best first
	// Nu is the log weight of a tie; none where the sample space has no ties.
	Nu            *float64 `json:"nu"`
	LogLikelihood *float64 `json:"log_likelihood"`
	MeanNLL       *float64 `json:"mean_nll"` // of a list, weights counted
	// Likelihood is "exact", or "slots" where lists are too long for exact sums and the composite likelihood of
	// their slots was climbed; MeanNLL is then by annealed importance sampling, with its standard error, and none if that is
	// not reliable.
	Likelihood   string        `json:"likelihood"`
	SlotNLL      *float64      `json:"slot_nll,omitempty"` // of a list, by its composite likelihood
	MeanNLLStd   *float64      `json:"mean_nll_std_err,omitempty"`
	Lists        int           `json:"lists"`
	Weight       float64       `json:"weight"`
	Tied         float64       `json:"tied"` // weight of lists with a tie
	Ties         string        `json:"ties"` // form of tie weights: common, item, distance
	Space        string        `json:"space"`
	Parameters   int           `json:"parameters"`
	Effective    *float64      `json:"effective_parameters,omitempty"` // that votes determine, where a prior acts
	Deviance     *float64      `json:"deviance,omitempty"`             // against the saturated model
	Degrees      *float64      `json:"degrees,omitempty"`
	TiesSeen     float64       `json:"ties_observed"` // share of tied pairs
	TiesFitted   float64       `json:"ties_expected"`
	Errors       string        `json:"errors"`
	Redrawn      *int          `json:"redrawn,omitempty"` // of --errors bootstrap: resamples without an estimate, drawn anew
	Level        float64       `json:"level"`
	Critical     float64       `json:"critical"` // standard errors of a difference beyond which two items are told apart
	Prior        *float64      `json:"prior,omitempty"`
	Coefficients []Coefficient `json:"coefficients"`
	Raters       []Rater       `json:"raters,omitempty"`
	Spread       *Spread       `json:"reliability_spread,omitempty"`
	Tastes       *Tastes       `json:"tastes,omitempty"`
	Influence    *Influence    `json:"influence,omitempty"`
	Open         *Undecided    `json:"open,omitempty"`
}

// Undecided is what votes alone leave open, and the prior decides; none where they put all items on one scale. Groups are the largest
// first, items in the order of their numbers.
type Undecided struct {
	// Apart are groups of items that no vote joins, all of them: the order across groups comes from the prior alone, with that of
	// covariates of items where there are some. An item in no vote is a group of its own. Empty where votes join all items.
	Apart [][]string `json:"apart"`
	// OneSided are groups of items between any two of which, where votes join them, one side always won: votes determine the order
	// of the two, and the prior how far they are apart. Empty where there are none beside Apart.
	OneSided [][]string `json:"one_sided"`
}

// On is the report with all worths, and what is added to worths, on another scale: times scale, worths plus mean. Tie weights and the
// precision of the prior stay on the raw scale.
func (r Report) On(scale, mean float64) *Report {
	r.Items = slices.Clone(r.Items)
	for k := range r.Items {
		i := &r.Items[k]
		i.Worth, i.Low, i.High = mean+scale*i.Worth, mean+scale*i.Low, mean+scale*i.High
		i.StdError, i.Quasi = scale*i.StdError, scale*i.Quasi
	}
	r.Coefficients = coefficientsOn(r.Coefficients, scale)
	if r.Tastes != nil {
		r.Tastes = r.Tastes.On(scale, mean)
	}
	if r.Influence != nil {
		in := *r.Influence
		in.Lists = slices.Clone(in.Lists)
		for k := range in.Lists {
			in.Lists[k].Effect *= scale
		}
		r.Influence = &in
	}
	return &r
}

// Item is one row of a report.
type Item struct {
	ID       string   `json:"item"`
	Name     *string  `json:"name"`
	Worth    float64  `json:"worth"`
	StdError float64  `json:"std_err"`
	Low      float64  `json:"low"`
	High     float64  `json:"high"`
	Quasi    float64  `json:"quasi"`
	Rank     int      `json:"rank"`
	RankLow  int      `json:"rank_low"`
	RankHigh int      `json:"rank_high"`
	Tier     int      `json:"tier"`
	Tie      *float64 `json:"tie,omitempty"` // deviation of the item's log tie weight
	TieError *float64 `json:"tie_std_err,omitempty"`
}

// Coefficient is a parameter that is not one item's or one rater's: a tie weight, or the coefficient of a covariate or feature.
type Coefficient struct {
	Name     string  `json:"name"`
	Value    float64 `json:"value"`
	StdError float64 `json:"std_err"`
	// OnWorths is whether it is on the scale of worths: a coefficient of covariates of items or places, or of features of orders.
	// Others are log weights of ties and tiers.
	OnWorths bool `json:"on_worths,omitempty"`
}

// coefficientsOn are coefficients where worths have another scale.
func coefficientsOn(coefficients []Coefficient, scale float64) []Coefficient {
	coefficients = slices.Clone(coefficients)
	for k := range coefficients {
		if c := &coefficients[k]; c.OnWorths {
			c.Value, c.StdError = scale*c.Value, scale*c.StdError
		}
	}
	return coefficients
}

// Rater has a reliability, a factor on all worths: the mean of its posterior, with an interval at the level of the report.
type Rater struct {
	ID          string  `json:"rater"`
	Reliability float64 `json:"reliability"`
	StdError    float64 `json:"std_err"`
	Low         float64 `json:"low"`
	High        float64 `json:"high"`
}

// Spread is how much the reliabilities of raters vary: the standard deviation of their logarithms.
type Spread struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// P is the probability of a likelihood ratio as large if all raters were alike; none where the likelihood is not exact, and with
	// a prior on worths.
	P *float64 `json:"p"`
}

// Tastes are the boards of groups of raters that differ, or where raters are not named of votes.
type Tastes struct {
	Groups []Taste `json:"groups"` // by share, the largest first
	// Of is what groups are of: raters, or votes.
	Of string `json:"of,omitempty"`
	// LogLikelihood is that of all votes, the units of each rater summed out; none where votes are too long for exact sums.
	LogLikelihood float64 `json:"log_likelihood,omitempty"`
	// SlotPower is, for such votes, the power of the slot likelihood that tells of units, in place of the likelihood. Gain is then in
	// composite nats.
	SlotPower float64 `json:"slot_power,omitempty"`
	// Units are the parameters beside worths where no unit is held, and after each of them the weights of the hidden units on it: in
	// fits with features of pairs or covariates, whose units have such weights.
	Units []Coefficient `json:"units,omitempty"`
	// Gain is the held-out log likelihood of a vote by tastes, less that by one board, in nats, with its standard error over
	// raters. One board is enough unless Gain is above two of them.
	Gain     float64 `json:"gain"`
	StdError float64 `json:"std_err"`
	Enough   bool    `json:"one_board_is_enough"`
}

// Taste is a group of raters with the same hidden units: its share of the raters, and the worths of the items for it.
type Taste struct {
	Share  float64 `json:"share"`  // of raters
	Raters float64 `json:"raters"` // or votes
	Worths []Worth `json:"worths"` // in the order of the report's items
}

// Worth is the worth of an item in one taste.
type Worth struct {
	Worth    float64 `json:"worth"`
	StdError float64 `json:"std_err"`
	Apart    bool    `json:"apart"` // the interval of its difference from the first taste excludes zero
}

// Influence has the votes whose removal would change the first ranks of the board.
type Influence struct {
	Top int `json:"top"` // ranks looked at
	// Moved is the number of these ranks that hold another item in a refit without the most influential votes: at most 1 % of all,
	// chosen because without them the most neighbours among these ranks change places. Taken is the weight of these votes.
	Moved  int     `json:"moved"`
	Taken  float64 `json:"taken"`
	First  string  `json:"first"` // the two best items
	Second string  `json:"second"`
	// Votes is the weight of the most influential votes whose removal makes the first two items change places in a refit; none if
	// the removal of all votes for the first does not. Fewest is set where the removal of one vote less does not make them change
	// places; it is not set where too many refits would be needed to know.
	Votes  *float64          `json:"votes"`
	Fewest bool              `json:"fewest"`
	Lists  []InfluentialVote `json:"lists"` // that support the order of the first two most
}

// InfluentialVote is a tier list that was cast as a vote, with its influence on the first two ranks.
type InfluentialVote struct {
	Tiers  [][]string `json:"tiers"`
	Weight float64    `json:"weight"`
	Effect float64    `json:"effect"` // change of the difference of the first two if one such vote were lost
}

// PairReport is two items of a board against one another.
type PairReport struct {
	A string `json:"a"`
	B string `json:"b"`
	// Fitted are the probabilities of A above B, a tie, and B above A in a vote on the two alone, without covariates of places
	// and votes, by a rater of reliability 1.
	Fitted     [3]float64  `json:"fitted"`
	Difference float64     `json:"difference"`
	StdError   float64     `json:"std_err"`
	Apart      bool        `json:"apart"`
	Counted    *[3]float64 `json:"counted,omitempty"` // votes with both; none if they never met
	// Expected is what the fit expects of Counted: the sum over the votes with both, of the items of each. In votes too long for
	// exact sums the expectation of a pair is given all other items.
	Expected *[3]float64 `json:"expected,omitempty"`
	P        *float64    `json:"p,omitempty"` // probability of a residual as large if the fit is true
}
