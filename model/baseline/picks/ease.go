package picks

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/core/setting"
	"fubini/core/vec"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// EASE has the ridge regression of every item on all others (Steck 2019). With X the weights of people's picks, a row for
// each person, and P the inverse of XᵀX + ridge, the score of item j for a list with weights x is
//
//	Σ_i x_i B_ij,  B_ij = -P_ij / P_jj for i ≠ j, and B_jj = 0
//
// Anybody is read in by their list alone. Without items in the list, scores are the numbers of picks.
type EASE struct {
	Ridge   float64
	Weights Weights
	Most    int // items with weights, those with the most picks; all others have score 0
}

// NewEASE returns ease with its default settings.
func NewEASE() *EASE { return &EASE{Ridge: 300, Weights: Graded, Most: 10_000} }

// Settings implements [model.Recipe].
func (m *EASE) Settings() []setting.Setting {
	d := NewEASE()
	return []setting.Setting{
		setting.Float(&m.Ridge, d.Ridge, setting.Setting{Name: "ridge", Means: "added to the diagonal of the co-occurrence counts", Low: 10, High: 10_000, Log: true, Positive: true}),
		m.Weights.setting(d.Weights),
		setting.Int(&m.Most, d.Most, setting.Setting{Name: "most", Means: "items with weights, those with the most picks: memory is 8 times its square, in bytes", Positive: true}),
	}
}

// Fit implements [model.Recipe].
func (m *EASE) Fit(ctx context.Context, s *ratings.Set, run model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "ease", m.Settings(), s, run, func(run fitting.Run) (model.Model, error) {
		if m.Most < 1 || math.IsInf(m.Ridge, 1) {
			return nil, fmt.Errorf("most %d must be above 0 and ridge %g finite", m.Most, m.Ridge)
		}
		return m.regressions(s, run)
	})
}

func (m *EASE) regressions(s *ratings.Set, run fitting.Run) (model.Model, error) {
	by := scaleOf(s, m.Weights)
	s = by.listed(s)
	columns := fitting.Columns(s)
	fitted := &ease{scale: by, picks: make([]float64, len(columns))}
	for i, c := range columns {
		fitted.picks[i] = float64(c.Len())
		if c.Len() > 0 {
			fitted.items = append(fitted.items, uint32(i))
		}
	}
	if len(fitted.items) > m.Most {
		slices.SortFunc(fitted.items, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(fitted.picks[b], fitted.picks[a]), cmp.Compare(run.ItemNumber(int(a)), run.ItemNumber(int(b))))
		})
		fitted.items = fitted.items[:m.Most]
		slices.Sort(fitted.items)
	}
	fitted.index()
	n := len(fitted.items)
	var p []float64
	var positive bool
	if people := withPicks(s); len(people) < n {
		p, positive = m.byPeople(s, by, fitted, columns, people, run)
	} else {
		p, positive = m.byItems(s, by, fitted, columns, run)
	}
	if err := run.Err(); err != nil {
		return nil, err
	}
	if !positive {
		return nil, fmt.Errorf("the co-occurrence counts of %d items with a ridge of %g cannot be inverted; raise ridge", n, m.Ridge)
	}
	diagonal := make([]float64, n)
	for a := range n {
		diagonal[a] = p[a*n+a]
	}
	run.Do(n, func(_, a int) {
		row := p[a*n : (a+1)*n]
		for b := range row {
			row[b] /= -diagonal[b]
		}
		row[a] = 0
	})
	fitted.weights = p
	return fitted, run.Err()
}

// byItems returns P, the inverse of XᵀX + ridge, and whether that is positive definite. It takes n³ operations for n items.
func (m *EASE) byItems(s *ratings.Set, by scale, fitted *ease, columns []ratings.Row, run fitting.Run) (p []float64, positive bool) {
	n := len(fitted.items)
	p = make([]float64, n*n)
	run.Do(n, func(_, a int) { // the lower triangle of the counts
		column, row := columns[fitted.items[a]], p[a*n:(a+1)*n]
		for e, u := range column.Items {
			w, list := by.of(column.Values[e]), s.Row(int(u))
			for k, j := range list.Items {
				if j > fitted.items[a] {
					break
				}
				if b := fitted.place[j]; b >= 0 {
					row[b] += w * by.of(list.Values[k])
				}
			}
		}
		row[a] += m.Ridge
	})
	if run.Err() != nil {
		return p, false
	}
	return p, cholesky.Invert(p, n, run.Workers())
}

// byPeople is byItems where people are fewer than items: P is (1 - Xᵀ (XXᵀ + ridge)⁻¹ X) / ridge (Woodbury), which takes m³ operations for m
// people, and n for every pick.
func (m *EASE) byPeople(s *ratings.Set, by scale, fitted *ease, columns []ratings.Row, people []int, run fitting.Run) (p []float64, positive bool) {
	n, count := len(fitted.items), len(people)
	number := make([]int, s.Users().Len())
	for k, u := range people {
		number[u] = k
	}
	k := make([]float64, count*count)
	run.Do(count, func(_, at int) { // the lower triangle of XXᵀ
		list, row := s.Row(people[at]), k[at*count:(at+1)*count]
		for e, i := range list.Items {
			if fitted.place[i] < 0 {
				continue
			}
			w, column := by.of(list.Values[e]), columns[i]
			for c, u := range column.Items {
				if int(u) > people[at] {
					break
				}
				row[number[u]] += w * by.of(column.Values[c])
			}
		}
		row[at] += m.Ridge
	})
	if run.Err() != nil || !cholesky.Invert(k, count, run.Workers()) {
		return nil, false
	}
	p = make([]float64, n*n)
	rooms := make([][]float64, run.Workers())
	run.Do(n, func(worker, a int) {
		if rooms[worker] == nil {
			rooms[worker] = make([]float64, count)
		}
		room, row, column := rooms[worker], p[a*n:(a+1)*n], columns[fitted.items[a]]
		clear(room) // (XXᵀ + ridge)⁻¹ times the picks of item a
		for e, u := range column.Items {
			at := number[u]
			vec.AddTimes(room, k[at*count:(at+1)*count], by.of(column.Values[e]))
		}
		row[a] = 1 / m.Ridge
		for at, u := range people {
			list, factor := s.Row(u), -room[at]/m.Ridge
			for e, j := range list.Items {
				if b := fitted.place[j]; b >= 0 {
					row[b] += factor * by.of(list.Values[e])
				}
			}
		}
	})
	return p, true
}

// withPicks are the users with a rating.
func withPicks(s *ratings.Set) (people []int) {
	for u := range s.Users().Len() {
		if s.Row(u).Len() > 0 {
			people = append(people, u)
		}
	}
	return people
}

// ease has the weights B between the items that have any, row by row.
type ease struct {
	scale
	items   []uint32 // with weights, ascending
	place   []int32  // of each item among these, or -1
	weights []float64
	picks   []float64
}

// index sets the place of each item.
func (m *ease) index() {
	m.place = make([]int32, len(m.picks))
	for i := range m.place {
		m.place[i] = -1
	}
	for a, i := range m.items {
		m.place[i] = int32(a)
	}
}

func (m *ease) Score(p model.Person, items []uint32, scores []float64) {
	if m.none(p.Known) {
		(&fitting.Scores{Of: m.picks}).Score(p, items, scores)
		return
	}
	n := len(m.items)
	all := make([]float64, n)
	for k, i := range p.Known.Items {
		if a := int(m.place[i]); a >= 0 {
			vec.AddTimes(all, m.weights[a*n:(a+1)*n], m.of(p.Known.Values[k]))
		}
	}
	for k, i := range items {
		scores[k] = 0
		if a := m.place[i]; a >= 0 {
			scores[k] = all[a]
		}
	}
}

// Explain has the part of each item of the list in a score: they sum to it.
func (m *ease) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	clear(parts)
	if m.none(known) {
		return m.picks[item], true, true
	}
	if b := int(m.place[item]); b >= 0 {
		for k, i := range known.Items {
			if a := int(m.place[i]); a >= 0 {
				parts[k] = m.of(known.Values[k]) * m.weights[a*len(m.items)+b]
			}
		}
	}
	return 0, true, true
}

func (m *ease) Save(f *modelfile.File) error {
	modelfile.Set(f, "inputs", m.items, len(m.items))
	modelfile.Set(f, "weights", m.weights, len(m.items), len(m.items))
	modelfile.Set(f, "picks", m.picks, len(m.picks))
	return f.SetJSON(fitting.FileKey, struct {
		scale
		Inputs int `json:"inputs"`
	}{m.scale, len(m.items)})
}

// Load implements [model.Recipe].
func (m *EASE) Load(f *modelfile.File, items int) (model.Model, error) {
	var about struct {
		scale
		Inputs int `json:"inputs"`
	}
	if err := f.JSON(fitting.FileKey, &about); err != nil {
		return nil, err
	}
	if about.Inputs < 0 || about.Inputs > items {
		return nil, fmt.Errorf("ease: weights of %d items, and there are %d", about.Inputs, items)
	}
	fitted := &ease{scale: about.scale}
	r := modelfile.Reader{File: f}
	modelfile.Into(&r, &fitted.items, "inputs", about.Inputs)
	modelfile.Into(&r, &fitted.weights, "weights", about.Inputs, about.Inputs)
	modelfile.Into(&r, &fitted.picks, "picks", items)
	if r.Err != nil {
		return nil, r.Err
	}
	for a, i := range fitted.items {
		if int(i) >= items || a > 0 && i <= fitted.items[a-1] {
			return nil, fmt.Errorf("ease: the items with weights are damaged")
		}
	}
	fitted.index()
	return fitted, nil
}
