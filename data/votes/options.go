package votes

// Options of reading. The zero value reads any form, with weights where there are some and without raters.
type Options struct {
	Name string // what errors call the input; empty means its path

	// Weight is the column or key of weights: empty means weight, votes or count where there is one, and else 1 for each vote.
	// Rater is that of raters: empty means none, "auto" means rater, judge, user or voter, and "any" the same where there is one.
	Weight, Rater string
	// Columns has names of columns or keys by their roles ([Roles]), where they are not among the known ones. Raters are read where
	// Rater asks for them.
	Columns map[string]string
	// Votes names columns that are covariates of a vote. Place names covariates of its places: "length" is read from the columns
	// length_a and length_b, from length_1, length_2 and so on, or in a tier list from an object with a number for each item.
	Votes, Place []string

	DropBothBad bool   // leaves ties of two bad ones out; otherwise they are ties
	Zeros       string // what the rank 0 is: "unranked", or "best" where ranks count from 0; empty refuses it
}

const expected = `votes are PrefLib orders; a table with the columns model_a, model_b, winner, or winner, loser, or home, away, home_score, away_score, or user, item, rating; ` +
	`a table with a column of ranks for each item; or JSON lines like {"tiers":[["a","b"],["c"]]} or with the keys of such a table`
