// Package picks has baselines of interest: they score an item by how well it goes with the items of a person's list, and
// so by the chance that the person would pick it. Where ratings are used at all, they weigh the items of the list.
//
// [Popularity] counts picks. [Neighbours] adds up the similarities of an item to those of the list; with a decay, the
// latest items of the list count most. [IALS] and [BPR] are factor models of picks.
package picks

import (
	"fmt"

	"fubini/core/setting"
	"fubini/data/ratings"
)

// Weights are the weights of the items of a list.
type Weights int

// Every item of a list has weight 1, or a weight by its rating: 1 for the top of the scale, and for every other
// rating its share of it, counted from half a step below the bottom.
const (
	Equal Weights = iota
	Graded
)

func (w *Weights) setting(own Weights) setting.Setting {
	return setting.Choice(w, own, setting.Setting{Name: "weights", Means: "weights of the items of a list: equal, or graded by their ratings"}, "equal", "graded")
}

// scale is that of the weights.
type scale struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// scaleOf is the range of ratings; without graded weights it is empty.
func scaleOf(set *ratings.Set, w Weights) scale {
	if w == Equal {
		return scale{}
	}
	low, high := set.Range()
	return scale{low, high}
}

// of is the weight of a rating.
func (s scale) of(value float32) float64 {
	if !(s.High > s.Low) {
		return 1
	}
	const least = 0.1 // of the lowest rating: it was picked all the same
	return max(least, min(1, least+(1-least)*(float64(value)-s.Low)/(s.High-s.Low)))
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
