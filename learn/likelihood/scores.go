package likelihood

import (
	"context"
	"slices"
	"sort"

	"fubini/core/parallel"
	"fubini/learn/ballot"
)

// squares is the sum over raters of the squares of their scores, without units. Lower triangle.
func (p *panel) squares(ctx context.Context, theta []float64, jobs int) ([]float64, error) {
	return p.sumOverRaters(ctx, p.Global, jobs, func(s *scorer, r int) error {
		if err := s.score(theta, r, 0, 1); err != nil {
			return err
		}
		s.add(p.times(r), s.sum)
		s.clear()
		return nil
	})
}

// sumOverRaters adds up matrices of n rows.
func (p *panel) sumOverRaters(ctx context.Context, n, jobs int, each func(s *scorer, r int) error) ([]float64, error) {
	parts := min(16, len(p.raters))
	matrices := make([][]float64, parts)
	err := parallel.Each(ctx, parts, jobs, func(_, part int) error {
		s := &scorer{local: p.Data.NewLocal(), panel: p, n: n, matrix: make([]float64, n*n), sum: make([]float64, n), mean: make([]float64, n), on: make([]bool, n)}
		matrices[part] = s.matrix
		for r := part * len(p.raters) / parts; r < (part+1)*len(p.raters)/parts; r++ {
			if r%64 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := each(s, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, more := range matrices[1:] {
		for k, v := range more {
			matrices[0][k] += v
		}
	}
	return matrices[0], nil
}

// scorer computes scores of raters and adds up products of them.
type scorer struct {
	local *ballot.Local
	*panel
	n       int
	matrix  []float64
	sum     []float64 // the score in hand
	on      []bool    // whether an element was put
	touched []int     // those
	kept    [][]float64
	weights []float64 // of the kept
	mean    []float64 // of the kept, by weight
	whole   float64
	known   map[[2]int][]float64 // means of the statistics by set of units and group, of long votes
}

func (s *scorer) put(at int, by float64) {
	if !s.on[at] {
		s.on[at] = true
		s.touched = append(s.touched, at)
	}
	s.sum[at] += by
}

// score adds the score of the votes of a rater with a set of units, counted by a factor.
func (s *scorer) score(theta []float64, r, state int, factor float64) error {
	for k := s.from[r]; k < s.from[r+1]; k++ {
		if s.weight[k] == 0 {
			continue
		}
		if err := s.scoreOf(theta, k, state, factor*s.votes(k)); err != nil {
			return err
		}
	}
	return nil
}

// scoreOf adds the score of one vote for the order of row k, counted by a factor.
func (s *scorer) scoreOf(theta []float64, k int32, state int, factor float64) error {
	m := s.local
	m.State = state
	vote := s.Orders[s.outcome[k]].Vote
	m.Load(theta, vote)
	if err := s.expect(int(s.outcome[k])); err != nil {
		return err
	}
	m.Residual(s.TiersOf(vote))
	for a, v := range m.Statistic[:m.Dim] {
		for _, e := range m.Rows[a] {
			s.put(e.At, factor*v*e.By)
		}
	}
	return nil
}

// expect computes the means of the statistics of the vote in hand, of an order. Those of long votes take a while, and raters
// with votes on the same items have them in common: some are kept.
func (s *scorer) expect(order int) error {
	const long, most = 6, 1 << 10
	m := s.local
	if m.N() < long || m.ByVote() {
		return m.Expect(false)
	}
	group := sort.Search(len(s.Groups), func(g int) bool { return int(s.Groups[g].First) > order })
	key := [2]int{m.State, group}
	if means, there := s.known[key]; there {
		copy(m.Mean, means)
		return nil
	}
	if err := m.Expect(false); err != nil {
		return err
	}
	if s.known == nil {
		s.known = map[[2]int][]float64{}
	}
	if len(s.known) < most {
		s.known[key] = slices.Clone(m.Mean[:m.Dim])
	}
	return nil
}

// keep keeps the score in hand with a weight and starts another.
func (s *scorer) keep(weight float64) {
	k := len(s.weights)
	if k == len(s.kept) {
		s.kept = append(s.kept, make([]float64, s.n))
	}
	for _, at := range s.touched {
		s.kept[k][at] = s.sum[at]
		s.mean[at] += weight * s.sum[at]
		s.sum[at] = 0
	}
	s.weights = append(s.weights, weight)
	s.whole += weight
}

// close adds the covariance of those kept.
func (s *scorer) close() {
	for k, q := range s.weights {
		for _, at := range s.touched {
			s.sum[at] = s.kept[k][at] - s.mean[at]/s.whole
		}
		s.add(q, s.sum)
		for _, at := range s.touched {
			s.kept[k][at] = 0
		}
	}
	s.weights, s.whole = s.weights[:0], 0
	s.clear()
}

// add adds the square of a score.
func (s *scorer) add(weight float64, score []float64) {
	slices.Sort(s.touched)
	for k, i := range s.touched {
		row, v := s.matrix[i*s.n:], weight*score[i]
		for _, j := range s.touched[:k+1] {
			row[j] += v * score[j]
		}
	}
}

// clear forgets the score in hand.
func (s *scorer) clear() {
	for _, at := range s.touched {
		s.sum[at], s.mean[at], s.on[at] = 0, 0, false
	}
	s.touched = s.touched[:0]
}
