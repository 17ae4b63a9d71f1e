package rank

import (
	"fmt"
	"math"

	"fubini/core/partition"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Quantiser writes a taste with a few bits for each unit: 2^bits steps of equal width
// over the range that the unit has in a crowd. The ranges belong to the model, not to
// a list. See docs/maths.md#quantised.
type Quantiser struct {
	low, width []float64 // of each unit
	steps      int
}

// MostBits is how many bits a unit may have.
const MostBits = 16

// NewQuantiser takes the ranges from some tastes.
func NewQuantiser(tastes [][]float64, bits int) (*Quantiser, error) {
	if len(tastes) == 0 || bits < 1 || bits > MostBits {
		return nil, fmt.Errorf("rank: %d bits a unit from the tastes of %d people; there must be 1 to %d bits, and somebody", bits, len(tastes), MostBits)
	}
	k := len(tastes[0])
	q := &Quantiser{low: make([]float64, k), width: make([]float64, k), steps: 1 << bits}
	for j := range k {
		low, high := math.Inf(1), math.Inf(-1)
		for _, taste := range tastes {
			low, high = min(low, taste[j]), max(high, taste[j])
		}
		q.low[j], q.width[j] = low, (high-low)/float64(q.steps)
	}
	return q, nil
}

// Encode writes the step of each unit; beyond the range it is the nearest.
func (q *Quantiser) Encode(taste []float64, codes []int) {
	for j, v := range taste {
		codes[j] = 0
		if q.width[j] > 0 {
			codes[j] = min(q.steps-1, max(0, int((v-q.low[j])/q.width[j])))
		}
	}
}

// Decode writes the middle of each step.
func (q *Quantiser) Decode(codes []int, taste []float64) {
	for j, code := range codes {
		taste[j] = q.low[j] + (float64(code)+0.5)*q.width[j]
	}
}

// Compressed is what lists are like that went through a quantised taste. Means are
// over the lists.
type Compressed struct {
	Bits     int     // a unit; 0 for no taste at all, -1 for the taste as it is
	Coded    float64 // bits a list, by the entropy of every unit's steps over the lists
	Distance float64 // share of pairs that differ in the order rebuilt
	Tied     float64 // and in the tier list rebuilt, the number of tiers being told
}

// Compress rebuilds lists from their tastes in 0, 1, ... most bits a unit, and from
// the tastes as they are. Ranges and entropies are those of these lists.
func Compress(c *latent.Catalogue, lists []osm.List, tastes [][]float64, most int) ([]Compressed, error) {
	if len(tastes) != len(lists) {
		return nil, fmt.Errorf("rank: tastes of %d people for %d lists", len(tastes), len(lists))
	}
	var rows []Compressed
	for bits := 0; bits <= most; bits++ {
		row := Compressed{Bits: bits}
		rough := make([][]float64, len(lists))
		codes := make([][]int, len(lists))
		if bits == 0 {
			for n := range rough {
				rough[n] = c.Unknown()
			}
		} else {
			q, err := NewQuantiser(tastes, bits)
			if err != nil {
				return nil, err
			}
			for n, taste := range tastes {
				rough[n], codes[n] = make([]float64, c.K), make([]int, c.K)
				q.Encode(taste, codes[n])
				q.Decode(codes[n], rough[n])
			}
			for j := range c.K {
				row.Coded += entropy(codes, j)
			}
		}
		if err := row.measure(c, lists, rough); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	whole := Compressed{Bits: -1, Coded: math.NaN()}
	if err := whole.measure(c, lists, tastes); err != nil {
		return nil, err
	}
	return append(rows, whole), nil
}

// measure rebuilds all lists.
func (row *Compressed) measure(c *latent.Catalogue, lists []osm.List, tastes [][]float64) error {
	for n, list := range lists {
		_, order, err := Reorder(c, tastes[n], list.Items)
		if err != nil {
			return fmt.Errorf("rank: %w", err)
		}
		row.Distance += partition.Distance(order, list.Order) / float64(len(lists))
		if order, err = Rebuild(c, tastes[n], list.Items, list.Order.Len()); err != nil {
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
	// By step, so that the sum is the same on every run.
	for step := 0; len(count) > 0; step++ {
		if n := count[step]; n > 0 {
			p := float64(n) / float64(len(codes))
			bits -= p * math.Log2(p)
			delete(count, step)
		}
	}
	return bits
}
