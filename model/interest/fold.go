package interest

import (
	"math"

	"fubini/core/vec"
	"fubini/data/ratings"
)

// Folded is a list folded into a model: what the scores of all items are computed from. It may be used again for another
// list. The zero value is ready.
type Folded struct {
	Near          []float64 // near part of the score of every item; the shares of lists with it where the list is empty
	Embedding     []float64 // of the list in the units of the low-rank part
	First, Second float64   // what the two parts are multiplied by before they are added
	Length        float64   // of the near part as a vector of the items that are not in the list

	length                  int // of the list
	filter, listed, weights []float64
	next                    []float64 // of every item; see FoldNext
}

// Fold folds in a list of different items.
func (m *Model) Fold(list ratings.Row, f *Folded) error {
	if err := m.Embed(list, f); err != nil {
		return err
	}
	m.FoldNear(list, f)
	return nil
}

// FoldNear does the rest of [Model.Fold], for a list that is embedded already.
func (m *Model) FoldNear(list ratings.Row, f *Folded) {
	f.Near = resize(f.Near, m.Items())
	if f.length = list.Len(); f.length == 0 {
		copy(f.Near, m.Average)
		f.First, f.Second, f.Length = 1, 0, math.Sqrt(vec.Dot(f.Near, f.Near))
		return
	}
	m.addNear(list, f.Near)
	ratio, near := 1.0, f.nearSquare(list)
	if smooth := m.smoothSquare(list, f.Embedding); near > 0 && smooth > 0 {
		ratio = math.Sqrt(near / smooth)
	}
	f.Length = math.Sqrt(near)
	f.First, f.Second = m.Shares(f.length, ratio)
}

// Embed computes the embedding of a list alone.
func (m *Model) Embed(list ratings.Row, f *Folded) error {
	if err := m.check(list); err != nil {
		return err
	}
	f.filter = m.filter(list.Len(), f.filter)
	f.Embedding, f.weights = m.embed(list, f.filter, f.Embedding, f.weights)
	return nil
}

// At is the score of an item that is not in the list: that of [Model.Score], to the bit.
func (f *Folded) At(m *Model, item int) float64 {
	if f.length == 0 {
		return m.Average[item]
	}
	return f.combine(m, item, float64(vec.Dot(f.Embedding, m.factors(uint32(item)))*m.Gain[item]))
}

// combine is the score of an item with this low-rank part.
func (f *Folded) combine(m *Model, item int, smooth float64) float64 {
	return m.Factor[item] * (float64(f.First*f.Near[item]) + float64(f.Second*smooth))
}

// nearSquare is the squared length of the near part over the items that are not in the list.
func (f *Folded) nearSquare(list ratings.Row) float64 {
	f.listed = f.listed[:0]
	for _, i := range list.Items {
		f.listed = append(f.listed, f.Near[i])
		f.Near[i] = 0
	}
	square := vec.Dot(f.Near, f.Near)
	for k, i := range list.Items {
		f.Near[i] = f.listed[k]
	}
	return square
}

// Prepare computes the products of the units, summed over items: with them the length of the low-rank part of all scores
// takes the square of the number of units and not a step for each item. It is called once In and Gain are set, before
// the model is used; without it lengths are sums over items, which differ by rounding.
func (m *Model) Prepare() {
	m.spread = make([]float64, m.Units*m.Units)
	for j, gain := range m.Gain {
		q := m.factors(uint32(j))
		for k, v := range q {
			vec.AddTimes(m.spread[k*m.Units:(k+1)*m.Units], q, float64(gain*gain)*v)
		}
	}
}

// mostListed is the share of the squared length up to which that of listed items is subtracted: beyond it too few digits
// would be left, and the other items are summed.
const mostListed = 1 - 1e-6

// smoothSquare is the squared length of the low-rank part over the items that are not in the list.
func (m *Model) smoothSquare(list ratings.Row, embedding []float64) (square float64) {
	part := func(i int) float64 {
		s := float64(vec.Dot(embedding, m.factors(uint32(i))) * m.Gain[i])
		return float64(s * s)
	}
	if m.spread != nil {
		var all, listed float64
		for k, v := range embedding {
			all += float64(v * vec.Dot(m.spread[k*m.Units:(k+1)*m.Units], embedding))
		}
		for _, i := range list.Items {
			listed += part(int(i))
		}
		if listed <= mostListed*all {
			return all - listed
		}
	}
	in := make(map[uint32]bool, list.Len())
	for _, i := range list.Items {
		in[i] = true
	}
	for i := range m.Gain {
		if !in[uint32(i)] {
			square += part(i)
		}
	}
	return square
}

// Unlog is the inverse of [Log].
func Unlog(y float64) float64 {
	if lowest := math.Log(least); y < lowest {
		return least + (y-lowest)*least
	}
	return math.Exp(y)
}
