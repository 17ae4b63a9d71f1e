package ballot

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Votes is the input of a fit, flat as package data/votes reads it: vote v has the items
// Item[Start[v]:Start[v+1]] in the tiers Tier at the same places, 0 the best.
type Votes struct {
	Start, Item, Tier []int32
	Weight            []float64
	Rater             []int32   // nil without raters
	Place             []float64 // covariates of each entry of Item
	Vote              []float64 // covariates of each vote
}

// Data is votes in groups: those on the same items, with the same covariates and rater, have the same distribution.
type Data struct {
	Design
	Layout
	Weight float64 // of all votes

	votes  Votes   // with the items of each vote in ascending order
	Groups []Group // those of one rater stand together; one more, without votes, is the end
	Orders []Order // of one group after the other
	Parts  []int   // first group of each part of the work, and the end; a rater is in one part
}

// Group is the votes of one distribution: those for Orders[First] up to the First of the next group.
type Group struct {
	Vote, First int32 // the first vote, and the first order
	Weight      float64
}

// Order is one outcome, that of a vote, and the weight of all votes for it.
type Order struct {
	Vote   int32
	Weight float64
}

// ErrNoComparison is the error of votes of which none is on two items or more.
var ErrNoComparison = errors.New("fit: no vote compares two items")

// Gather checks votes against a design and puts those with the same distribution together. The error of a bad vote
// has its number, from 1.
func Gather(d Design, votes Votes) (*Data, error) {
	votes.Item, votes.Tier, votes.Place = slices.Clone(votes.Item), slices.Clone(votes.Tier), slices.Clone(votes.Place)
	if d.Raters == 0 && !d.Cluster {
		votes.Rater = nil
	}
	if d.Choices {
		if d.tieSizes = tieSizes(&votes, d.tieSizes); d.tieSizes == nil {
			d.Space = WithoutTies
		}
	}
	data := &Data{Design: d, Layout: d.Layout(), votes: votes}
	cast := make([]Order, 0, len(votes.Weight))
	for v, weight := range votes.Weight {
		data.sort(int32(v))
		if err := data.checkVote(int32(v)); err != nil {
			return nil, &VoteError{v, err}
		}
		if votes.Start[v+1]-votes.Start[v] > 1 { // one item has one order
			cast = append(cast, Order{int32(v), weight})
		}
	}
	if len(cast) == 0 {
		return nil, ErrNoComparison
	}
	for _, o := range cast {
		data.Slots = data.Slots || !data.Choices && len(data.ItemsOf(o.Vote)) > MaxItems
	}
	data.gather(cast)
	return data, nil
}

// gather puts votes with the same distribution into groups, and those with the same outcome into orders; of has the
// order of each.
func (d *Data) gather(cast []Order) (of []int32) {
	sorted := make([]key, len(cast))
	for k, c := range cast {
		sorted[k] = d.key(c.Vote, int32(k))
	}
	slices.SortFunc(sorted, func(a, b key) int {
		if a.rater != b.rater || a.items != b.items {
			return cmp.Or(cmp.Compare(a.rater, b.rater), cmp.Compare(a.items, b.items))
		}
		if !a.whole {
			x, y := cast[a.at].Vote, cast[b.at].Vote
			if by := cmp.Or(d.compare(x, y), slices.Compare(d.TiersOf(x), d.TiersOf(y))); by != 0 {
				return by
			}
		}
		return cmp.Or(cmp.Compare(a.tiers, b.tiers), cmp.Compare(a.at, b.at))
	})
	of = make([]int32, len(cast))
	d.Weight, d.Groups, d.Orders = 0, nil, nil
	for k, c := range sorted {
		v, weight := cast[c.at].Vote, cast[c.at].Weight
		if k == 0 || d.compare(cast[sorted[k-1].at].Vote, v) != 0 {
			d.Groups = append(d.Groups, Group{Vote: v, First: int32(len(d.Orders))})
			d.Orders = append(d.Orders, Order{Vote: v})
		} else if !slices.Equal(d.TiersOf(d.Orders[len(d.Orders)-1].Vote), d.TiersOf(v)) {
			d.Orders = append(d.Orders, Order{Vote: v})
		}
		d.Weight += weight
		d.Groups[len(d.Groups)-1].Weight += weight
		d.Orders[len(d.Orders)-1].Weight += weight
		of[c.at] = int32(len(d.Orders) - 1)
	}
	d.Groups = append(d.Groups, Group{First: int32(len(d.Orders))}) // the end
	d.divide()
	return of
}

// key is what votes are sorted by: rater and number of items, the first two items, and for pairs without covariates, of
// which that is the whole, the tiers.
type key struct {
	rater, items uint64
	tiers        uint32
	whole        bool
	at           int32
}

func (d *Data) key(v, at int32) key {
	items, tiers := d.ItemsOf(v), d.TiersOf(v)
	k := key{rater: uint64(d.RaterOf(v)+1)<<32 | uint64(len(items)), items: uint64(items[0])<<32 | uint64(items[1]), at: at}
	if k.whole = len(items) == 2 && len(d.Places)+len(d.Votes) == 0; k.whole && tiers[0] != tiers[1] {
		k.tiers = 1
		if tiers[0] < tiers[1] {
			k.tiers = 2
		}
	}
	return k
}

// VoteError is the reason why a vote cannot be fitted.
type VoteError struct {
	Vote int // from 0
	Err  error
}

// Error implements error.
func (e *VoteError) Error() string { return fmt.Sprintf("fit: vote %d: %v", e.Vote+1, e.Err) }

// Unwrap is the reason.
func (e *VoteError) Unwrap() error { return e.Err }

// ItemsOf are the items of a vote, ascending.
func (d *Data) ItemsOf(v int32) []int32 { return d.votes.Item[d.votes.Start[v]:d.votes.Start[v+1]] }

// TiersOf are the tiers of the same items, 0 the best.
func (d *Data) TiersOf(v int32) []int32 { return d.votes.Tier[d.votes.Start[v]:d.votes.Start[v+1]] }

// PlaceOf are the covariates of the places of a vote, row by row.
func (d *Data) PlaceOf(v int32) []float64 {
	c := int32(len(d.Places))
	return d.votes.Place[d.votes.Start[v]*c : d.votes.Start[v+1]*c]
}

// vote are the covariates of a vote as a whole.
func (d *Data) vote(v int32) []float64 {
	c := int32(len(d.Votes))
	return d.votes.Vote[v*c : (v+1)*c]
}

// RaterOf is the rater of a vote, -1 where it does not matter.
func (d *Data) RaterOf(v int32) int32 {
	if d.votes.Rater == nil {
		return -1
	}
	return d.votes.Rater[v]
}

// ByRaters is whether the votes of a rater are kept together.
func (d *Data) ByRaters() bool { return d.votes.Rater != nil }

// OutcomesOf are the distinct orders of group g.
func (d *Data) OutcomesOf(g int) []Order { return d.Orders[d.Groups[g].First:d.Groups[g+1].First] }

// sort puts the items of a vote in ascending order: they are few.
func (d *Data) sort(v int32) {
	items, tiers, columns := d.ItemsOf(v), d.TiersOf(v), len(d.Places)
	for k := 1; k < len(items); k++ {
		for j := k; j > 0 && items[j-1] > items[j]; j-- {
			items[j-1], items[j] = items[j], items[j-1]
			tiers[j-1], tiers[j] = tiers[j], tiers[j-1]
			place := d.PlaceOf(v)
			for c := range columns {
				a, b := (j-1)*columns+c, j*columns+c
				place[a], place[b] = place[b], place[a]
			}
		}
	}
}

// compare is 0 for votes of one distribution.
func (d *Data) compare(a, b int32) int {
	if by := cmp.Or(cmp.Compare(d.RaterOf(a), d.RaterOf(b)), cmp.Compare(len(d.ItemsOf(a)), len(d.ItemsOf(b))), slices.Compare(d.ItemsOf(a), d.ItemsOf(b))); by != 0 {
		return by
	}
	return cmp.Or(slices.Compare(d.PlaceOf(a), d.PlaceOf(b)), slices.Compare(d.vote(a), d.vote(b)))
}

// MaxItems is the longest vote that is fitted exactly; where any is longer, all are fitted by their slots.
const MaxItems = 16

func (d *Data) checkVote(v int32) error {
	items, tiers := d.ItemsOf(v), d.TiersOf(v)
	if w := d.votes.Weight[v]; !(w > 0) || w > 1e300 {
		return fmt.Errorf("weight %g; it must be positive and finite", w)
	}
	if d.Choices {
		if err := d.checkChoice(len(items)); err != nil {
			return err
		}
	}
	for k, i := range items {
		if i < 0 || int(i) >= d.Items {
			return fmt.Errorf("item %d is outside the catalogue of %d", i, d.Items)
		}
		if k > 0 && items[k-1] == i {
			return fmt.Errorf("item %d is there twice", i)
		}
	}
	if d.Space == AllOrders || len(items) < 2 {
		return nil
	}
	blocks := slices.Clone(tiers)
	slices.Sort(blocks)
	switch blocks = slices.Compact(blocks); {
	case d.Space == WithoutTies && len(blocks) < len(items):
		return fmt.Errorf("it has a tie, and the sample space is orders without ties: choose the space of all weak orders")
	case d.Space == TwoTiers && len(blocks) != 2:
		many := fmt.Sprintf("%d tiers", len(blocks))
		if len(blocks) == 1 {
			many = "one tier, which tells nothing of the order"
		}
		return fmt.Errorf("it has %s, and the sample space is two tiers: leave it out, or choose the space of all weak orders", many)
	}
	return nil
}

// divide cuts the work into parts, by the data alone, so that sums do not depend on the number of workers. Each has a
// matrix of its own.
func (d *Data) divide() {
	const room = 1 << 25 // numbers in the matrices of all parts together
	groups := len(d.Groups) - 1
	count := max(1, min(16, room/(d.Global*d.Global+1), groups/64))
	cost := func(g int) float64 {
		n := float64(len(d.ItemsOf(d.Groups[g].Vote)))
		if d.Slots {
			return n * n * float64(len(d.OutcomesOf(g)))
		}
		return math.Pow(3, n-2)
	}
	var total, sum float64
	for g := range groups {
		total += cost(g)
	}
	d.Parts = []int{0}
	for g := range groups {
		if rater := d.RaterOf(d.Groups[g].Vote); g > 0 && sum >= total*float64(len(d.Parts))/float64(count) && (rater < 0 || rater != d.RaterOf(d.Groups[g-1].Vote)) {
			d.Parts = append(d.Parts, g)
		}
		sum += cost(g)
	}
	d.Parts = append(d.Parts, groups)
}

// Clusters is the number of raters, if their votes are kept together; else 0.
func (d *Data) Clusters() int {
	seen := map[int32]bool{}
	for _, r := range d.votes.Rater {
		seen[r] = true
	}
	return len(seen)
}

// tieSizes are the sizes of tiers above 1 in the votes, with those given and 2, ascending; nil where nothing is tied.
func tieSizes(votes *Votes, given []int) []int {
	sizes := slices.Clone(given)
	count := map[int32]int{}
	for v := range votes.Weight {
		clear(count)
		for _, t := range votes.Tier[votes.Start[v]:votes.Start[v+1]] {
			count[t]++
		}
		for _, n := range count {
			if n > 1 && !slices.Contains(sizes, n) {
				sizes = append(sizes, n)
			}
		}
	}
	if len(sizes) > 0 && !slices.Contains(sizes, 2) {
		sizes = append(sizes, 2)
	}
	slices.Sort(sizes)
	return sizes
}
