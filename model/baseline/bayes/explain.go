package bayes

import (
	"math"
	"slices"

	"fubini/core/cholesky"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/baseline/fitting"
)

// Dim is the number of factors in all draws together. Each draw has its own rotation, so that vectors of different
// draws cannot be added. One after the other, divided by the root of the number of draws, their inner product is the
// mean over the draws, which no rotation changes.
func (f *posterior) Dim() int { return f.kept * (f.width - 1) }

// ItemVector writes the factors of an item and returns its mean bias.
func (f *posterior) ItemVector(item uint32, vector []float64) (offset float64) {
	for draw := range f.kept {
		row := f.vector(f.items, int(item), draw)
		offset += float64(row[0]) / float64(f.kept)
		f.share(draw, row, vector)
	}
	return offset
}

// PersonVector writes the factors of somebody who is folded in.
func (f *posterior) PersonVector(known ratings.Row, vector []float64) {
	t := f.enter(model.Person{Index: -1, Known: known})
	defer f.persons.Put(t)
	for draw := range f.kept {
		f.share(draw, t.vectors[draw*f.width:(draw+1)*f.width], vector)
	}
}

// share writes the factors of one draw into a vector of all draws.
func (f *posterior) share(draw int, row []float32, vector []float64) {
	to := vector[draw*(f.width-1):]
	for k, x := range row[1:] {
		to[k] = float64(x) / math.Sqrt(float64(f.kept))
	}
}

// Explain writes the part of each rating in the score of an item, and returns the base to which they add up. In every
// draw the latent value is a sum: with normal ratings as for least squares; with an ordered probit the gradient
// vanishes at the mode, so that x - mu = P^-1 sum_k g_k v_k, with P the prior precision and g_k the slope of the k-th
// log likelihood there. The expected rating of a probit is not linear in the latent value: its change is divided in
// proportion. Ratings of items that nobody rated in training have no part.
func (f *posterior) Explain(known ratings.Row, item uint32, parts []float64) (base float64, exact, ok bool) {
	p := model.Person{Index: -1, Known: known}
	t := f.enter(p)
	defer f.persons.Put(t)
	clear(parts)
	for draw := range f.kept {
		row := f.vector(f.items, int(item), draw)
		v := oneAnd(nil, row)
		from := float64(row[0]) + fitting.Dot(f.userPrior(draw).mean, v)
		each := t.pulls(f, p, draw, v)
		to, scale := from, f.scale.deviation
		for _, part := range each {
			to += part
		}
		if f.response == OrderedProbit {
			scale = f.slopeBetween(t, draw, item, from, to)
		}
		for k, part := range each {
			parts[t.which[k]] += scale * part / float64(f.kept)
		}
	}
	// What is left is the base, and what rounding of draws to float32 leaves.
	one := make([]float64, 1)
	f.Score(p, []uint32{item}, one)
	base = one[0]
	for _, part := range parts {
		base -= part
	}
	return base, f.response == Gaussian, true
}

// pulls are what each gathered rating adds to the value of an item in a draw. The item's (1, factors) are overwritten.
func (t *person) pulls(f *posterior, p model.Person, draw int, v []float64) []float64 {
	t.gather(f, p, draw)
	prior, vector := f.userPrior(draw), t.vectors[draw*f.width:(draw+1)*f.width]
	pull := make([]float64, len(t.targets))
	matrix := slices.Clone(prior.precision)
	row := func(k int) []float64 { return t.rows[k*f.width : (k+1)*f.width] }
	for k, target := range t.targets {
		if f.response == Gaussian {
			pull[k] = f.noise[draw] * (target - fitting.Dot(prior.mean, row(k)))
			cholesky.AddOuter(matrix, f.noise[draw], row(k))
			continue
		}
		mean := t.offsets[k]
		for d, x := range vector {
			mean += float64(x) * row(k)[d]
		}
		low, high := interval(f.cuts(draw), int(target))
		_, pull[k], _ = intervalCurve(low-mean, high-mean)
	}
	cholesky.Must(cholesky.Solve(matrix, v))
	for k := range pull {
		pull[k] *= fitting.Dot(v, row(k))
	}
	return pull
}

// slopeBetween is how fast the expected rating of an item rises from one value to another, in a draw.
func (f *posterior) slopeBetween(t *person, draw int, item uint32, from, to float64) float64 {
	deviation := math.Sqrt(1 + t.variance(f, draw, item))
	const near = 1e-6
	if math.Abs(to-from) < near {
		to = from + near
	}
	return (f.scale.expected(f.cuts(draw), to, deviation) - f.scale.expected(f.cuts(draw), from, deviation)) / (to - from)
}
