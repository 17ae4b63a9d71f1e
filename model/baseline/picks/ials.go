package picks

import (
	"context"
	"fmt"
	"math"

	"fubini/core/cholesky"
	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// IALS is implicit alternating least squares (Hu, Koren and Volinsky 2008), with the prior of Rendle and others (2022).
// It minimises the sum over all people u and items i of
//
//	c_ui (y_ui - x_u z_i)²
//
// with y = 1 and c = w_ui + Unobserved for the items of a list, y = 0 and c = Unobserved for all others, plus the
// squared factors of each person and item times Prior times (its picks + Unobserved times the number of all
// items or people). A new person's factors are the exact minimum given those of items.
type IALS struct {
	Hidden     int
	Epochs     int
	Prior      float64
	Unobserved float64
	Weights    Weights
}

// NewIALS returns ials with its default settings.
func NewIALS() *IALS { return &IALS{Hidden: setting.Auto, Epochs: 10, Prior: 0.01, Unobserved: 0.1} }

// Settings implements [model.Recipe].
func (m *IALS) Settings() []setting.Setting {
	d := NewIALS()
	return []setting.Setting{
		setting.Int(&m.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "factors; 64 if there are as many users and items", Default: math.NaN(), Low: 16, High: 128, Log: true, Positive: true}),
		setting.Int(&m.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "sweeps over items and people", Positive: true}),
		setting.Float(&m.Prior, d.Prior, setting.Setting{Name: "prior", Means: "weight of squared factors, for each pick", Low: 0.0005, High: 0.1, Log: true, Positive: true}),
		setting.Float(&m.Unobserved, d.Unobserved, setting.Setting{Name: "unobserved", Means: "weight of items that are not in a list", Low: 0.01, High: 1, Log: true, Positive: true}),
		m.Weights.setting(d.Weights),
	}
}

// Fit implements [model.Recipe].
func (m *IALS) Fit(ctx context.Context, s *ratings.Set, run model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "ials", m.Settings(), s, run, func(run fitting.Run) (model.Model, error) {
		if math.IsInf(m.Prior, 1) || math.IsInf(m.Unobserved, 1) {
			return nil, fmt.Errorf("prior %g and unobserved %g must be finite", m.Prior, m.Unobserved)
		}
		hidden, err := factors(m.Hidden, s)
		if err != nil {
			return nil, err
		}
		return fitting.Learn(s, run, fitting.Schedule{Epochs: m.Epochs}, func(s *ratings.Set) (fitting.Learner, error) {
			return m.start(s, run, hidden), nil
		})
	})
}

// ials has the factors of items, and while it learns those of people.
type ials struct {
	scale
	K          int     `json:"hidden"`
	Prior      float64 `json:"prior"`
	Unobserved float64 `json:"unobserved"`

	items, gram []float64 // factors, row by row; the sum of their outer products
	mean        []float64 // factors of an average person
	users       []float64 // only while it learns

	run          fitting.Run
	rows         []ratings.Row
	columns      []ratings.Row
	loss         []float64
	workers      []solver
	peopleNumber int
}

func (m *IALS) start(s *ratings.Set, run fitting.Run, hidden int) *ials {
	by := scaleOf(s, m.Weights)
	s = by.listed(s)
	l := &ials{scale: by, K: hidden, Prior: m.Prior, Unobserved: m.Unobserved, run: run, columns: fitting.Columns(s),
		items: make([]float64, s.Items().Len()*hidden), users: make([]float64, s.Users().Len()*hidden), loss: make([]float64, s.Users().Len()),
		workers: make([]solver, run.Workers()), peopleNumber: s.Users().Len()}
	for u := range s.Users().Len() {
		l.rows = append(l.rows, s.Row(u))
	}
	for i := range l.columns {
		r := run.ItemStream("factors", i)
		for d := range hidden {
			l.items[i*hidden+d] = r.NormFloat64() * 0.1 / math.Sqrt(float64(hidden))
		}
	}
	return l
}

// Epoch implements [fitting.Learner]: people, then items. The objective is that before the items move.
func (l *ials) Epoch() float64 {
	l.gram = gramOf(l.items, l.K)
	others := float64(len(l.items) / l.K)
	l.run.Do(len(l.rows), func(w, u int) {
		l.loss[u] = l.workers[w].solve(l, l.users[u*l.K:(u+1)*l.K], l.items, l.gram, others, l.rows[u])
	})
	var total float64
	for _, v := range l.loss {
		total += v
	}
	gram := gramOf(l.users, l.K)
	l.run.Do(len(l.columns), func(w, i int) {
		l.workers[w].solve(l, l.items[i*l.K:(i+1)*l.K], l.users, gram, float64(l.peopleNumber), l.columns[i])
	})
	l.gram = gramOf(l.items, l.K)
	l.mean = make([]float64, l.K)
	for at := 0; at < len(l.users); at += l.K {
		fitting.Add(l.mean, 1/float64(l.peopleNumber), l.users[at:])
	}
	return total
}

// gramOf is the lower triangle of the sum of outer products of rows.
func gramOf(rows []float64, k int) []float64 {
	gram := make([]float64, k*k)
	for at := 0; at < len(rows); at += k {
		cholesky.AddOuter(gram, 1, rows[at:at+k])
	}
	return gram
}

// solver is memory of one goroutine.
type solver struct{ matrix []float64 }

// solve sets the factors x of a person given those of items, or of an item given those of people; others is the number
// of the rows of factors. It returns the objective at the solution, less what does not depend on it.
func (s *solver) solve(l *ials, x, factors, gram []float64, others float64, picked ratings.Row) float64 {
	k := l.K
	s.matrix = fitting.Resize(s.matrix, k*k)
	for e, g := range gram {
		s.matrix[e] = l.Unobserved * g
	}
	clear(x)
	var squares, count float64
	for e, i := range picked.Items {
		z, w := factors[int(i)*k:int(i+1)*k], l.of(picked.Values[e])
		if w == 0 {
			continue
		}
		count++
		cholesky.AddOuter(s.matrix, w, z)
		fitting.Add(x, w+l.Unobserved, z)
		squares += w + l.Unobserved
	}
	prior := l.Prior * (count + l.Unobserved*others)
	for d := range k {
		s.matrix[d*k+d] += prior
	}
	b := append([]float64(nil), x...)
	cholesky.Must(cholesky.Solve(s.matrix, x))
	return squares - fitting.Dot(b, x)
}

// Dim is the number of factors.
func (l *ials) Dim() int { return l.K }

// ItemVector writes the factors of an item.
func (l *ials) ItemVector(item uint32, vector []float64) float64 {
	copy(vector, l.items[int(item)*l.K:])
	return 0
}

// PersonVector writes the factors of somebody with a list.
func (l *ials) PersonVector(known ratings.Row, x []float64) {
	if l.none(known) {
		copy(x, l.mean)
		return
	}
	new(solver).solve(l, x, l.items, l.gram, float64(len(l.items)/l.K), known)
}

func (l *ials) Score(p model.Person, items []uint32, scores []float64) {
	x := make([]float64, l.K)
	l.PersonVector(p.Known, x)
	for k, i := range items {
		scores[k] = fitting.Dot(x, l.items[int(i)*l.K:])
	}
}

// Explain has the part of each item of the list in a score, v' M^-1 z_k c_k: they sum to it.
func (l *ials) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	clear(parts)
	if l.none(known) {
		return fitting.Dot(l.mean, l.items[int(item)*l.K:]), true, true
	}
	var s solver
	s.solve(l, make([]float64, l.K), l.items, l.gram, float64(len(l.items)/l.K), known)
	v := append([]float64(nil), l.items[int(item)*l.K:int(item+1)*l.K]...)
	cholesky.SolveLower(s.matrix, v)
	cholesky.SolveUpper(s.matrix, v)
	for k, i := range known.Items {
		if w := l.of(known.Values[k]); w > 0 {
			parts[k] = (w + l.Unobserved) * fitting.Dot(v, l.items[int(i)*l.K:])
		}
	}
	return 0, true, true
}

func (l *ials) Save(f *modelfile.File) error {
	modelfile.Set(f, "items", l.items, len(l.items)/l.K, l.K)
	modelfile.Set(f, "mean", l.mean, l.K)
	return f.SetJSON(fitting.FileKey, l)
}

// Load implements [model.Recipe].
func (m *IALS) Load(f *modelfile.File, items int) (model.Model, error) {
	l := new(ials)
	if err := f.JSON(fitting.FileKey, l); err != nil {
		return nil, err
	}
	if !(l.K > 0 && l.Prior > 0 && l.Unobserved > 0) || math.IsInf(l.Prior+l.Unobserved, 1) {
		return nil, fmt.Errorf("ials: hidden %d, prior %g and unobserved %g must be above 0", l.K, l.Prior, l.Unobserved)
	}
	r := modelfile.Reader{File: f}
	modelfile.Into(&r, &l.items, "items", items, l.K)
	modelfile.Into(&r, &l.mean, "mean", l.K)
	if r.Err != nil { // K may be any number then
		return nil, r.Err
	}
	l.gram = gramOf(l.items, l.K)
	return l, nil
}
