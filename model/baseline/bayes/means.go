package bayes

import (
	"context"
	"errors"
	"slices"

	"fubini/core/vec"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// Means are posterior means under the factorisation with biases, averaged over the draws of its sampler.
type Means struct {
	Of    int       // every so many users: user 0, Of, 2 Of and so on
	Value []float64 // rows of the values of all items for these users
	Noise float64   // precision of a value given all parameters
}

const (
	meansApart  = 2       // sweeps from one draw to the next
	mostMeans   = 1 << 22 // numbers, 32 MB
	meansFactor = 0.1     // standard deviation of factors at first
)

// MeansOf samples the factorisation of values, a row for each user, with this number of factors. Values are used as they are: their
// variance should be near one. The value of an item without any is its prior's, about zero.
func MeansOf(ctx context.Context, rows []ratings.Row, items, factors, burn, sweeps int, r model.Run) (*Means, error) {
	columns := make([]ratings.Row, items)
	for u, row := range rows {
		for k, i := range row.Items {
			columns[i].Items, columns[i].Values = append(columns[i].Items, uint32(u)), append(columns[i].Values, row.Values[k])
		}
	}
	c := chainOf(rows, columns, factors+1, func(v float32) float64 { return float64(v) }, meansFactor, weakHyper, fitting.Under(ctx, r))
	m := &Means{Of: max(1, (len(rows)*items+mostMeans-1)/mostMeans)}
	used := (len(rows) + m.Of - 1) / m.Of
	m.Value = make([]float64, used*items)
	draws := 0.0
	for sweep := 1; sweep <= sweeps; sweep++ {
		fine := !c.run.Over() && c.sweep()
		if err := c.run.Err(); err != nil {
			return nil, err
		}
		if !fine {
			return nil, errors.New("bayes: numbers got out of hand")
		}
		if sweep <= burn || (sweep-burn)%meansApart != 0 {
			continue
		}
		draws++
		m.Noise += c.noise
		vectors := slices.Clone(c.items.factor) // (bias, factors); the items of the chain have a 1 for the bias
		for i, b := range c.items.bias {
			vectors[i*c.items.width] = b
		}
		c.share(used, 16, func(_ *worker, from, to int) {
			row := make([]float64, items)
			for k := from; k < to; k++ {
				u := k * m.Of
				vec.DotRows(row, c.users.row(u), vectors)
				own := m.Value[k*items : (k+1)*items]
				for i, v := range row {
					own[i] += c.users.bias[u] + v
				}
			}
		})
	}
	m.Noise /= draws
	vec.Scale(m.Value, 1/draws)
	return m, nil
}
