package rival

import (
	"math"

	"fubini/data/ratings"
)

// VectorModel is a model in which people and items are vectors. Its order of items
// for somebody is that of an offset of each item and the inner product of two
// vectors; scores are that themselves, but for what is the same for all items of a
// person, or for a function that rises.
type VectorModel interface {
	Model
	// Dim is how many numbers a vector has.
	Dim() int
	// ItemVector writes the vector of an item and returns its offset.
	ItemVector(item uint32, vector []float64) (offset float64)
	// PersonVector writes the vector of somebody who is folded in from what is known
	// of them; if that is nothing, the one behind the general order.
	PersonVector(known ratings.Row, vector []float64)
}

// Dim implements [VectorModel].
func (s *factorScorer) Dim() int { return s.hidden }

// ItemVector implements [VectorModel].
func (s *factorScorer) ItemVector(item uint32, vector []float64) float64 {
	row := s.itemVector(int(item))
	copy(vector, row[:s.hidden])
	return row[s.hidden+1] * one(s.has.Item)
}

// PersonVector implements [VectorModel].
func (s *factorScorer) PersonVector(known ratings.Row, vector []float64) {
	s.withPerson(known, func(person []float64) { copy(vector, person[:s.hidden]) })
}

// PersonVector implements [VectorModel].
func (s ridgeScorer) PersonVector(known ratings.Row, vector []float64) {
	s.withPerson(known, func(person []float64) { copy(vector, person[:s.hidden]) })
}

// Dim implements [VectorModel].
func (m *cofiModel) Dim() int { return m.Hidden }

// ItemVector implements [VectorModel].
func (m *cofiModel) ItemVector(item uint32, vector []float64) float64 {
	row := m.item[m.itemRow[item]*m.stride():][:m.stride()]
	copy(vector, row[:m.Hidden])
	return row[m.Hidden]
}

// PersonVector implements [VectorModel].
func (m *cofiModel) PersonVector(known ratings.Row, vector []float64) {
	if known.Len() == 0 {
		clear(vector)
		return
	}
	w := m.worker()
	defer m.workers.Put(w)
	copy(vector, w.foldIn(Person{Index: -1, Known: known})[:m.Hidden])
}

// Dim implements [VectorModel]: a person is the shares of the classes.
func (m *plpaModel) Dim() int { return m.classes }

// ItemVector implements [VectorModel]. Shares sum to 1, so what an item has in all
// classes is its offset.
func (m *plpaModel) ItemVector(item uint32, vector []float64) (offset float64) {
	copy(vector, m.worth[int(item)*m.classes:][:m.classes])
	offset = dot(vector, m.share)
	for z := range vector {
		vector[z] -= offset
	}
	return offset
}

// PersonVector implements [VectorModel].
func (m *plpaModel) PersonVector(known ratings.Row, vector []float64) {
	copy(vector, m.share)
	if known.Len() > 1 {
		copy(vector, m.foldIn(known))
	}
}

// Dim implements [VectorModel]. A draw may turn all vectors as it likes, so that those
// of different draws cannot be added up. One behind the other, over the root of their
// number, their inner product is the mean over the draws, which does not depend on
// how each is turned.
func (f *bayesModel) Dim() int { return f.kept * (f.width - 1) }

// ItemVector implements [VectorModel].
func (f *bayesModel) ItemVector(item uint32, vector []float64) (offset float64) {
	for draw := range f.kept {
		row := f.vector(f.items, int(item), draw)
		offset += float64(row[0]) / float64(f.kept)
		f.share(draw, row, vector)
	}
	return offset
}

// PersonVector implements [VectorModel].
func (f *bayesModel) PersonVector(known ratings.Row, vector []float64) {
	t := f.enter(Person{Index: -1, Known: known})
	defer f.tastes.Put(t)
	for draw := range f.kept {
		f.share(draw, t.vectors[draw*f.width:(draw+1)*f.width], vector)
	}
}

// share writes what a draw has in a vector of all draws.
func (f *bayesModel) share(draw int, row []float32, vector []float64) {
	to := vector[draw*(f.width-1):]
	for k, x := range row[1:] {
		to[k] = float64(x) / math.Sqrt(float64(f.kept))
	}
}
