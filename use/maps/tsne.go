package maps

import (
	"context"
	"fmt"
	"math"

	"fubini/core/parallel"
	"fubini/core/rng"
)

// MostTSNE is the largest number of vectors for [TSNE], whose steps cost the square of it.
const MostTSNE = 6000

// The schedule is that of the authors: neighbours pulled together twelve times as hard
// for the first 250 steps, and a momentum that rises then.
const (
	mostSteps     = 750
	exaggeration  = 12
	earlySteps    = 250
	earlyMomentum = 0.5
	lateMomentum  = 0.8
	leastGain     = 0.01
)

// TSNE computes a t-SNE map (van der Maaten and Hinton, 2008), exactly, over all pairs. It
// starts from the principal components, which determine the large-scale arrangement. Distances
// between distant clusters are not meaningful. The perplexity is 30, or less for few points. The map is the same for any
// number of jobs; 0 means one for each core.
func TSNE(ctx context.Context, v Vectors, seed uint64, jobs int) ([]Point, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	n := v.Len()
	if n > MostTSNE {
		return nil, fmt.Errorf("maps: t-SNE of %d vectors; it compares all pairs and takes at most %d, principal components take any number", n, MostTSNE)
	}
	if n < 4 {
		return nil, fmt.Errorf("maps: t-SNE of %d vectors; it needs at least four", n)
	}
	start, err := startOf(v, seed)
	if err != nil {
		return nil, err
	}
	return newLayout(ctx, v, min(30, float64(n-1)/3), jobs).descend(start, mostSteps)
}

// startOf is the principal components made small, with a little noise that separates equal vectors.
func startOf(v Vectors, seed uint64) ([]Point, error) {
	pca, err := NewPCA(v, 2)
	if err != nil {
		return nil, err
	}
	points := pca.Points(v)
	const small = 1e-4
	scale := 0.0
	if pca.Variance[0] > 0 {
		scale = small / math.Sqrt(pca.Variance[0])
	}
	r := rng.Stream(seed, "t-SNE")
	for n, p := range points {
		points[n] = Point{scale*p.X + small/10*r.NormFloat64(), scale*p.Y + small/10*r.NormFloat64()}
	}
	return points, nil
}

// layout is the affinities of all pairs, and room for a step.
type layout struct {
	ctx   context.Context // when it ends, so does the work
	n     int
	jobs  int
	p     []float32 // p[i*n+j], symmetric, together 1
	sums  []float64 // of each row, of the kernel on the map
	apart []Point   // push of all others on each point, before it is divided by the sum
}

func newLayout(ctx context.Context, v Vectors, perplexity float64, jobs int) *layout {
	n := v.Len()
	l := &layout{ctx: ctx, n: n, jobs: jobs, p: make([]float32, n*n), sums: make([]float64, n), apart: make([]Point, n)}
	l.rows(func(i int) {
		near := make([]float64, n)
		for j := range near {
			near[j] = distance2(v.Row(i), v.Row(j))
		}
		affinities(near, i, perplexity)
		for j, a := range near {
			l.p[i*n+j] = float32(a)
		}
	})
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		for j := range i {
			both := (l.p[i*n+j] + l.p[j*n+i]) / float32(2*n)
			l.p[i*n+j], l.p[j*n+i] = both, both
		}
	}
	return l
}

// rows does something for every row, on all workers; what it does for one must not
// depend on others.
func (l *layout) rows(do func(i int)) {
	parallel.Until(l.ctx, l.n, l.jobs, func(_, i int) { do(i) })
}

// affinities turns squared distances from point i into probabilities of its
// neighbours, normal with a width that gives them the perplexity: the exponential of
// their entropy.
func affinities(near []float64, i int, perplexity float64) {
	least := math.Inf(1)
	for j, d := range near {
		if j != i {
			least = min(least, d)
		}
	}
	want := math.Log(perplexity)
	low, high, precision := 0.0, math.Inf(1), 1.0
	weights := make([]float64, len(near))
	var sum float64
	for range 200 {
		var mean float64
		sum = 0
		for j, d := range near {
			weights[j] = 0
			if j != i {
				weights[j] = math.Exp(-precision * (d - least))
				sum += weights[j]
				mean += weights[j] * (d - least)
			}
		}
		entropy := math.Log(sum) + precision*mean/sum
		if math.Abs(entropy-want) < 1e-6 {
			break
		}
		if entropy > want {
			low = precision
		} else {
			high = precision
		}
		if precision = (low + high) / 2; math.IsInf(high, 1) {
			precision = 2 * low
		}
		if high-low < 1e-12*high || precision > 1e30 { // equal distances have no such width
			break
		}
	}
	for j, w := range weights {
		near[j] = w / sum
	}
}

// gradient writes that of the divergence of the map from the affinities, the pull of neighbours multiplied by a factor.
// See docs/maths.md#maps.
func (l *layout) gradient(y []Point, pull float64, out []Point) {
	n := l.n
	l.rows(func(i int) {
		p := l.p[i*n : (i+1)*n]
		var sum float64
		var near, apart Point
		at := y[i]
		for j, other := range y {
			dx, dy := at.X-other.X, at.Y-other.Y
			kernel := 1 / (1 + dx*dx + dy*dy)
			sum += kernel
			a := float64(p[j]) * kernel
			near.X += a * dx
			near.Y += a * dy
			kernel *= kernel
			apart.X += kernel * dx
			apart.Y += kernel * dy
		}
		l.sums[i], out[i], l.apart[i] = sum-1, near, apart // itself is at distance 0
	})
	var total float64
	for _, s := range l.sums {
		total += s
	}
	for i, near := range out {
		out[i] = Point{4 * (pull*near.X - l.apart[i].X/total), 4 * (pull*near.Y - l.apart[i].Y/total)}
	}
}

// descend goes down with momentum and a gain for each coordinate that grows while it
// keeps its direction.
func (l *layout) descend(y []Point, steps int) ([]Point, error) {
	rate := max(50, float64(l.n)/exaggeration)
	gradient, speed, gains := make([]Point, l.n), make([]Point, l.n), make([]Point, l.n)
	for i := range gains {
		gains[i] = Point{1, 1}
	}
	move := func(g float64, speed, gain *float64, momentum float64) float64 {
		if (g > 0) == (*speed > 0) {
			*gain = max(leastGain, *gain*0.8)
		} else {
			*gain += 0.2
		}
		*speed = momentum**speed - rate**gain*g
		return *speed
	}
	for step := range steps {
		pull, momentum := 1.0, lateMomentum
		if step < earlySteps {
			pull, momentum = exaggeration, earlyMomentum
		}
		l.gradient(y, pull, gradient)
		if err := l.ctx.Err(); err != nil {
			return nil, err
		}
		var middle Point
		for i := range y {
			y[i].X += move(gradient[i].X, &speed[i].X, &gains[i].X, momentum)
			y[i].Y += move(gradient[i].Y, &speed[i].Y, &gains[i].Y, momentum)
			middle.X += y[i].X / float64(l.n)
			middle.Y += y[i].Y / float64(l.n)
		}
		for i := range y {
			y[i].X -= middle.X
			y[i].Y -= middle.Y
		}
	}
	return y, l.ctx.Err()
}
