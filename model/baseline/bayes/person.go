package bayes

import (
	"fubini/core/cholesky"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// person is the estimate of a person: in each draw a vector (bias, factors), or a normal distribution of it.
type person struct {
	vectors []float32
	roots   []float64 // Cholesky factors of the precisions, draw by draw; nil for a drawn vector
	own     []float32 // room for vectors, and for roots
	ownRoot []float64

	x, step, trial, away, gradient []float64
	precision                      []float64
	rows, offsets, targets         []float64 // of what the person rated
	which                          []int     // ratings these are of
}

// enter returns what is known of a person. A user of the training set has the draws of the chain. Anybody else has the
// conditional distribution given each draw of the items; with no ratings that is the prior of users.
func (f *posterior) enter(p model.Person) *person {
	t, _ := f.persons.Get().(*person)
	if t == nil {
		line := func() []float64 { return make([]float64, f.width) }
		t = &person{
			x: line(), step: line(), trial: line(), away: line(), gradient: line(), precision: make([]float64, f.width*f.width),
			own: make([]float32, f.kept*f.width), ownRoot: make([]float64, f.kept*f.width*f.width),
		}
	}
	if p.Index >= 0 && p.Index < len(f.known) && f.known[p.Index] {
		t.vectors, t.roots = f.users[p.Index*f.kept*f.width:][:f.kept*f.width], nil
		return t
	}
	t.vectors, t.roots = t.own, t.ownRoot
	for draw := range f.kept {
		t.gather(f, p, draw)
		if f.response == Gaussian {
			t.foldGaussian(f, draw)
		} else {
			t.foldProbit(f, draw)
		}
		put(t.vectors[draw*f.width:(draw+1)*f.width], t.x[0], t.x)
		copy(t.roots[draw*f.width*f.width:], t.precision)
	}
	return t
}

// gather collects rows (1, factors), biases and ratings of the items that a person rated. Items without ratings in
// training carry next to no information and are left out.
func (t *person) gather(f *posterior, p model.Person, draw int) {
	t.rows, t.offsets, t.targets, t.which = t.rows[:0], t.offsets[:0], t.targets[:0], t.which[:0]
	for k, i := range p.Known.Items {
		if int(i) >= len(f.rated) || !f.rated[i] {
			continue
		}
		item := f.vector(f.items, int(i), draw)
		t.which = append(t.which, k)
		t.rows = oneAnd(t.rows, item)
		t.offsets = append(t.offsets, float64(item[0]))
		if f.response == Gaussian {
			t.targets = append(t.targets, f.scale.standard(p.Known.Values[k])-float64(item[0]))
		} else {
			t.targets = append(t.targets, float64(f.scale.nearest(p.Known.Values[k])))
		}
	}
}

// foldGaussian writes mean and Cholesky factor of the precision of a person's vector.
func (t *person) foldGaussian(f *posterior, draw int) {
	prior := f.userPrior(draw)
	copy(t.precision, prior.precision)
	cholesky.Times(prior.precision, prior.mean, t.x)
	for k, target := range t.targets {
		row := t.rows[k*f.width : (k+1)*f.width]
		fitting.Add(t.x, f.noise[draw]*target, row)
		cholesky.AddOuter(t.precision, f.noise[draw], row)
	}
	cholesky.Must(cholesky.Solve(t.precision, t.x))
}

// foldProbit writes the mode of a person's vector and the Cholesky factor of the curvature there (Laplace), by Newton's
// method from the prior mean with halved steps. The posterior is log-concave.
func (t *person) foldProbit(f *posterior, draw int) {
	copy(t.x, f.userPrior(draw).mean)
	now := t.curve(f, draw, t.x)
	for iteration := 0; ; iteration++ {
		cholesky.Must(cholesky.Factorise(t.precision, f.width))
		copy(t.step, t.gradient)
		cholesky.SolveLower(t.precision, t.step)
		gain := fitting.Dot(t.step, t.step) / 2 // of a full step, were the curve quadratic
		if cholesky.SolveUpper(t.precision, t.step); gain < 1e-10 || iteration == 50 {
			return
		}
		for length := 1.0; ; length /= 2 {
			copy(t.trial, t.x)
			fitting.Add(t.trial, length, t.step)
			if next := t.curve(f, draw, t.trial); next > now || length < 1e-6 {
				now = next
				copy(t.x, t.trial)
				break
			}
		}
	}
}

// curve returns the log posterior of a vector, up to a constant; it sets its gradient and negative second derivatives.
func (t *person) curve(f *posterior, draw int, x []float64) (log float64) {
	prior, cuts := f.userPrior(draw), f.cuts(draw)
	copy(t.precision, prior.precision)
	copy(t.away, prior.mean)
	fitting.Add(t.away, -1, x)
	cholesky.Times(prior.precision, t.away, t.gradient)
	log = -fitting.Dot(t.away, t.gradient) / 2
	for k, level := range t.targets {
		row := t.rows[k*f.width : (k+1)*f.width]
		mean := t.offsets[k] + fitting.Dot(x, row)
		low, high := interval(cuts, int(level))
		fit, slope, curvature := intervalCurve(low-mean, high-mean)
		fitting.Add(t.gradient, slope, row)
		cholesky.AddOuter(t.precision, curvature, row)
		log += fit
	}
	return log
}

// mean is that of the latent value of an item for the person in a draw.
func (t *person) mean(f *posterior, draw int, item uint32) float64 {
	a := t.vectors[draw*f.width : (draw+1)*f.width]
	b := f.vector(f.items, int(item), draw)
	sum := a[0] + b[0]
	for k := 1; k < len(a); k++ {
		sum += a[k] * b[k]
	}
	return float64(sum)
}

// variance is that of the latent value, beside the noise: of a folded person's vector, and of an item's that has no
// ratings. Their product is left out.
func (t *person) variance(f *posterior, draw int, item uint32) (sum float64) {
	square := f.width * f.width
	if t.roots != nil {
		sum += t.spread(t.roots[draw*square:(draw+1)*square], f.vector(f.items, int(item), draw))
	}
	if !f.rated[item] {
		sum += t.spread(f.itemRoot(draw), t.vectors[draw*f.width:(draw+1)*f.width])
	}
	return sum
}

// spread is the variance xᵀP⁻¹x = |L⁻¹x|² of a product with x = (1, factors at the other end), from P = LLᵀ.
func (t *person) spread(root []float64, other []float32) float64 {
	t.step = oneAnd(t.step[:0], other)
	cholesky.SolveLower(root, t.step)
	return fitting.Dot(t.step, t.step)
}
