package plpa

import (
	"fmt"
	"math"
	"slices"

	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// fitted scores an item by its mean worth over the classes of a person.
type fitted struct {
	classes   int
	worth     []float64 // theta of item i and class z at i*classes+z
	gamma     []float64 // e^theta
	share     []float64 // P(z), over all users
	order     []uint32  // random order of items: neighbours in a long list are compared
	smoothing float64
	users     []float64 // P(z|u) at u*classes+z; nil in a model from a file
	known     []bool    // users with a pair to learn from
}

// Score implements [model.Model].
func (m *fitted) Score(p model.Person, items []uint32, scores []float64) {
	var mix []float64
	if p.Index >= 0 && p.Index < len(m.known) && m.known[p.Index] {
		mix = m.users[p.Index*m.classes:][:m.classes]
	} else {
		mix = m.shares(p.Known)
	}
	for k, i := range items {
		scores[k] = 0
		for z, w := range m.worth[int(i)*m.classes:][:m.classes] {
			scores[k] += mix[z] * w
		}
	}
}

// shares estimates P(z|u) by EM with the classes fixed. The penalised likelihood is concave: any start will do.
func (m *fitted) shares(known ratings.Row) []float64 {
	pairs := pairsOf(known, m.order, nil)
	if len(pairs) == 0 {
		return m.share
	}
	// chance of each pair under each class
	chance := make([]float64, 0, len(pairs)*m.classes)
	for _, pair := range pairs {
		better, worse := m.gamma[int(known.Items[pair.better])*m.classes:], m.gamma[int(known.Items[pair.worse])*m.classes:]
		for z := range m.classes {
			chance = append(chance, better[z]/(better[z]+worse[z]))
		}
	}
	const steps, enough = 200, 1e-7
	mix, count := slices.Clone(m.share), make([]float64, m.classes)
	for range steps {
		clear(count)
		for at := 0; at < len(chance); at += m.classes {
			row := chance[at:][:m.classes]
			var total float64
			for z, c := range row {
				total += mix[z] * c
			}
			for z, c := range row {
				count[z] += c / total
			}
		}
		for z := range count {
			count[z] *= mix[z]
		}
		if updateShares(mix, count, m.imagined(len(pairs))) < enough {
			break
		}
	}
	return mix
}

// imagined is the number of pseudo-pairs of each class, the Dirichlet prior of somebody with n pairs. It grows with n
// because the pairs of one list depend on each other.
func (m *fitted) imagined(n int) float64 {
	return m.smoothing * float64(n) / float64(m.classes)
}

// updateShares sets P(z|u) to its mode given the expected number of pairs of every class and the pseudo-pairs of the
// prior. It returns the largest change.
func updateShares(mix, count []float64, imagined float64) (moved float64) {
	var total float64
	for _, c := range count {
		total += c + imagined
	}
	for z, c := range count {
		next := (c + imagined) / total
		moved = max(moved, math.Abs(next-mix[z]))
		mix[z] = next
	}
	return moved
}

// exponentiate sets gamma.
func (m *fitted) exponentiate() {
	m.gamma = fitting.Resize(m.gamma, len(m.worth))
	for k, w := range m.worth {
		m.gamma[k] = math.Exp(w)
	}
}

// header has the numbers in a file beside its arrays.
type header struct {
	Classes   int     `json:"classes"`
	Smoothing float64 `json:"smoothing"`
}

// Save implements [model.Model].
func (m *fitted) Save(f *modelfile.File) error {
	modelfile.Set(f, "worths", m.worth, len(m.order), m.classes)
	modelfile.Set(f, "shares", m.share, m.classes)
	modelfile.Set(f, "order", m.order, len(m.order))
	return f.SetJSON(fitting.FileKey, header{m.classes, m.smoothing})
}

// Load implements [model.Recipe].
func (*Recipe) Load(f *modelfile.File, items int) (model.Model, error) {
	var scalars header
	if err := f.JSON(fitting.FileKey, &scalars); err != nil {
		return nil, fmt.Errorf("plpa: %w", err)
	}
	if scalars.Classes < 1 || !(scalars.Smoothing > 0) {
		return nil, fmt.Errorf("plpa: the file has %d classes and smoothing %g", scalars.Classes, scalars.Smoothing)
	}
	m := &fitted{classes: scalars.Classes, smoothing: scalars.Smoothing}
	r := modelfile.Reader{File: f}
	modelfile.Into(&r, &m.worth, "worths", items, m.classes)
	modelfile.Into(&r, &m.share, "shares", m.classes)
	if modelfile.Into(&r, &m.order, "order", items); r.Err != nil {
		return nil, fmt.Errorf("plpa: %w", r.Err)
	}
	if slices.Min(m.share) <= 0 {
		return nil, fmt.Errorf("plpa: a share of %g in the file", slices.Min(m.share))
	}
	for _, w := range m.worth {
		if math.Abs(w) > 300 { // e to twice that is still a number
			return nil, fmt.Errorf("plpa: a worth of %g in the file", w)
		}
	}
	m.exponentiate()
	return m, nil
}

// Dim is the number of classes: the vector of a person has their shares.
func (m *fitted) Dim() int { return m.classes }

// ItemVector writes the worths of an item around their mean, and returns the mean, the offset of the item.
func (m *fitted) ItemVector(item uint32, vector []float64) (offset float64) {
	copy(vector, m.worth[int(item)*m.classes:][:m.classes])
	offset = fitting.Dot(vector, m.share)
	for z := range vector {
		vector[z] -= offset
	}
	return offset
}

// PersonVector writes the shares of the classes of a person.
func (m *fitted) PersonVector(known ratings.Row, vector []float64) { copy(vector, m.shares(known)) }
