// Package picks has baselines of interest: they score an item by how well it goes with the items of a person's list, and
// so by the chance that the person would pick it. Where ratings are used at all, they weigh the items of the list.
//
// [Popularity] counts picks. [Neighbours] adds up the similarities of an item to those of the list; with a decay, the
// latest items of the list count most. [EASE] has the regressions of every item on all others. [IALS] and [BPR] are factor
// models of picks.
package picks

import (
	"fmt"
	"slices"

	"fubini/core/setting"
	"fubini/data/ratings"
)

// Weights are the weights of the items of a list.
type Weights int

// Every item of a list has weight 1 (Equal); or a weight by its rating, from 0.1 at the bottom of the scale to 1 at its top
// (Graded); or only items with a rating in the upper quarter of the scale, 4 and 5 of 1 to 5, are in the list (Liked).
const (
	Equal Weights = iota
	Graded
	Liked
)

func (w *Weights) setting(own Weights) setting.Setting {
	return setting.Choice(w, own, setting.Setting{Name: "weights", Means: "weights of the items of a list: equal, graded by their ratings, or liked, only those rated 4 of 5 or more"}, "equal", "graded", "liked")
}

// scale is that of the weights.
type scale struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Liked bool    `json:"liked,omitempty"`
}

// scaleOf is the range of ratings; with equal weights it is empty.
func scaleOf(set *ratings.Set, w Weights) scale {
	if w == Equal {
		return scale{}
	}
	low, high := set.Range()
	return scale{low, high, w == Liked}
}

// likedFrom is the lowest rating of a liked item.
func (s scale) likedFrom() float64 { return s.Low + 0.75*(s.High-s.Low) }

// of is the weight of a rating; 0 for an item that does not count as one of the list.
func (s scale) of(value float32) float64 {
	switch {
	case !(s.High > s.Low):
		return 1
	case s.Liked && float64(value) < s.likedFrom():
		return 0
	case s.Liked:
		return 1
	}
	const least = 0.1 // of the lowest rating: it was picked all the same
	return max(least, min(1, least+(1-least)*(float64(value)-s.Low)/(s.High-s.Low)))
}

// listed are the ratings whose items count: all, or those of liked items.
func (s scale) listed(set *ratings.Set) *ratings.Set {
	if !s.Liked || !(s.High > s.Low) {
		return set
	}
	return set.From(s.likedFrom())
}

// none is whether no item of a list counts.
func (s scale) none(known ratings.Row) bool {
	return !slices.ContainsFunc(known.Values, func(v float32) bool { return s.of(v) > 0 })
}

// factors is the number of factors in use: 64 if none is set, or as many as there are items or people if that is less.
func factors(hidden int, s *ratings.Set) (int, error) {
	if hidden == setting.Auto {
		hidden = min(64, s.Items().Len(), s.Users().Len())
	}
	if hidden < 1 || hidden > s.Items().Len() {
		return 0, fmt.Errorf("hidden %d must be 1 to %d, the number of items", hidden, s.Items().Len())
	}
	return hidden, nil
}
