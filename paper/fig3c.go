package paper

import (
	"context"
	"fmt"

	"fubini/core/rng"
	"fubini/data/ratings"
	"fubini/judge/metric"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/latent"
	"fubini/paper/cells"
	"fubini/paper/chart"
	"fubini/use/rank"
)

// rebuiltKey is a model whose reconstructions are judged.
type rebuiltKey struct {
	cells.FitKey
	Train int `json:"train"` // users
	Test  int `json:"test"`
}

// rebuilt is how well orders are rebuilt from posterior vectors: for users that the
// model was trained on, and for others.
type rebuilt struct {
	cells.Origin
	Train quality `json:"train"`
	Test  quality `json:"test"`
}

// quality has a value for each user.
type quality struct {
	NDCG  []float64 `json:"ndcg10"`
	Pairs []float64 `json:"pairs"` // share of pairs with different levels in the right order
}

// The paper's numbers of users.
const (
	rebuildTrain = 9000
	rebuildTest  = 1000
)

// fig3c shows how well an order is rebuilt from its posterior vector alone.
func (r *Reproduction) fig3c(ctx context.Context) (*Result, error) {
	d, given, seed := r.Data, r.Size.given(10), r.seeds(1)
	if err := r.enough(d, "fig3c", given, d.MinTest); err != nil {
		return nil, err
	}
	users := r.having(d, given+d.MinTest)
	test := min(rebuildTest, users/10)
	training := min(rebuildTrain, users-test)
	units := r.Size.Units
	result := r.result(d, seed, fmt.Sprintf("Figure 3c: rank reconstruction on %s, N = %d", d.Name, given),
		fmt.Sprintf("Trained on %d users, tested on %d unseen ones (the paper: %d and %d), all with %d ratings. "+
			"The paper prints curves without numbers and does not name the measure: shown are NDCG@10 and the share of pairs of items with different ratings that the rebuilt order puts right; ± is the standard error over users.",
			training, test, rebuildTrain, rebuildTest, given))
	for _, m := range [][3]string{
		{"fig3c-ndcg", "NDCG@10", "NDCG@10 ± standard error"},
		{"fig3c-pairs", "pairs in the right order (share)", "share of pairs in order ± standard error"},
	} {
		result.Tables = append(result.Tables, Table{Name: m[0], Title: m[1], Digits: 4, Columns: columns("K", units)})
		result.Charts = append(result.Charts, chart.Chart{Name: m[0], Title: fmt.Sprintf("Rank reconstruction, %s, N = %d", d.Name, given), X: byUnitsAxis, Spread: true, Y: m[2]})
	}
	for _, e := range labelled(PaperLabel, OursLabel) {
		var lines [2][2]Line // by measure, and training or unseen users
		for _, k := range units {
			key := rebuiltKey{r.fitKey(d, given, seed[0], e.model, r.with(e, k)), training, test}
			run, err := cells.Get(ctx, r.plan, d.Name+"-rebuilt", key, fmt.Sprintf("%s, reconstruction, %s, K = %d", d.Name, e.label, k), func() (*rebuilt, error) { return r.rebuild(ctx, d, key) })
			if err != nil {
				return nil, err
			}
			for part, q := range []quality{run.Train, run.Test} {
				for m, values := range [][]float64{q.NDCG, q.Pairs} {
					lines[m][part].Values = append(lines[m][part].Values, meanOf(values))
				}
			}
		}
		for m := range lines {
			for part, label := range []string{"training", "unseen users"} {
				line := Line{Label: e.label + ", " + label, Model: e.model, Values: lines[m][part].Values}
				result.Tables[m].Rows = append(result.Tables[m].Rows, line)
				result.Charts[m].Add(line.curve(units))
			}
		}
	}
	return result, nil
}

// rebuild trains on some users and rebuilds the orders of these and of others.
func (r *Reproduction) rebuild(ctx context.Context, d cells.Data, key rebuiltKey) (*rebuilt, error) {
	split, err := r.split(d, key.Given, key.Seed)
	if err != nil {
		return nil, err
	}
	set := split.Training.Set()
	chosen := make([]int, set.Users().Len())
	rng.Permutation(rng.Stream(key.Seed, "rebuild users"), chosen)
	place := make([]int, len(chosen))
	for at, u := range chosen {
		place[u] = at
	}
	fitted, err := r.plan.Runner.Fit(ctx, key.Model, key.Set, set.OfUsers(func(u int) bool { return place[u] < key.Train }), key.Seed)
	if err != nil {
		return nil, err
	}
	c := fitted.(registry.OrderedSet).Parameters() // both models are of our family
	result := &rebuilt{}
	for _, part := range []struct {
		users []int
		to    *quality
	}{{chosen[:key.Train], &result.Train}, {chosen[key.Train : key.Train+key.Test], &result.Test}} {
		for _, u := range part.users {
			if err := part.to.add(c, set.Row(u)); err != nil {
				return nil, err
			}
		}
	}
	return result, nil
}

// add takes in one user.
func (q *quality) add(c *latent.Catalogue, row ratings.Row) error {
	folded, err := rank.Read(c, model.Person{Index: -1, Known: row})
	if err != nil {
		return err
	}
	scores, _, err := rank.Reconstruct(c, folded.Embedding, folded.List.Items)
	if err != nil {
		return err
	}
	levels := make([]float64, row.Len())
	for k, v := range row.Values {
		levels[k] = float64(v)
	}
	r, err := metric.Rank(scores, levels)
	if err != nil {
		return err
	}
	q.NDCG, q.Pairs = append(q.NDCG, r.NDCG(10, metric.Exp2)), append(q.Pairs, r.PairAccuracy())
	return nil
}
