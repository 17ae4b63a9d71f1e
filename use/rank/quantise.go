package rank

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"fubini/core/partition"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Quantiser quantises an embedding to a few bits for each unit: 2^bits intervals of equal width
// over the range of the unit among some people. The ranges belong to the model, not to a list.
// See docs/maths.md#quantised.
type Quantiser struct {
	low, width []float64 // of each unit
	steps      int
}

// MostBits is the largest number of bits of a unit.
const MostBits = 16

// NewQuantiser returns a quantiser with the ranges of the given embeddings.
func NewQuantiser(embeddings [][]float64, bits int) (*Quantiser, error) {
	if len(embeddings) == 0 || bits < 1 || bits > MostBits {
		return nil, fmt.Errorf("rank: %d bits a unit from the embeddings of %d people; there must be 1 to %d bits and at least one person", bits, len(embeddings), MostBits)
	}
	k := len(embeddings[0])
	q := &Quantiser{low: make([]float64, k), width: make([]float64, k), steps: 1 << bits}
	for j := range k {
		low, high := math.Inf(1), math.Inf(-1)
		for _, embedding := range embeddings {
			low, high = min(low, embedding[j]), max(high, embedding[j])
		}
		q.low[j], q.width[j] = low, (high-low)/float64(q.steps)
	}
	return q, nil
}

// Encode writes the number of the interval of each unit; beyond the range, the nearest.
func (q *Quantiser) Encode(embedding []float64, codes []int) {
	for j, v := range embedding {
		codes[j] = 0
		if q.width[j] > 0 {
			codes[j] = min(q.steps-1, max(0, int((v-q.low[j])/q.width[j])))
		}
	}
}

// Decode writes the midpoint of each interval.
func (q *Quantiser) Decode(codes []int, embedding []float64) {
	for j, code := range codes {
		embedding[j] = q.low[j] + (float64(code)+0.5)*q.width[j]
	}
}

// Compressed is the mean loss over lists that are reconstructed from quantised embeddings.
type Compressed struct {
	Bits     int     // a unit; 0 for no embedding at all, -1 for the embedding as it is
	Coded    float64 // bits a list, by the entropy of every unit's steps over the lists
	Distance float64 // share of pairs that differ in the order rebuilt
	Tied     float64 // and in the tier list rebuilt, with the number of tiers known
}

// Compress reconstructs lists from their embeddings, quantised to 0, 1, ..., most bits a unit
// and unquantised. Ranges and entropies are those of these lists.
func Compress(c *latent.Catalogue, lists []osm.List, embeddings [][]float64, most int) ([]Compressed, error) {
	if len(embeddings) != len(lists) {
		return nil, fmt.Errorf("rank: embeddings of %d people for %d lists", len(embeddings), len(lists))
	}
	var rows []Compressed
	for bits := -1; bits <= most; bits++ {
		row, rough := Compressed{Bits: bits, Coded: math.NaN()}, embeddings
		if bits >= 0 {
			var err error
			if rough, row.Coded, err = quantised(c, embeddings, bits); err != nil {
				return nil, err
			}
		}
		if err := row.measure(c, lists, rough); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return append(rows[1:], rows[0]), nil
}

// quantised are embeddings after coding by a number of bits a unit, and the bits that a list takes.
func quantised(c *latent.Catalogue, embeddings [][]float64, bits int) (rough [][]float64, coded float64, err error) {
	rough, codes := make([][]float64, len(embeddings)), make([][]int, len(embeddings))
	if bits == 0 {
		for n := range rough {
			rough[n] = c.Unknown()
		}
		return rough, 0, nil
	}
	q, err := NewQuantiser(embeddings, bits)
	if err != nil {
		return nil, 0, err
	}
	for n, embedding := range embeddings {
		rough[n], codes[n] = make([]float64, c.K), make([]int, c.K)
		q.Encode(embedding, codes[n])
		q.Decode(codes[n], rough[n])
	}
	for j := range c.K {
		coded += entropy(codes, j)
	}
	return rough, coded, nil
}

// measure rebuilds all lists.
func (row *Compressed) measure(c *latent.Catalogue, lists []osm.List, embeddings [][]float64) error {
	for n, list := range lists {
		_, order, err := Reconstruct(c, embeddings[n], list.Items)
		if err != nil {
			return err
		}
		row.Distance += partition.Distance(order, list.Order) / float64(len(lists))
		if order, err = Rebuild(c, embeddings[n], list.Items, list.Order.Len()); err != nil {
			return err
		}
		row.Tied += partition.Distance(order, list.Order) / float64(len(lists))
	}
	return nil
}

// entropy of one unit's steps, in bits.
func entropy(codes [][]int, unit int) (bits float64) {
	count := map[int]int{}
	for _, each := range codes {
		count[each[unit]]++
	}
	for _, step := range slices.Sorted(maps.Keys(count)) { // in order, so that the sum is the same on every run
		p := float64(count[step]) / float64(len(codes))
		bits -= p * math.Log2(p)
	}
	return bits
}
