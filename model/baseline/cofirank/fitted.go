package cofirank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"fubini/data/modelfile"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// cofiModel is a fitted [Recipe]: all that it takes to fold anybody in.
type fitted struct {
	header
	loss Loss
	// item has a row of hidden factors and an offset for each item, user one for each user of the training set. Rows
	// are in an order of their own.
	item, user       []float64
	itemRow, userRow []int // of an item and a user; negative for a user without ratings

	workers sync.Pool // of *cofiWorker
}

// cofiScalars are kept beside the tensors.
type header struct {
	Hidden int       `json:"hidden"`
	Lambda float64   `json:"lambda"`
	Adapt  float64   `json:"adapt"`  // squared loss only, for users
	Usual  float64   `json:"usual"`  // what a user has in the mean: ratings, or costs of pairs for the ordinal loss
	Offset float64   `json:"offset"` // squared loss only, for users
	Mean   float64   `json:"mean"`   // squared loss only
	Pairs  Pairs     `json:"pairs"`
	Top    int       `json:"top"`
	Decay  float64   `json:"decay"`
	Gain   gainScale `json:"gain"`
}

// cofiGain turns a rating r into the gain 2^(from + scale (r - low)) - 1. Ratings outside the scale count as its ends.
type gainScale struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	From  float64 `json:"from"`
	Scale float64 `json:"scale"`
}

func (g gainScale) of(rating float64) float64 {
	return math.Exp2(g.From+g.Scale*(min(g.High, max(g.Low, rating))-g.Low)) - 1
}

// newCoFiGain leaves ratings alone that are whole numbers from 0 to 5. Others are put on a scale that begins at 1 and
// has a step for each different value, but ends at 5: gains that double with every half star would count the best only.
func newGainScale(values []float64) gainScale {
	low, high, whole := values[0], values[0], true
	different := map[float64]bool{}
	for _, v := range values {
		low, high = min(low, v), max(high, v)
		whole = whole && v == math.Trunc(v)
		if len(different) < 5 {
			different[v] = true
		}
	}
	g := gainScale{Low: low, High: high, From: low, Scale: 1}
	if !whole || low < 0 || high > 5 {
		g.From, g.Scale = 1, float64(len(different)-1)/math.Max(high-low, 1e-300)
	}
	return g
}

func (m *fitted) stride() int { return m.Hidden + 1 }

// listLoss is a new one; nil for the squared loss.
func (m *fitted) listLoss() listLoss {
	switch m.loss {
	case Ordinal:
		return &ordinalLoss{even: m.Pairs == PairsEven, usual: m.Usual}
	case NDCG:
		return newNDCGLoss(m.Top, m.Decay, m.Gain.of)
	}
	return nil
}

// Score implements [model.Model].
func (m *fitted) Score(p model.Person, items []uint32, scores []float64) {
	var user []float64
	switch {
	case p.Index >= 0 && p.Index < len(m.userRow) && m.userRow[p.Index] >= 0:
		user = m.user[m.userRow[p.Index]*m.stride():][:m.stride()]
	case p.Known.Len() > 0:
		w := m.worker()
		defer m.workers.Put(w)
		user = w.foldIn(p)
	default:
		for k, i := range items {
			scores[k] = m.Mean + m.item[m.itemRow[i]*m.stride()+m.Hidden]
		}
		return
	}
	for k, i := range items {
		row := m.item[m.itemRow[i]*m.stride():][:m.stride()]
		scores[k] = m.Mean + user[m.Hidden] + row[m.Hidden] + fitting.Dot(user[:m.Hidden], row)
	}
}

func (m *fitted) worker() *worker {
	if w, ok := m.workers.Get().(*worker); ok {
		return w
	}
	return newWorker(m)
}

// foldIn finds the vector of somebody else. Their ratings are put in an order that depends on nothing but the
// parameters, so that the numbers of items do not matter.
func (w *worker) foldIn(p model.Person) []float64 {
	m := w.model
	w.rows, w.values = w.rows[:0], w.values[:0]
	w.known = w.known[:0]
	for k, i := range p.Known.Items {
		w.known = append(w.known, rating{m.itemRow[i], float64(p.Known.Values[k])})
	}
	slices.SortFunc(w.known, func(a, b rating) int {
		if by := cmp.Compare(b.value, a.value); by != 0 {
			return by
		}
		return slices.Compare(m.item[a.row*m.stride():][:m.stride()], m.item[b.row*m.stride():][:m.stride()])
	})
	for _, r := range w.known {
		w.rows, w.values = append(w.rows, r.row), append(w.values, r.value)
	}
	w.folded = append(w.folded[:0], make([]float64, m.stride())...)
	n := len(w.rows)
	w.room(n)
	if m.loss == Squared || w.loss.prepare(w.values, w.first[:n], w.second[:n]) {
		w.fit(w.rows, w.values, w.first[:n], w.second[:n], w.folded)
	}
	return w.folded
}

// Save implements [model.Model].
func (m *fitted) Save(f *modelfile.File) error {
	item := make([]float64, 0, len(m.item))
	for _, row := range m.itemRow {
		item = append(item, m.item[row*m.stride():][:m.stride()]...)
	}
	modelfile.Set(f, "item", item, len(m.itemRow), m.stride())
	return f.SetJSON(fitting.FileKey, m.header)
}

func load(loss Loss, f *modelfile.File, items int) (*fitted, error) {
	m := &fitted{loss: loss}
	if err := f.JSON(fitting.FileKey, &m.header); err != nil {
		return nil, err
	}
	if m.Hidden < 1 || !(m.Lambda > 0) || !(m.Usual > 0) || !(m.Offset > 0) || m.Top < 1 || !(m.Decay > 0) {
		return nil, fmt.Errorf("%v: settings in the file cannot be: %+v", loss, m.header)
	}
	var err error
	if m.item, err = modelfile.Get[float64](f, "item", items, m.stride()); err != nil {
		return nil, err
	}
	m.itemRow = make([]int, items)
	for i := range m.itemRow {
		m.itemRow[i] = i
	}
	return m, nil
}
