package likelihood

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fubini/core/cholesky"
	"fubini/core/parallel"
	"fubini/learn/ballot"
)

// ErrNotConverged is returned with the last point.
var ErrNotConverged = errors.New("fit: not converged")

// Options of a fit. Start from [Defaults].
type Options struct {
	Prior ballot.Precision
	Steps int // at most
	Jobs  int // goroutines; 0 means one for each core
	// Fixed keeps [Data.Learn] from changing the precision of worths.
	Fixed bool
}

// Defaults are no prior and at most 100 steps.
func Defaults() Options { return Options{Steps: 100} }

// Fit is the estimate, and what its errors are made of.
type Fit struct {
	*Data
	Theta         []float64
	Prior         ballot.Precision
	LogLikelihood float64 // without the prior, constants included: of each vote given its items; with Slots, of each slot given the others
	Steps         int

	jobs  int
	point *point
}

// Maximise finds the maximum of the likelihood, or with a prior of the posterior density.
func (d *Data) Maximise(ctx context.Context, o Options) (*Fit, error) {
	if err := d.check(o.Prior); err != nil {
		return nil, err
	}
	return d.maximise(ctx, d.Start(), o)
}

func (d *Data) maximise(ctx context.Context, start []float64, o Options) (*Fit, error) {
	f := &Fit{Data: d, Theta: slices.Clone(start), Prior: o.Prior, jobs: o.Jobs}
	here, err := d.evaluate(ctx, f.Theta, o.Jobs, true)
	if err != nil {
		return nil, err
	}
	first := here
	for ; f.Steps < o.Steps; f.Steps++ {
		step, decrement, err := d.step(here, f.Theta, o.Prior)
		if err != nil {
			return nil, err
		}
		// Half the decrement is what a quadratic still has to gain, in nats; one more step then
		// squares what is left. Where the log weight is not linear in the parameters, steps by the
		// expected information come near only linearly.
		last := decrement < 1e-9 || decrement < 1e-6 && (d.Raters > 0 || d.Ties == ballot.DistanceTies)
		objective := here.value - d.penalty(f.Theta, o.Prior)
		for share := 1.0; ; share /= 2 {
			if share < 1e-10 {
				return f, fmt.Errorf("%w: no step along the gradient raises the likelihood", ErrNotConverged)
			}
			theta := slices.Clone(f.Theta)
			for k, v := range step {
				theta[k] += share * v
			}
			next, err := d.evaluate(ctx, theta, o.Jobs, true)
			if err != nil {
				return nil, err
			}
			if value := next.value - d.penalty(theta, o.Prior); value >= objective-1e-12*math.Abs(objective) {
				f.Theta, here = theta, next
				break
			}
		}
		if last {
			f.LogLikelihood, f.point = here.value, here
			if k := d.runaway(first, here, f.Theta, step); k >= 0 {
				return f, fmt.Errorf("%w: %s runs away to %.3g, because the parameters explain some votes without fault; %s", ErrNotConverged, d.Name(k), f.Theta[k], d.remedy(k))
			}
			return f, nil
		}
	}
	f.LogLikelihood, f.point = here.value, here
	far := 0 // the parameter that went furthest
	for k := range d.Global {
		if math.Abs(f.Theta[k]) > math.Abs(f.Theta[far]) {
			far = k
		}
	}
	return f, fmt.Errorf("%w after %d steps; %s has come to %.3g, and may run away because it separates the votes: %s", ErrNotConverged, o.Steps, d.Name(far), f.Theta[far], d.remedy(far))
}

// remedy is what helps where the votes leave parameter k open: a prior on worths is one on worths and tie weights of items alone.
func (d *Data) remedy(k int) string {
	if k < d.Items || k >= d.Layout.Tie && k < d.Distance {
		return "use a prior on worths"
	}
	return "leave it out"
}

// runaway is a parameter whose maximum is at infinity, or -1. There steps stay as long as they
// were, while likelihood and information come to rest.
func (d *Data) runaway(first, last *point, theta, step []float64) int {
	for k := range d.Global {
		at := k*d.Global + k
		if last.information[at] < 1e-4*first.information[at] && math.Abs(step[k]) > 1e-3*math.Abs(theta[k]) {
			return k
		}
	}
	return -1
}

// point is the log likelihood at a point, its gradient and the expected information.
type point struct {
	value       float64
	gradient    []float64        // of all parameters
	information []float64        // of those but reliabilities: lower triangle
	own         []float64        // information of each reliability
	mixed       [][]ballot.Entry // of each reliability with the others
}

// evaluate sums over all groups.
func (d *Data) evaluate(ctx context.Context, theta []float64, jobs int, information bool) (*point, error) {
	parts := len(d.Parts) - 1
	points := make([]*point, parts)
	own, mixed, rates := make([]float64, d.Raters), make([][]ballot.Entry, d.Raters), make([]float64, d.Raters)
	err := parallel.Each(ctx, parts, jobs, func(_, part int) error {
		s := &sum{Local: d.NewLocal(), theta: theta, point: &point{gradient: make([]float64, d.Global), own: own, mixed: mixed}, rates: rates}
		if information {
			s.information = make([]float64, d.Global*d.Global)
			s.column = make([]float64, d.Global)
		}
		points[part] = s.point
		for g := d.Parts[part]; g < d.Parts[part+1]; g++ {
			if g%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := s.group(g, information); err != nil {
				return err
			}
		}
		s.closeRater()
		return nil
	})
	if err != nil {
		return nil, err
	}
	total := added(points)
	total.gradient = append(total.gradient, rates...)
	return total, nil
}

// added is the sum of the points of all parts, in their order; it takes the place of the first.
func added(points []*point) *point {
	total := points[0]
	for _, p := range points[1:] {
		total.value += p.value
		for k, v := range p.gradient {
			total.gradient[k] += v
		}
		for k, v := range p.information {
			total.information[k] += v
		}
	}
	return total
}

// sum accumulates a part of the groups.
type sum struct {
	*ballot.Local
	*point
	theta  []float64
	rates  []float64 // gradient of each reliability
	column []float64 // mixed information of the rater in hand
	touch  []int     // elements of it that are not zero
	last   int       // the rater in hand plus 1
}

func (s *sum) group(g int, information bool) error {
	if rater := int(s.RaterOf(s.Data.Groups[g].Vote)) + 1; rater != s.last && s.Raters > 0 {
		s.closeRater()
		s.last = rater
	}
	return s.add(g, 1, information)
}

// add adds a group, its votes counted by a factor.
func (s *sum) add(g int, factor float64, information bool) error {
	each := s.Data.Groups[g]
	s.Load(s.theta, each.Vote)
	if s.ByVote() {
		for _, o := range s.OutcomesOf(g) {
			weight := factor * o.Weight
			s.value += weight * s.OfVote(s.TiersOf(o.Vote), information)
			s.climb(s.Statistic[:s.Dim], weight)
			if information {
				s.scatter(s.Covariance, weight)
			}
		}
		return nil
	}
	if err := s.Expect(information); err != nil {
		return err
	}
	residual, sums := s.Statistic[:s.Dim], s.Mean[:s.Dim]
	for a := range sums {
		sums[a] *= -factor * each.Weight
	}
	for _, o := range s.OutcomesOf(g) {
		tiers := s.TiersOf(o.Vote)
		s.value += factor * o.Weight * (s.LogWeight(tiers) - s.LogZ)
		s.StatisticsOf(tiers, residual)
		for a, v := range residual {
			sums[a] += factor * o.Weight * v
		}
	}
	s.climb(sums, 1)
	if information {
		s.scatter(s.Covariance, factor*each.Weight)
	}
	return nil
}

// climb adds a gradient in local coordinates.
func (s *sum) climb(local []float64, weight float64) {
	for a, v := range local {
		for _, e := range s.Rows[a] {
			if e.At < s.Global {
				s.gradient[e.At] += weight * v * e.By
			} else {
				s.rates[e.At-s.Global] += weight * v * e.By
			}
		}
	}
}

// scatter adds a matrix in local coordinates to the information.
func (s *sum) scatter(local []float64, weight float64) {
	g := s.Global
	for a := range s.Dim {
		for b := range s.Dim {
			c := weight * local[a*s.Dim+b]
			if c == 0 {
				continue
			}
			for _, e := range s.Rows[a] {
				for _, f := range s.Rows[b] {
					switch v := c * e.By * f.By; {
					case e.At < g && f.At <= e.At:
						s.information[e.At*g+f.At] += v
					case e.At >= g && f.At >= g:
						s.own[e.At-g] += v
					case e.At >= g:
						if s.column[f.At] == 0 {
							s.touch = append(s.touch, f.At)
						}
						s.column[f.At] += v
					}
				}
			}
		}
	}
}

// closeRater keeps the mixed information of the rater whose votes have ended.
func (s *sum) closeRater() {
	if s.last == 0 || len(s.touch) == 0 {
		return
	}
	slices.Sort(s.touch)
	s.touch = slices.Compact(s.touch)
	row := make([]ballot.Entry, 0, len(s.touch))
	for _, at := range s.touch {
		row = append(row, ballot.Entry{At: at, By: s.column[at]})
		s.column[at] = 0
	}
	s.mixed[s.last-1], s.touch = row, s.touch[:0]
}

// prior is the precision of parameter k and the mean of its prior.
func (d *Data) prior(k int, p ballot.Precision) (precision, mean float64) {
	switch {
	case k < d.Items:
		return p.Worth, 0
	case k >= d.Layout.Tie && k < d.Distance:
		return p.Tie, 0
	case k >= d.Layout.Size && k < d.W:
		return p.Size, 0
	case k >= d.W && k < d.Global:
		return p.Unit, 0
	case k >= d.Global && d.centre != nil:
		return p.Reliability, d.centre[k-d.Global]
	case k >= d.Global:
		return p.Reliability, 1
	}
	return 0, 0
}

func (d *Data) penalty(theta []float64, p ballot.Precision) (sum float64) {
	for k, v := range theta {
		precision, mean := d.prior(k, p)
		sum += precision * (v - mean) * (v - mean) / 2
	}
	return sum
}

// matrix is the information of all parameters but the reliabilities, which are eliminated, with
// that of the prior. The constant on each redundant range has information of its own beside: the
// mean of the range, given as size.
func (d *Data) matrix(p *point, prior ballot.Precision) (a, size []float64) {
	g := d.Global
	a = slices.Clone(p.information)
	for k := range g {
		precision, _ := d.prior(k, prior)
		a[k*g+k] += precision
	}
	for _, r := range d.Redundant() {
		var sum float64
		for k := r[0]; k < r[1]; k++ {
			sum += a[k*g+k]
		}
		size = append(size, sum/float64(r[1]-r[0]))
	}
	for r, row := range p.mixed {
		own := p.own[r] + prior.Reliability
		for _, e := range row {
			for _, f := range row {
				if f.At <= e.At {
					a[e.At*g+f.At] -= e.By * f.By / own
				}
			}
		}
	}
	for n, r := range d.Redundant() {
		for i := r[0]; i < r[1]; i++ {
			for j := r[0]; j <= i; j++ {
				a[i*g+j] += size[n]
			}
		}
	}
	return a, size
}

// undetermined names what votes and prior leave open.
func (d *Data) undetermined(p *point, prior ballot.Precision) error {
	a, size := d.matrix(p, prior)
	for k := range d.Global {
		if !(a[k*d.Global+k] > 1e-12*size[0]) {
			return fmt.Errorf("fit: no vote depends on %s; %s", d.Name(k), d.remedy(k))
		}
	}
	var others []string
	for k := d.Items; k < d.Global && len(others) < 8; k++ {
		others = append(others, d.Name(k))
	}
	if len(others) == 0 {
		return errors.New("fit: the votes leave a combination of the worths undetermined; use a prior on worths")
	}
	return fmt.Errorf("fit: the votes leave a combination of worths and of %s undetermined; leave out what the others explain, or use a prior on worths", strings.Join(others, ", "))
}

// step is the Newton step, and twice the rise in the objective that a quadratic promises.
func (d *Data) step(p *point, theta []float64, prior ballot.Precision) (step []float64, decrement float64, err error) {
	factor, size := d.matrix(p, prior)
	for k := range d.Global {
		own := &factor[k*d.Global+k]
		if *own < 1e-12*size[0] { // of no effect at this point, as the curve of distances at equal worths: held
			*own += 1e-9 * size[0]
		}
		*own *= 1 + 1e-9
	}
	if !cholesky.Factorise(factor, d.Global) {
		return nil, 0, d.undetermined(p, prior)
	}
	gradient := slices.Clone(p.gradient)
	for k := range gradient {
		precision, mean := d.prior(k, prior)
		gradient[k] -= precision * (theta[k] - mean)
	}
	step = slices.Clone(gradient)
	for r, row := range p.mixed {
		for _, e := range row {
			step[e.At] -= e.By * gradient[d.Global+r] / (p.own[r] + prior.Reliability)
		}
	}
	cholesky.SolveLower(factor, step[:d.Global])
	cholesky.SolveUpper(factor, step[:d.Global])
	for r, row := range p.mixed {
		rest := gradient[d.Global+r]
		for _, e := range row {
			rest -= e.By * step[e.At]
		}
		step[d.Global+r] = rest / (p.own[r] + prior.Reliability)
	}
	for k, v := range step {
		decrement += v * gradient[k]
	}
	return step, decrement, nil
}
