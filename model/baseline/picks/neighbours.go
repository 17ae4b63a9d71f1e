package picks

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// Neighbours scores an item by the sum of its similarities to the items of the list. The similarity of items with n_i
// and n_j picks, n_ij of them by the same people, is n_ij / (n_i^(1-a) n_j^a + shrink) for item i of the list, and
// counts only if j is among the nearest neighbours of i. With a = 1/2 it is the cosine; a larger exponent a favours rare
// items. Without items in the list, scores are the numbers of picks.
//
// With a decay, item-knn is a sequential model, recent-knn: the items of the list are sorted by time, and each has the
// decay times the weight of the next one. With a window, n_ij is the number of people who picked j after i with no more places between
// them; half of those who picked both at once count.
type Neighbours struct {
	Nearest  int     // neighbours kept for each item
	Shrink   float64 // added to the denominator of similarities
	Exponent float64 // a
	Decay    float64 // recent-knn only
	Window   int     // recent-knn only; 0 for whole lists
	Weights  Weights

	recent bool
}

// NewItemKNN returns item-knn with its default settings.
func NewItemKNN() *Neighbours { return &Neighbours{Nearest: 100, Shrink: 20, Exponent: 0.5, Decay: 1} }

// NewRecentKNN returns recent-knn with its default settings.
func NewRecentKNN() *Neighbours {
	return &Neighbours{Nearest: 100, Shrink: 20, Exponent: 0.5, Decay: 0.8, Window: 20, recent: true}
}

func (m *Neighbours) name() string {
	if m.recent {
		return "recent-knn"
	}
	return "item-knn"
}

// Settings implements [model.Recipe].
func (m *Neighbours) Settings() []setting.Setting {
	d := NewItemKNN()
	if m.recent {
		d = NewRecentKNN()
	}
	all := []setting.Setting{
		setting.Int(&m.Nearest, d.Nearest, setting.Setting{Name: "nearest", Means: "neighbours kept for each item", Low: 10, High: 500, Log: true, Positive: true}),
		setting.Float(&m.Shrink, d.Shrink, setting.Setting{Name: "shrink", Means: "added to the denominator of similarities", Low: 1, High: 500, Log: true}),
		setting.Float(&m.Exponent, d.Exponent, setting.Setting{Name: "exponent", Means: "of an item's picks in the denominator of similarities; 0.5 is the cosine", Low: 0.1, High: 0.9}),
		m.Weights.setting(d.Weights),
	}
	if m.recent {
		all = append(all, setting.Float(&m.Decay, d.Decay, setting.Setting{Name: "decay", Means: "weight of an item of the list over that of the next later one", Low: 0.5, High: 1}),
			setting.Int(&m.Window, d.Window, setting.Setting{Name: "window", Means: "places in the order of time up to which a pick after another counts for their similarity; 0 counts all pairs of a list", Low: 3, High: 300, Log: true}))
	}
	return all
}

// Fit implements [model.Recipe].
func (m *Neighbours) Fit(ctx context.Context, s *ratings.Set, run model.Run) (model.Model, error) {
	return fitting.Fit(ctx, m.name(), m.Settings(), s, run, func(run fitting.Run) (model.Model, error) {
		if m.Window < 0 {
			return nil, fmt.Errorf("window %d must not be negative", m.Window)
		}
		if m.Nearest < 1 || !(m.Exponent <= 1) || !(m.Decay > 0 && m.Decay <= 1) || math.IsInf(m.Shrink, 1) {
			return nil, fmt.Errorf("nearest %d must be above 0, exponent %g at most 1, decay %g above 0 and at most 1, shrink %g finite", m.Nearest, m.Exponent, m.Decay, m.Shrink)
		}
		return m.similarities(s, run), run.Err()
	})
}

func (m *Neighbours) similarities(s *ratings.Set, run fitting.Run) *neighbours {
	n, by := s.Items().Len(), scaleOf(s, m.Weights)
	s = by.listed(s)
	columns := fitting.Columns(s)
	var ages [][]float64 // of each user, where pairs far apart do not count
	if m.Window > 0 && s.HasTimes() {
		for u := range s.Users().Len() {
			ages = append(ages, s.Row(u).Ages())
		}
	}
	type near struct {
		item  uint32
		value float64
	}
	found := make([][]near, n)
	shared := make([][]float64, run.Workers())
	run.Do(n, func(w, i int) {
		if shared[w] == nil {
			shared[w] = make([]float64, n)
		}
		count := shared[w]
		clear(count)
		for _, u := range columns[i].Items {
			row := s.Row(int(u))
			if ages == nil {
				for _, j := range row.Items {
					count[j]++
				}
				continue
			}
			at, _ := slices.BinarySearch(row.Items, uint32(i))
			for k, age := range ages[u] {
				if apart := ages[u][at] - age; apart == 0 {
					count[row.Items[k]] += .5
				} else if apart > 0 && apart <= float64(m.Window) {
					count[row.Items[k]]++
				}
			}
		}
		var all []near
		own := math.Pow(float64(columns[i].Len()), 1-m.Exponent)
		for j, c := range count {
			if c > 0 && j != i {
				all = append(all, near{uint32(j), c / (own*math.Pow(float64(columns[j].Len()), m.Exponent) + m.Shrink)})
			}
		}
		slices.SortFunc(all, func(a, b near) int {
			return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(run.ItemNumber(int(a.item)), run.ItemNumber(int(b.item))))
		})
		found[i] = slices.Clone(all[:min(m.Nearest, len(all))])
		slices.SortFunc(found[i], func(a, b near) int { return cmp.Compare(a.item, b.item) })
	})
	fitted := &neighbours{scale: by, Decay: m.Decay, start: make([]uint32, n+1), picks: make([]float64, n)}
	for i, list := range found {
		for _, each := range list {
			fitted.item, fitted.value = append(fitted.item, each.item), append(fitted.value, each.value)
		}
		fitted.start[i+1], fitted.picks[i] = uint32(len(fitted.item)), float64(columns[i].Len())
	}
	return fitted
}

// neighbours are sparse rows of similarities: that of item i of a list has the items that it brings up.
type neighbours struct {
	scale
	Decay float64 `json:"decay"`

	start, item  []uint32
	value, picks []float64
}

// weights are those of the items of a list. They sum to one: scores of people with long and short lists are alike.
func (m *neighbours) weights(known ratings.Row) []float64 {
	weights := make([]float64, known.Len())
	var order []int // of the items that count
	for k, v := range known.Values {
		if m.of(v) > 0 {
			order = append(order, k)
		}
	}
	if m.Decay < 1 && known.Times != nil {
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(known.Times[b], known.Times[a]), cmp.Compare(known.Items[a], known.Items[b]))
		})
	}
	var sum float64
	age := 1.0
	for place, k := range order {
		if m.Decay < 1 && known.Times != nil && place > 0 && known.Times[k] != known.Times[order[place-1]] {
			age = math.Pow(m.Decay, float64(place)) // rated at one time, rated alike
		}
		weights[k] = age * m.of(known.Values[k])
		sum += weights[k]
	}
	for _, k := range order {
		weights[k] /= sum
	}
	return weights
}

func (m *neighbours) Score(p model.Person, items []uint32, scores []float64) {
	if m.none(p.Known) {
		(&fitting.Scores{Of: m.picks}).Score(p, items, scores)
		return
	}
	all := make([]float64, len(m.picks))
	for k, w := range m.weights(p.Known) {
		i := p.Known.Items[k]
		for e := m.start[i]; e < m.start[i+1]; e++ {
			all[m.item[e]] += w * m.value[e]
		}
	}
	for k, i := range items {
		scores[k] = all[i]
	}
}

// Explain has the part of each item of the list in a score: they sum to it.
func (m *neighbours) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	clear(parts)
	if m.none(known) {
		return m.picks[item], true, true
	}
	for k, w := range m.weights(known) {
		i := known.Items[k]
		row := m.item[m.start[i]:m.start[i+1]]
		if at, there := slices.BinarySearch(row, item); there {
			parts[k] = w * m.value[int(m.start[i])+at]
		}
	}
	return 0, true, true
}

func (m *neighbours) Save(f *modelfile.File) error {
	modelfile.Set(f, "start", m.start, len(m.start))
	modelfile.Set(f, "neighbour", m.item, len(m.item))
	modelfile.Set(f, "similarity", m.value, len(m.value))
	modelfile.Set(f, "picks", m.picks, len(m.picks))
	return f.SetJSON(fitting.FileKey, m)
}

// Load implements [model.Recipe].
func (m *Neighbours) Load(f *modelfile.File, items int) (model.Model, error) {
	fitted := new(neighbours)
	if err := f.JSON(fitting.FileKey, fitted); err != nil {
		return nil, err
	}
	r := modelfile.Reader{File: f}
	modelfile.Into(&r, &fitted.start, "start", items+1)
	modelfile.Into(&r, &fitted.picks, "picks", items)
	modelfile.Into(&r, &fitted.item, "neighbour", -1)
	modelfile.Into(&r, &fitted.value, "similarity", len(fitted.item))
	if r.Err != nil {
		return nil, r.Err
	}
	if !(fitted.Decay > 0 && fitted.Decay <= 1) || fitted.start[0] != 0 || int(fitted.start[items]) != len(fitted.item) || !slices.IsSorted(fitted.start) {
		return nil, fmt.Errorf("%s: the rows of neighbours are damaged", m.name())
	}
	for i := range items {
		row := fitted.item[fitted.start[i]:fitted.start[i+1]]
		if !slices.IsSorted(row) || len(row) > 0 && int(row[len(row)-1]) >= items {
			return nil, fmt.Errorf("%s: the neighbours of item %d are damaged", m.name(), i)
		}
	}
	return fitted, nil
}
