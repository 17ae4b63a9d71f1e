package factor

import (
	"fmt"
	"slices"

	"fubini/core/rng"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// Scorer is a fitted model with factors, without its users: it folds persons in and scores items for them.
type Scorer struct {
	Loss      Loss
	options   Options
	has       Biases
	hidden    int
	steps     int       // that each user made
	width     int       // of a vector: factors, place of c_u, place of b_i
	items     []float64 // vector of item i: Q_i, 1, b_i; a bias the model has not is 0 times 0
	mean      []float64 // of the user vectors
	userPrior []float64 // by coordinate; -1 for what is fixed
	itemPrior []float64
	fold      func(known ratings.Row) []float64 // nil for foldIn
	drawn     fitting.Run                       // of whoever is folded in
}

func newScorer(o Options, has Biases, l Loss) Scorer {
	s := Scorer{Loss: l, options: o, has: has, hidden: o.Hidden, width: o.Hidden + 2}
	bias := func(has bool) float64 {
		if has {
			return o.BiasPrior
		}
		return -1
	}
	s.mean = make([]float64, s.width)
	s.userPrior = append(slices.Repeat([]float64{o.UserPrior}, s.hidden), bias(has.User), -1)
	s.itemPrior = append(slices.Repeat([]float64{o.ItemPrior}, s.hidden), -1, bias(has.Item))
	return s
}

// shared are the parameters of the loss; nil for none.
func (s *Scorer) shared() []float64 {
	if l, has := s.Loss.(SharedParameters); has {
		return l.Parameters()
	}
	return nil
}

func (s *Scorer) itemVector(i int) []float64 { return s.items[i*s.width : (i+1)*s.width] }

// average sets the mean user vector: under it an item has its mean score, which is the general order.
func (s *Scorer) average(users []float64, rated []int) {
	clear(s.mean)
	for _, u := range rated {
		fitting.Add(s.mean, 1/float64(len(rated)), users[u*s.width:])
	}
	s.mean[s.hidden+1] = one(s.has.Item)
}

// penalty is the part of the objective that comes from the priors.
func (s *Scorer) penalty(users []float64) float64 {
	var total float64
	for _, each := range []struct{ vectors, prior []float64 }{{users, s.userPrior}, {s.items, s.itemPrior}} {
		for at, x := range each.vectors {
			total += max(0, each.prior[at%s.width]) / 2 * x * x
		}
	}
	return total
}

func (s *Scorer) score(user []float64, items []uint32, scores []float64) {
	for k, i := range items {
		scores[k] = fitting.Dot(user, s.itemVector(int(i)))
	}
}

// Score implements [model.Model].
func (s *Scorer) Score(p model.Person, items []uint32, scores []float64) {
	s.score(s.personVector(p.Known), items, scores)
}

// personVector is the vector of somebody who is folded in.
func (s *Scorer) personVector(known ratings.Row) []float64 {
	switch {
	case known.Len() == 0:
		return s.mean
	case s.fold != nil:
		return s.fold(known)
	}
	return s.foldIn(known)
}

// foldIn makes as many steps from the mean user vector as the users of the training set made, with the final items. The
// minimum would fit a new person more closely than anybody in training, which was worse where not the prior but early
// stopping keeps factors small: 0.633 instead of 0.649 of pairs in order under the loss of listrank-mf.
func (s *Scorer) foldIn(known ratings.Row) []float64 {
	vector, seen := slices.Clone(s.mean), make([]float64, s.width)
	b := blockRow{user: -1, row: known, slope: make([]float64, s.width)}
	var w worker // each time the same random numbers: one function goes down
	for range s.steps {
		s.rowGradient(s.drawn, &w, &b, vector)
		s.descend(vector, b.slope, seen, s.userPrior, 1)
	}
	return vector
}

// Dim is the number of factors.
func (s *Scorer) Dim() int { return s.hidden }

// ItemVector writes the factors of an item and returns its bias.
func (s *Scorer) ItemVector(item uint32, vector []float64) float64 {
	row := s.itemVector(int(item))
	copy(vector, row[:s.hidden])
	return row[s.hidden+1] * one(s.has.Item)
}

// PersonVector writes the factors of a person who is folded in.
func (s *Scorer) PersonVector(known ratings.Row, vector []float64) {
	copy(vector, s.personVector(known)[:s.hidden])
}

// header has the numbers in a file beside its arrays.
type header struct {
	Hidden    int     `json:"hidden"`
	Steps     int     `json:"steps"`
	Rate      float64 `json:"rate"`
	UserPrior float64 `json:"user_prior"`
	BiasPrior float64 `json:"bias_prior"`
	UserBias  bool    `json:"user_bias"`
	ItemBias  bool    `json:"item_bias"`
}

// Save implements [model.Model].
func (s *Scorer) Save(f *modelfile.File) error {
	modelfile.Set(f, "vectors", s.items, len(s.items)/s.width, s.width)
	modelfile.Set(f, "mean", s.mean, s.width)
	if shared := s.shared(); shared != nil {
		modelfile.Set(f, "shared", shared)
	}
	if l, more := s.Loss.(KeptLoss); more {
		if err := f.SetJSON("loss", l.Kept()); err != nil {
			return err
		}
	}
	return f.SetJSON(fitting.FileKey, header{s.hidden, s.steps, s.options.Rate, s.options.UserPrior, s.options.BiasPrior, s.has.User, s.has.Item})
}

// Load reads a scorer from a model file. The caller reads the parameters of the loss.
func Load(f *modelfile.File, items int, l Loss) (*Scorer, error) {
	var k header
	if err := f.JSON(fitting.FileKey, &k); err != nil {
		return nil, err
	}
	if k.Hidden < 0 || k.Hidden > 1<<20 || k.Steps < 0 || k.Steps > 1<<20 || !(k.UserPrior >= 0) || !(k.BiasPrior >= 0) || !(k.Rate >= 0) {
		return nil, fmt.Errorf("a file with %+v makes no sense", k)
	}
	if l, more := l.(KeptLoss); more {
		if err := f.JSON("loss", l.Kept()); err != nil {
			return nil, err
		}
	}
	// The arrays come first: their sizes are checked before anything is allocated.
	r := modelfile.Reader{File: f}
	var vectors, mean []float64
	modelfile.Into(&r, &vectors, "vectors", items, k.Hidden+2)
	modelfile.Into(&r, &mean, "mean", k.Hidden+2)
	if r.Err != nil {
		return nil, r.Err
	}
	s := newScorer(Options{Hidden: k.Hidden, Rate: k.Rate, UserPrior: k.UserPrior, BiasPrior: k.BiasPrior}, Biases{k.UserBias, k.ItemBias}, l)
	s.steps, s.items, s.mean = k.Steps, vectors, mean
	return &s, nil
}

// Loss is the loss of one row of ratings as a function of the scores.
type Loss interface {
	// Of returns the loss of scores for values and writes its derivative by each score into slope. It adds that by the
	// shared parameters, if there are any, to shared, unless that is nil. Several goroutines call it at once.
	Of(values []float32, scores, slope, shared []float64, row *Row) float64
}

// SharedParameters is a loss with parameters that all rows share.
type SharedParameters interface {
	// Parameters are the current values; the learner changes them in place.
	Parameters() []float64
}

// KeptLoss is a loss with constants that belong in the model file.
type KeptLoss interface {
	// Kept is a pointer to the constants, for encoding as JSON.
	Kept() any
}

// Row is the context of one row of ratings: its user, its items and its random stream.
type Row struct {
	User  int      // in the training set; negative for somebody who is folded in
	Items []uint32 // beside their values

	run  fitting.Run
	rand *rng.Rand
}

// NewRow returns the row of a user in an epoch.
func NewRow(run fitting.Run, user, epoch int, items []uint32) *Row {
	r := new(Row)
	r.enter(run, user, epoch, items)
	return r
}

// enter makes it the row of a user in an epoch.
func (r *Row) enter(run fitting.Run, user, epoch int, items []uint32) {
	if r.rand == nil {
		r.rand = rng.Stream(0, "")
	}
	r.run, r.User, r.Items = run, user, items
	if user < 0 {
		r.rand.Reseed(run.Seed, "somebody")
		return
	}
	r.rand.Reseed(run.Seed, "user row", run.UserNumber(user), uint64(epoch))
}

// RandomKeys draws a number in [0, 1) for each rating, for breaking ties; with fixed, the same number in every epoch. A
// number depends on the item, not on its place in the row.
func (r *Row) RandomKeys(fixed bool) []float64 {
	if fixed && r.User >= 0 {
		r.rand.Reseed(r.run.Seed, "user ties", r.run.UserNumber(r.User))
	}
	key, keys := r.rand.Uint64(), make([]float64, len(r.Items))
	for k, i := range r.Items {
		// The finish of SplitMix64 (Steele, Lea and Flood 2014) on a counter.
		z := key + (r.run.ItemNumber(int(i))+1)*0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		keys[k] = float64((z^z>>31)>>11) / (1 << 53)
	}
	return keys
}
