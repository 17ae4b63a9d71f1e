// Package saturated predicts whole votes by the shares that they have among the votes on the same items, shrunk towards the
// distribution of a fitted model.
package saturated

import (
	"encoding/binary"
	"math"
	"slices"

	"fubini/core/logprob"
	"fubini/learn/ballot"
	"fubini/model/osm"
)

// Model is a distribution of votes between a model and the shares of whole orders among the votes on the same items:
// the posterior mean of the saturated model, under a Dirichlet prior whose mean is the model's distribution and whose
// size, Alpha, is a number of votes. A model that fits has a large one. See docs/maths.md#saturated.
type Model struct {
	Alpha  float64 // +Inf: the model alone
	orders map[string]float64
	items  map[string]float64
	length map[int]float64 // votes by their number of items
}

// Learn counts votes and learns Alpha: it maximises the probability of each vote given the others, where logs are the
// log probabilities of the votes under the model. Weights count votes.
func Learn(votes ballot.Votes, logs []float64) *Model {
	s := &Model{orders: map[string]float64{}, items: map[string]float64{}, length: map[int]float64{}}
	type distinct struct{ count, all, log float64 }
	var first []int // the first vote of every order
	for v, w := range votes.Weight {
		items, order := names(votes, v)
		if _, there := s.orders[order]; !there {
			first = append(first, v)
		}
		s.items[items] += w
		s.orders[order] += w
		s.length[int(votes.Start[v+1]-votes.Start[v])] += w
	}
	orders := make([]distinct, len(first))
	for k, v := range first { // of items with one vote the others say nothing, whatever Alpha is
		items, order := names(votes, v)
		orders[k] = distinct{s.orders[order], s.items[items], logs[v]}
	}
	orders = slices.DeleteFunc(orders, func(o distinct) bool { return o.all <= 1 })
	value := func(alpha float64) (sum float64) {
		for _, o := range orders {
			sum += o.count * shrunk(o.count-1, o.all-1, o.log, alpha)
		}
		return sum
	}
	s.Alpha = math.Inf(1)
	best := value(s.Alpha)
	for log := math.Log(1e6); log > math.Log(0.01); log -= 0.1 { // a grid: the maximum is flat
		if at := value(math.Exp(log)); at > best+1e-9*math.Abs(best) { // by more than rounding
			s.Alpha, best = math.Exp(log), at
		}
	}
	return s
}

// shrunk is the log probability of an order with a count among all votes on its items, where log is that of the model.
func shrunk(count, all, log, alpha float64) float64 {
	if math.IsInf(alpha, 1) {
		return log
	}
	return logprob.Add(math.Log(math.Max(count, 0)), math.Log(alpha)+log) - math.Log(math.Max(all, 0)+alpha)
}

// Predict returns the log probabilities of votes, where logs are those under the model.
func (s *Model) Predict(votes ballot.Votes, logs []float64) []float64 {
	out := make([]float64, len(logs))
	for v, log := range logs {
		items, order := names(votes, v)
		out[v] = shrunk(s.orders[order], s.items[items], log, s.Alpha)
	}
	return out
}

// Spread adds half a pseudo-vote ([HalfVote]) to the votes on each number of items, because counts alone give orders that nobody voted
// for a probability near 0. Where no vote is on that number of items, the probability stays that of the model. The logs are those of
// [Model.Predict], and are changed in place.
func (s *Model) Spread(votes ballot.Votes, logs []float64) []float64 {
	for v := range logs {
		tiers := votes.Tier[votes.Start[v]:votes.Start[v+1]]
		if s.length[len(tiers)] == 0 {
			continue
		}
		var sizes []int
		for _, t := range tiers {
			for int(t) >= len(sizes) {
				sizes = append(sizes, 0)
			}
			sizes[t]++
		}
		logs[v] = HalfVote(logs[v], s.length[len(tiers)], sizes)
	}
	return logs
}

// HalfVote returns the log probability of an order after half a pseudo-vote is added to the votes of a model. The model gives the order
// the log probability log and rests on votes votes; sizes are the sizes of the order's tiers. The pseudo-vote gives every composition of
// tier sizes the same probability, and every order of a composition.
func HalfVote(log, votes float64, sizes []int) float64 {
	var n int
	var evenly float64
	for _, size := range sizes {
		n += size
		evenly += logFactorial(size)
	}
	evenly -= float64(n-1)*math.Ln2 + logFactorial(n)
	return logprob.Add(math.Log(votes)+log, math.Log(0.5)+evenly) - math.Log(votes+0.5)
}

func logFactorial(n int) float64 {
	log, _ := math.Lgamma(float64(n + 1))
	return log
}

// Of are lists as votes, with their weights.
func Of(lists []osm.List, weights []float64) ballot.Votes {
	votes := ballot.Votes{Start: []int32{0}, Weight: weights}
	for _, x := range lists {
		for t := range x.Order.Len() {
			for _, k := range x.Order.Block(t) {
				votes.Item, votes.Tier = append(votes.Item, int32(x.Items[k])), append(votes.Tier, int32(t))
			}
		}
		votes.Start = append(votes.Start, int32(len(votes.Item)))
	}
	return votes
}

// names are the items of a vote, ascending, and the items with their tiers, as keys.
func names(votes ballot.Votes, v int) (items, order string) {
	var entries []uint64
	for e := votes.Start[v]; e < votes.Start[v+1]; e++ {
		entries = append(entries, uint64(votes.Item[e])<<32|uint64(votes.Tier[e]))
	}
	slices.Sort(entries)
	var a, b []byte
	for _, e := range entries {
		a = binary.AppendUvarint(a, e>>32)
		b = binary.AppendUvarint(b, e&math.MaxUint32)
	}
	return string(a), string(a) + "/" + string(b)
}
