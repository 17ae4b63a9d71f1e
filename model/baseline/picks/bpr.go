package picks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fubini/core/rng"
	"fubini/core/setting"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// BPR is matrix factorisation by Bayesian personalised ranking (Rendle and others 2009): for random pairs of an item of
// a list and one that is not in it, it climbs the log probability 1 / (1 + exp(-(s_i - s_j))) that the first has the
// higher score s_i = b_i + x_u z_i. The first is drawn with a probability proportional to its weight. The factors of a new person are found by the same steps, with those of items fixed.
type BPR struct {
	Hidden int
	Epochs int
	Rate   float64
	Prior  float64

	Weights Weights
}

// NewBPR returns bpr-mf with its default settings.
func NewBPR() *BPR { return &BPR{Hidden: setting.Auto, Epochs: 40, Rate: 0.05, Prior: 0.01} }

// Settings implements [model.Recipe].
func (m *BPR) Settings() []setting.Setting {
	d := NewBPR()
	return []setting.Setting{
		setting.Int(&m.Hidden, d.Hidden, setting.Setting{Name: "hidden", Means: "factors; 64 if there are as many users and items", Default: math.NaN(), Low: 16, High: 128, Log: true, Positive: true}),
		setting.Int(&m.Epochs, d.Epochs, setting.Setting{Name: "epochs", Means: "passes over all picks", Positive: true}),
		setting.Float(&m.Rate, d.Rate, setting.Setting{Name: "rate", Means: "step", Low: 0.01, High: 0.2, Log: true, Positive: true}),
		setting.Float(&m.Prior, d.Prior, setting.Setting{Name: "prior", Means: "weight of half the squared factors in a step", Low: 0.001, High: 0.1, Log: true}),
		m.Weights.setting(d.Weights),
	}
}

// Fit implements [model.Recipe].
func (m *BPR) Fit(ctx context.Context, s *ratings.Set, run model.Run) (model.Model, error) {
	return fitting.Fit(ctx, "bpr-mf", m.Settings(), s, run, func(run fitting.Run) (model.Model, error) {
		if math.IsInf(m.Rate, 1) || math.IsInf(m.Prior, 1) {
			return nil, fmt.Errorf("rate %g and prior %g must be finite", m.Rate, m.Prior)
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

// bpr has the biases and factors of items, and while it learns those of people.
type bpr struct {
	scale
	K     int     `json:"hidden"`
	Rate  float64 `json:"rate"`
	Prior float64 `json:"prior"`

	bias, items, users []float64

	set   *ratings.Set
	order []int // numbers of items in random streams, for the same steps however items are numbered
	epoch int
	run   fitting.Run
}

func (m *BPR) start(s *ratings.Set, run fitting.Run, hidden int) *bpr {
	n, by := s.Items().Len(), scaleOf(s, m.Weights)
	s = by.listed(s)
	l := &bpr{scale: by, K: hidden, Rate: m.Rate, Prior: m.Prior, run: run, set: s, bias: make([]float64, n), order: make([]int, n),
		items: make([]float64, n*hidden), users: make([]float64, s.Users().Len()*hidden)}
	for i := range n {
		l.order[run.ItemNumber(i)] = i
		normal(run.ItemStream("factors", i), l.items[i*hidden:(i+1)*hidden])
	}
	for u := range s.Users().Len() {
		normal(run.UserStream("factors", u), l.users[u*hidden:(u+1)*hidden])
	}
	return l
}

func normal(r *rng.Rand, x []float64) {
	for d := range x {
		x[d] = 0.1 * r.NormFloat64()
	}
}

// Epoch implements [fitting.Learner]. Steps change items that other steps need, and so go one after the other, people in
// a random order.
func (l *bpr) Epoch() (objective float64) {
	l.epoch++
	people := make([]int, l.set.Users().Len())
	for u := range people {
		people[l.run.UserNumber(u)] = u
	}
	rng.Stream(l.run.Seed, "bpr", uint64(l.epoch)).Shuffle(len(people), func(a, b int) { people[a], people[b] = people[b], people[a] })
	var pairs float64
	for _, u := range people {
		if l.run.Over() {
			return 0
		}
		row := l.set.Row(u)
		objective += l.visit(l.users[u*l.K:(u+1)*l.K], row, rng.Stream(l.run.Seed, "bpr pairs", uint64(l.epoch), l.run.UserNumber(u)), true)
		pairs += float64(row.Len())
	}
	return objective / max(1, pairs)
}

// visit makes a step for each item of a list against one that is not in it, and returns the sum of log losses.
func (l *bpr) visit(x []float64, row ratings.Row, r *rng.Rand, learn bool) (loss float64) {
	n := len(l.bias)
	byNumber := make([]int, 0, row.Len()) // places in the row
	for k, v := range row.Values {
		if l.of(v) > 0 {
			byNumber = append(byNumber, k)
		}
	}
	if row.Len() == n || len(byNumber) == 0 {
		return 0 // there is nothing else, or nothing at all
	}
	if l.order != nil {
		slices.SortFunc(byNumber, func(a, b int) int {
			return int(l.run.ItemNumber(int(row.Items[a]))) - int(l.run.ItemNumber(int(row.Items[b])))
		})
	}
	for range byNumber {
		i, j := l.drawn(row, byNumber, r), 0
		for {
			if j = r.IntN(n); l.order != nil {
				j = l.order[j]
			}
			if _, picked := slices.BinarySearch(row.Items, uint32(j)); !picked {
				break
			}
		}
		z, other := l.items[i*l.K:(i+1)*l.K], l.items[j*l.K:(j+1)*l.K]
		difference := l.bias[i] - l.bias[j] + fitting.Dot(x, z) - fitting.Dot(x, other)
		slope := 1 / (1 + math.Exp(difference))
		loss += math.Log1p(math.Exp(-math.Abs(difference))) + max(0, -difference)
		if learn {
			l.bias[i] += l.Rate * (slope - l.Prior*l.bias[i])
			l.bias[j] -= l.Rate * (slope + l.Prior*l.bias[j])
		}
		for d, v := range x {
			x[d] += l.Rate * (slope*(z[d]-other[d]) - l.Prior*v)
			if learn {
				z[d] += l.Rate * (slope*v - l.Prior*z[d])
				other[d] -= l.Rate * (slope*v + l.Prior*other[d])
			}
		}
	}
	return loss
}

// drawn is an item of a list, with a probability proportional to its weight; each draw is accepted with that.
func (l *bpr) drawn(row ratings.Row, places []int, r *rng.Rand) int {
	for {
		k := places[r.IntN(len(places))]
		if w := l.of(row.Values[k]); w == 1 || r.Float64() < w {
			return int(row.Items[k])
		}
	}
}

// foldPasses are those over the list of a new person.
const foldPasses = 20

// Dim is the number of factors.
func (l *bpr) Dim() int { return l.K }

// ItemVector writes the factors of an item and returns its bias.
func (l *bpr) ItemVector(item uint32, vector []float64) float64 {
	copy(vector, l.items[int(item)*l.K:])
	return l.bias[item]
}

// PersonVector writes the factors of somebody with a list; without one, zeros.
func (l *bpr) PersonVector(known ratings.Row, x []float64) {
	clear(x)
	if l.none(known) {
		return
	}
	still := bpr{scale: l.scale, K: l.K, Rate: l.Rate, Prior: l.Prior, bias: l.bias, items: l.items, order: l.order, run: l.run.Unseeded()}
	for pass := range uint64(foldPasses) {
		still.visit(x, known, rng.Stream(0, "bpr fold", pass), false)
	}
}

func (l *bpr) Score(p model.Person, items []uint32, scores []float64) {
	x := make([]float64, l.K)
	if p.Index >= 0 && l.users != nil && l.set.Row(p.Index).Len() > 0 {
		x = l.users[p.Index*l.K : (p.Index+1)*l.K]
	} else {
		l.PersonVector(p.Known, x)
	}
	for k, i := range items {
		scores[k] = l.bias[i] + fitting.Dot(x, l.items[int(i)*l.K:])
	}
}

func (l *bpr) Save(f *modelfile.File) error {
	modelfile.Set(f, "items", l.items, len(l.bias), l.K)
	modelfile.Set(f, "bias", l.bias, len(l.bias))
	return f.SetJSON(fitting.FileKey, l)
}

// Load implements [model.Recipe].
func (m *BPR) Load(f *modelfile.File, items int) (model.Model, error) {
	l := new(bpr)
	if err := f.JSON(fitting.FileKey, l); err != nil {
		return nil, err
	}
	if !(l.K > 0 && l.Rate > 0 && l.Prior >= 0) || math.IsInf(l.Rate+l.Prior, 1) {
		return nil, fmt.Errorf("bpr-mf: hidden %d and rate %g must be above 0, prior %g not below", l.K, l.Rate, l.Prior)
	}
	r := modelfile.Reader{File: f}
	modelfile.Into(&r, &l.items, "items", items, l.K)
	modelfile.Into(&r, &l.bias, "bias", items)
	return l, r.Err
}
