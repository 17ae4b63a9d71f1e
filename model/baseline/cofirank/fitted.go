package cofirank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// fitted is a fitted model, which folds in anybody.
type fitted struct {
	header
	loss Loss
	// Rows of factors and an offset, for items and for users of the training set, in an order of their own.
	item, user       []float64
	itemRow, userRow []int // of an item and a user; negative for a user without ratings

	workers sync.Pool // of *worker
}

// header has the numbers in a file beside its arrays.
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

// gainScale turns a rating r into the gain 2^(from + scale (r - low)) - 1. Ratings outside the scale count as its ends.
type gainScale struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	From  float64 `json:"from"`
	Scale float64 `json:"scale"`
}

func (g gainScale) of(rating float64) float64 {
	return math.Exp2(g.From+g.Scale*(min(g.High, max(g.Low, rating))-g.Low)) - 1
}

// newGainScale leaves whole ratings from 0 to 5 unchanged. Others are put on a scale from 1, with a step for each value
// up to 5: if gains doubled with every half star, only the best would count.
func newGainScale(lists []list) gainScale {
	low, high, whole := math.Inf(1), math.Inf(-1), true
	different := map[float64]bool{}
	for _, one := range lists {
		for _, v := range one.values {
			low, high = min(low, v), max(high, v)
			whole = whole && v == math.Trunc(v)
			if len(different) < 5 {
				different[v] = true
			}
		}
	}
	g := gainScale{Low: low, High: high, From: low, Scale: 1}
	if !whole || low < 0 || high > 5 {
		g.From, g.Scale = 1, float64(len(different)-1)/math.Max(high-low, 1e-300)
	}
	return g
}

func (m *fitted) stride() int { return m.Hidden + 1 }

func (m *fitted) itemVector(row int) []float64 { return m.item[row*m.stride():][:m.stride()] }

func (m *fitted) userVector(row int) []float64 { return m.user[row*m.stride():][:m.stride()] }

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
		user = m.userVector(m.userRow[p.Index])
	case p.Known.Len() > 0:
		user = m.foldIn(p.Known)
	default:
		for k, i := range items {
			scores[k] = m.Mean + m.itemVector(m.itemRow[i])[m.Hidden]
		}
		return
	}
	for k, i := range items {
		row := m.itemVector(m.itemRow[i])
		scores[k] = m.Mean + user[m.Hidden] + row[m.Hidden] + fitting.Dot(user[:m.Hidden], row)
	}
}

// foldIn estimates the vector of a new person. Equal ratings go by the parameters of items, not by their numbers.
func (m *fitted) foldIn(known ratings.Row) []float64 {
	w, _ := m.workers.Get().(*worker)
	if w == nil {
		w = newWorker(m)
	}
	defer m.workers.Put(w)
	one := m.sorted(known, func(a, b int) int { return slices.Compare(m.itemVector(a), m.itemVector(b)) })
	one.prepare(w.loss)
	user := make([]float64, m.stride())
	w.fit(&one, user)
	return user
}

// sorted lists known ratings, the best first, and equal ones by their items.
func (m *fitted) sorted(known ratings.Row, compare func(a, b int) int) (l list) {
	order := make([]int, known.Len())
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(known.Values[b], known.Values[a]), compare(m.itemRow[known.Items[a]], m.itemRow[known.Items[b]]))
	})
	for _, k := range order {
		l.rows, l.values = append(l.rows, m.itemRow[known.Items[k]]), append(l.values, float64(known.Values[k]))
	}
	return l
}

// Save implements [model.Model].
func (m *fitted) Save(f *modelfile.File) error {
	item := make([]float64, 0, len(m.item))
	for _, row := range m.itemRow {
		item = append(item, m.itemVector(row)...)
	}
	modelfile.Set(f, "item", item, len(m.itemRow), m.stride())
	return f.SetJSON(fitting.FileKey, m.header)
}

// Load implements [model.Recipe].
func (m *Recipe) Load(file *modelfile.File, items int) (model.Model, error) {
	f := &fitted{loss: m.Loss, itemRow: make([]int, items)}
	if err := file.JSON(fitting.FileKey, &f.header); err != nil {
		return nil, err
	}
	if f.Hidden < 1 || !(f.Lambda > 0) || !(f.Usual > 0) || !(f.Offset > 0) || f.Top < 1 || !(f.Decay > 0) {
		return nil, fmt.Errorf("%v: settings in the file cannot be: %+v", m.Loss, f.header)
	}
	var err error
	if f.item, err = modelfile.Get[float64](file, "item", items, f.stride()); err != nil {
		return nil, err
	}
	for i := range f.itemRow {
		f.itemRow[i] = i
	}
	return f, nil
}

// Dim is the number of factors.
func (m *fitted) Dim() int { return m.Hidden }

// ItemVector writes the factors of an item and returns its offset.
func (m *fitted) ItemVector(item uint32, vector []float64) float64 {
	row := m.itemVector(m.itemRow[item])
	copy(vector, row[:m.Hidden])
	return row[m.Hidden]
}

// PersonVector writes the factors of somebody who is folded in.
func (m *fitted) PersonVector(known ratings.Row, vector []float64) {
	if clear(vector); known.Len() > 0 {
		copy(vector, m.foldIn(known))
	}
}

// Explain writes the part of each rating in the score of an item, and returns the base to which they add up: exactly
// under the squared loss, see [fitting.RidgeParts]. The other losses have no such parts.
func (m *fitted) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	if m.loss != Squared {
		return 0, false, false
	}
	row := func(i uint32) []float64 { return append(slices.Clone(m.itemVector(m.itemRow[i])[:m.Hidden]), 1) }
	offset := func(i uint32) float64 { return m.itemVector(m.itemRow[i])[m.Hidden] }
	var rows [][]float64
	for k, i := range known.Items {
		rows = append(rows, row(i))
		parts[k] = float64(known.Values[k]) - m.Mean - offset(i)
	}
	precision := append(slices.Repeat([]float64{m.userPrior(max(1, known.Len()))}, m.Hidden), m.Offset)
	fitting.RidgeParts(precision, row(item), rows, parts)
	return m.Mean + offset(item), true, true
}
