package votes

import (
	"math"
	"slices"
)

// Merged puts equal votes together and adds up their weights: the same items in the same places, the same tiers, rater and
// covariates. The votes keep the order, and the line, of the first of each kind.
func (s *Set) Merged() *Set {
	m := *s
	m.Start, m.Item, m.Tier, m.Weight, m.Rater, m.Line, m.Place, m.Vote = []int32{0}, nil, nil, nil, nil, nil, nil, nil
	same := map[uint64]int32{} // the last merged vote of each hash
	var before []int32         // the merged vote of the same hash before it, or -1
	for v := range s.Len() {
		h := s.hash(v)
		last, known := same[h]
		if !known {
			last = -1
		}
		at := last
		for at >= 0 && !m.equal(int(at), s, v) {
			at = before[at]
		}
		if at >= 0 {
			m.Weight[at] += s.Weight[v]
			continue
		}
		same[h] = int32(m.Len())
		before = append(before, last)
		items, tiers := s.At(v)
		m.Item, m.Tier = append(m.Item, items...), append(m.Tier, tiers...)
		m.Start = append(m.Start, int32(len(m.Item)))
		m.Weight, m.Line = append(m.Weight, s.Weight[v]), append(m.Line, s.Line[v])
		if s.Rater != nil {
			m.Rater = append(m.Rater, s.Rater[v])
		}
		m.Place, m.Vote = append(m.Place, s.placeRows(v)...), append(m.Vote, s.voteRow(v)...)
	}
	return &m
}

// placeRows are the covariates of all places of a vote, voteRow those of the vote.
func (s *Set) placeRows(v int) []float64 {
	width := len(s.PlaceColumns)
	return s.Place[int(s.Start[v])*width : int(s.Start[v+1])*width]
}

func (s *Set) voteRow(v int) []float64 {
	width := len(s.VoteColumns)
	return s.Vote[v*width : (v+1)*width]
}

func (s *Set) equal(v int, other *Set, w int) bool {
	items, tiers := s.At(v)
	otherItems, otherTiers := other.At(w)
	return slices.Equal(items, otherItems) && slices.Equal(tiers, otherTiers) &&
		(s.Rater == nil || s.Rater[v] == other.Rater[w]) &&
		slices.Equal(s.placeRows(v), other.placeRows(w)) && slices.Equal(s.voteRow(v), other.voteRow(w))
}

// hash mixes all that equal compares.
func (s *Set) hash(v int) uint64 {
	h := uint64(1)
	mix := func(x uint64) {
		h = (h ^ x) * 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
		h ^= h >> 29
	}
	items, tiers := s.At(v)
	for k, item := range items {
		mix(uint64(item)<<32 | uint64(tiers[k]))
	}
	if s.Rater != nil {
		mix(uint64(s.Rater[v]))
	}
	for _, row := range [][]float64{s.placeRows(v), s.voteRow(v)} {
		for _, x := range row {
			mix(math.Float64bits(x + 0)) // the two zeros are one value
		}
	}
	return h
}
