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

// MostBits is the largest number of bits of a unit.
const MostBits = 16

// Quantise rounds embeddings to a few bits for each unit: to the midpoints of 2^bits intervals of equal width over the
// range of the unit. It also returns the mean code length of an embedding, in bits, by the entropy of each unit's
// intervals. See docs/maths.md#quantised.
func Quantise(embeddings [][]float64, bits int) (rough [][]float64, length float64, err error) {
	if len(embeddings) == 0 || bits < 1 || bits > MostBits {
		return nil, 0, fmt.Errorf("rank: %d bits a unit from the embeddings of %d people; there must be 1 to %d bits and at least one person", bits, len(embeddings), MostBits)
	}
	rough = make([][]float64, len(embeddings))
	steps := 1 << bits
	for j := range embeddings[0] {
		low, high := math.Inf(1), math.Inf(-1)
		for _, embedding := range embeddings {
			low, high = min(low, embedding[j]), max(high, embedding[j])
		}
		width, count := (high-low)/float64(steps), map[int]int{}
		for n, embedding := range embeddings {
			code := 0
			if width > 0 {
				code = min(steps-1, int((embedding[j]-low)/width))
			}
			count[code]++
			rough[n] = append(rough[n], low+(float64(code)+0.5)*width)
		}
		var entropy float64
		for _, code := range slices.Sorted(maps.Keys(count)) { // in order, so that the sum is the same on every run
			p := float64(count[code]) / float64(len(embeddings))
			entropy -= p * math.Log2(p)
		}
		length += entropy
	}
	return rough, length, nil
}

// Compressed is the mean loss over lists that are reconstructed from quantised embeddings.
type Compressed struct {
	Bits     int     // a unit; 0 for no embedding at all, -1 for the embedding as it is
	Coded    float64 // bits a list, by the entropy of every unit's steps over the lists
	Distance float64 // share of pairs that differ in the reconstructed order
	Tied     float64 // share of pairs that differ in the reconstructed tier list, given its number of tiers
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
		var err error
		if bits == 0 {
			row.Coded, rough = 0, slices.Repeat([][]float64{c.PriorMeans()}, len(lists))
		} else if bits > 0 {
			if rough, row.Coded, err = Quantise(embeddings, bits); err != nil {
				return nil, err
			}
		}
		for n, list := range lists {
			_, order, err := Reconstruct(c, rough[n], list.Items)
			if err != nil {
				return nil, err
			}
			row.Distance += partition.Distance(order, list.Order) / float64(len(lists))
			if order, err = Rebuild(c, rough[n], list.Items, list.Order.Len()); err != nil {
				return nil, err
			}
			row.Tied += partition.Distance(order, list.Order) / float64(len(lists))
		}
		rows = append(rows, row)
	}
	return append(rows[1:], rows[0]), nil
}
