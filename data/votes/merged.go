package votes

import (
	"math"
	"math/bits"
	"slices"
)

// Merged puts equal votes together and adds up their weights: the same items in the same places, the same tiers, rater and
// covariates. The votes keep the order, and the line, of the first of each kind; the counts stay those of reading.
func (s *Set) Merged() *Set {
	m := *s
	m.Start, m.Item, m.Tier, m.Weight, m.Rater, m.Line, m.Place, m.Vote = []int32{0}, nil, nil, nil, nil, nil, nil, nil
	// A hash table with open places: merged votes, counted from 1, where their hash says or behind; at most half full.
	table := make([]int32, 1<<bits.Len(uint(2*s.Len())))
	mask := uint64(len(table) - 1)
	var hashes []uint64 // of the merged votes
	for v := range s.Len() {
		h := s.hash(v)
		at := h & mask
		for table[at] > 0 && (hashes[table[at]-1] != h || !m.equal(int(table[at]-1), s, v)) {
			at = (at + 1) & mask
		}
		if table[at] > 0 {
			m.Weight[table[at]-1] += s.Weight[v]
			continue
		}
		hashes = append(hashes, h)
		table[at] = int32(len(hashes))
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
