package likelihood

import (
	"context"
	"math"

	"fubini/core/logprob"
	"fubini/core/parallel"
	"fubini/learn/ballot"
)

// panel is the votes of raters, by the orders that all raters have in common: the distribution of a vote depends on the
// rater only through the units. What costs time is done once for each order and set of units, and a rater's part is a sum
// of numbers looked up.
//
// Where raters are not named every vote is one of a rater of its own. Votes for the same order are then one row, and its weight is
// the number of these raters.
type panel struct {
	*Data             // the votes of all raters, put together whoever cast them
	apart   bool      // raters are not named
	raters  []int32   // number of each rater
	from    []int32   // rater r has the rows from[r] to from[r+1]
	outcome []int32   // of each row: its order
	rater   []int32   // of each row: its rater, as an index
	weight  []float64 // of each row
	first   []int32   // order o has the rows at[first[o]:first[o+1]]
	power   float64   // of the likelihood of a vote: 1, and less for the slot likelihood, which counts it more than once
	at      []int32
}

// panel puts the votes of all raters together.
func (d *Data) panel() *panel {
	pooled, outcome := d.Pooled()
	p := &panel{Data: &Data{Data: pooled}, apart: !d.ByRaters(), outcome: outcome, from: []int32{0}, power: 1}
	if pooled.Slots {
		p.power = firstPower
	}
	p.rater, p.weight = make([]int32, len(d.Orders)), make([]float64, len(d.Orders))
	p.first, p.at = make([]int32, len(pooled.Orders)+1), make([]int32, len(d.Orders))
	for k, o := range d.Orders {
		rater := d.RaterOf(o.Vote)
		if p.apart {
			rater = int32(k)
		}
		if n := len(p.raters); n == 0 || p.raters[n-1] != rater {
			p.raters = append(p.raters, rater)
			p.from = append(p.from, int32(k))
		}
		p.from[len(p.raters)] = int32(k + 1)
		p.rater[k], p.weight[k] = int32(len(p.raters)-1), o.Weight
		p.first[p.outcome[k]+1]++
	}
	for o := range pooled.Orders {
		p.first[o+1] += p.first[o]
	}
	next := append([]int32{}, p.first...)
	for k, o := range p.outcome {
		p.at[next[o]] = int32(k)
		next[o]++
	}
	return p
}

// times is the number of raters who cast the votes of rater r, and votes how many each of them cast for the order of row k.
func (p *panel) times(r int) float64 {
	if p.apart {
		return p.weight[r]
	}
	return 1
}

func (p *panel) votes(k int32) float64 {
	if p.apart && p.weight[k] > 0 {
		return 1
	}
	return p.weight[k]
}

// people is the number of all raters.
func (p *panel) people() float64 {
	if p.apart {
		return p.Weight
	}
	return float64(len(p.raters))
}

// reweighted is the panel with other weights of its rows; one may be zero.
func (p *panel) reweighted(weight []float64) *panel {
	q := *p
	q.weight = weight
	sums := make([]float64, len(p.Orders))
	for k, o := range p.outcome {
		sums[o] += weight[k]
	}
	q.Data = p.Data.reweighted(sums)
	return &q
}

// beliefs are what the votes say of the units at one point.
type beliefs struct {
	value     float64   // log likelihood
	logs      []float64 // log probability of every order: of one set of units after the other
	posterior []float64 // of every rater: the probability of each set of units
}

// block is the number of pieces of work that are done together, whatever the number of workers.
const block = 512

// believe computes the posterior of every rater, where the sets of units have the log probabilities given.
func (p *panel) believe(ctx context.Context, theta, prior []float64, jobs int) (*beliefs, error) {
	states, orders, raters := len(prior), len(p.Orders), len(p.raters)
	b := &beliefs{posterior: make([]float64, raters*states)}
	var err error
	if b.logs, err = p.logProbabilities(ctx, theta, states, jobs); err != nil {
		return nil, err
	}
	values := make([]float64, (raters+block-1)/block)
	parallel.Do(len(values), jobs, func(_, part int) {
		for r := part * block; r < min(raters, (part+1)*block); r++ {
			own := b.posterior[r*states : (r+1)*states]
			copy(own, prior)
			for s := range own {
				logs := b.logs[s*orders : (s+1)*orders]
				for k := p.from[r]; k < p.from[r+1]; k++ {
					own[s] += p.power * p.votes(k) * logs[p.outcome[k]]
				}
			}
			whole := logprob.SumExp(own)
			for s := range own {
				own[s] = math.Exp(own[s] - whole)
			}
			values[part] += p.times(r) * whole
		}
	})
	for _, v := range values {
		b.value += v
	}
	return b, ctx.Err()
}

// logProbabilities are those of all orders, of one set of units after the other.
func (p *panel) logProbabilities(ctx context.Context, theta []float64, states, jobs int) ([]float64, error) {
	orders := len(p.Orders)
	logs := make([]float64, states*orders)
	err := parallel.Each(ctx, len(p.Parts)-1, jobs, func(_, part int) error {
		m := p.Data.NewLocal()
		for m.State = range states {
			for g := p.Parts[part]; g < p.Parts[part+1]; g++ {
				m.Load(theta, p.Groups[g].Vote)
				if err := m.Expect(false); err != nil {
					return err
				}
				for o := p.Groups[g].First; o < p.Groups[g+1].First; o++ {
					tiers := p.TiersOf(p.Orders[o].Vote)
					if m.ByVote() {
						logs[m.State*orders+int(o)] = m.OfVote(tiers, false)
					} else {
						logs[m.State*orders+int(o)] = m.LogProbability(tiers)
					}
				}
			}
		}
		return nil
	})
	return logs, err
}

// complete is the gradient and the information that the votes would have if the units were seen, averaged over the posterior.
func (p *panel) complete(ctx context.Context, theta []float64, b *beliefs, jobs int) (*point, error) {
	orders, states := len(p.Orders), len(b.logs)/len(p.Orders)
	shares := make([][]float64, states) // weight of every order by raters with each set of units
	for s := range shares {
		shares[s] = make([]float64, orders)
	}
	parallel.Do((orders+block-1)/block, jobs, func(_, part int) {
		for o := part * block; o < min(orders, (part+1)*block); o++ {
			for _, k := range p.at[p.first[o]:p.first[o+1]] {
				for s, q := range b.posterior[int(p.rater[k])*states:][:states] {
					shares[s][o] += p.power * q * p.weight[k]
				}
			}
		}
	})
	data := make([]*Data, states)
	for s := range data {
		data[s] = p.Data.reweighted(shares[s])
	}
	points := make([]*point, len(p.Parts)-1)
	err := parallel.Each(ctx, len(points), jobs, func(_, part int) error {
		s := &sum{Local: &ballot.Local{}, theta: theta, point: &point{gradient: make([]float64, p.Global), information: make([]float64, p.Global*p.Global)}}
		points[part] = s.point
		for state, d := range data {
			s.Local.State, s.Local.Data = state, d.Data
			for g := p.Parts[part]; g < p.Parts[part+1]; g++ {
				if err := s.add(g, 1, true); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return added(points), nil
}

// firstPower is that of votes on two items, whose slots are the same event twice. Longer votes have higher ones.
const firstPower = 0.5
