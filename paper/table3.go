package paper

import (
	"context"
	"fmt"
)

// table3 compares three models, and our two, by rank completion on Netflix.
func (r *Reproduction) table3(ctx context.Context) (*Result, error) {
	d, own := r.netflix()
	notes := []string{"The paper's figures are those of Netflix; ± is the standard error over users."}
	if !own {
		notes = append(notes, fmt.Sprintf("No Netflix data were given (--netflix): this is %s, so differences from the paper are differences of data first of all.", d.Name))
	}
	title := fmt.Sprintf("Table 3: rank completion on %s, K = %d", d.Name, r.Size.Hidden)
	return r.comparison(ctx, "table3", title, d, labelled(pmfLabel, "ListRank.MF", paperLabel, printedLabel, tiesLabel, bayesLabel, oursLabel), r.Size.givens(10, 20),
		[]string{"err", "ndcg@1", "ndcg@5", "ndcg@10"}, publishedTable3, notes)
}
