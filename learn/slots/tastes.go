package slots

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fubini/core/parallel"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/data/ratings"
	"fubini/learn/ascent"
	"fubini/model"
	"fubini/model/baseline/bayes"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Sampled tastes: the mean of the prior of worths and weights of units by a normal factorisation of the orders, averaged over the draws of
// a Gibbs sampler. See docs/maths.md#sampled-tastes; docs/ideas-ranking.md has the figures.
const (
	tasteFactors = 6
	tasteBurn    = 100 // sweeps: in fewer a taste may not be found yet
	tasteSweeps  = 500 // burn-in included
	trialSweeps  = 300 // of trial fits: enough to choose by
	tasteRounds  = 12  // of subspace iteration
	tasteSpare   = 4   // directions beside those that are wanted
	// tasteFactor is that of the precision of W around this mean, and of its coefficients of co-occurrence: what is known of the directions comes from
	// averaging, and the fit is not to move them to a point of its own.
	tasteFactor = 100
	// fewerEpochs is the share of epochs that a fit from there takes.
	fewerEpochs = 1. / 2
)

// usesTastes reports whether the prior has the mean of sampled tastes. A point to start from is such a mean itself, and shards have that of the whole.
func (o *Options) usesTastes() bool {
	return o.Prior.Tastes == ascent.Always && o.Start == nil && o.Prior.Shares == nil && o.Hidden > 0 && o.Units == latent.Gaussian && o.Size > 0 && o.Centred
}

// tastesOf returns the prior means of the worths and of the weights of k units that the orders of lists have by the factorisation. The scores of
// a list have this size; the sampler makes this many sweeps.
func tastesOf(ctx context.Context, items, k int, size float64, lists []osm.Packed, sweeps int, seed uint64, jobs int) (*ascent.Tastes, error) {
	t := &ascent.Tastes{U: make([]float64, items), W: make([]float64, items*k)}
	rows, listed := make([]ratings.Row, len(lists)), []int(nil)
	seen, places := make([]bool, items), 0
	for l, list := range lists {
		rows[l] = ratings.Row{Items: list.Items, Values: normalScores(list)}
		places += len(list.Items)
		for _, i := range list.Items {
			seen[i] = true
		}
	}
	for i, s := range seen {
		if s {
			listed = append(listed, i)
		}
	}
	wanted := min(tasteFactors, k, len(listed)-1, len(lists)-1)
	if wanted < 1 {
		return t, nil
	}
	means, err := bayes.MeansOf(ctx, rows, items, min(tasteFactors, len(listed), len(lists)), tasteBurn, sweeps, model.Run{Seed: seed, Jobs: jobs})
	if err != nil {
		return nil, fmt.Errorf("slots: tastes: %w", err)
	}
	people, n := len(means.Value)/items, len(listed)
	scores, average := make([]float64, people*n), make([]float64, n) // by person, and then by item; centred both ways
	for p := range people {
		row := scores[p*n : (p+1)*n]
		for j, i := range listed {
			row[j] = means.Value[p*items+i]
		}
		middle := 0.0
		for _, v := range row {
			middle += v / float64(n)
		}
		for j := range row {
			row[j] -= middle
		}
		vec.AddTimes(average, row, 1/float64(people))
	}
	for p := range people {
		vec.AddTimes(scores[p*n:(p+1)*n], average, -1)
	}
	axes, squares, ok := leading(scores, n, wanted, seed, jobs)
	if !ok {
		return t, nil
	}
	// A score of the model is size/sqrt(12) times the normal score, nearly.
	share := float64(places) / float64(len(lists)) / float64(n) // of all items in a list
	for r, square := range squares {
		// Posterior means of a coordinate have the variance v²/(v+e): v is that of the coordinate, e the variance of its estimate by a list.
		variance, e := square/float64(people), 1/(means.Noise*share)
		v := (variance + math.Sqrt(float64(variance*variance)+float64(4*variance*e))) / 2
		if v == 0 { // and so have those that follow
			break
		}
		gain := 1 / (share + 1/(means.Noise*v)) // of the products of axis and scores, for the posterior mean of the coordinate
		length := math.Sqrt(12*means.Noise*gain) / size
		t.Ridge = append(t.Ridge, 1/(means.Noise*v))
		for j, i := range listed {
			t.W[i*k+r] = length * axes[r*n+j]
		}
	}
	for j, i := range listed {
		t.U[i] = math.Sqrt(12) * means.Noise / size * average[j]
	}
	return t, nil
}

// normalScores are the values that the items of a list would have on average if their order were that of normal draws, with mean square 1: higher
// for better tiers, and the mean of those of the places of its tier for each item.
func normalScores(list osm.Packed) []float32 {
	n := len(list.Items)
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list.Tiers[b], list.Tiers[a]) })
	quantiles, square := make([]float64, n), 0.0
	for r := range quantiles {
		quantiles[r] = math.Sqrt2 * math.Erfinv(2*(float64(r)+0.625)/(float64(n)+0.25)-1) // Blom 1958
		square += float64(quantiles[r]*quantiles[r]) / float64(n)
	}
	scores := make([]float32, n)
	for from, to := 0, 0; from < n; from = to {
		sum := 0.0
		for to = from; to < n && list.Tiers[order[to]] == list.Tiers[order[from]]; to++ {
			sum += quantiles[to]
		}
		for _, k := range order[from:to] {
			scores[k] = float32(sum / float64(to-from) / math.Sqrt(max(square, math.SmallestNonzeroFloat32)))
		}
	}
	return scores
}

// leading returns the leading right singular vectors of a matrix with rows of n numbers, one after another, nearly, and the squares of their singular
// values, by subspace iteration.
func leading(m []float64, n, wanted int, seed uint64, jobs int) (axes, squares []float64, ok bool) {
	wide := min(wanted+tasteSpare, n)
	r := rng.Stream(seed, "tastes")
	basis := make([]float64, wide*n)
	for k := range basis {
		basis[k] = r.NormFloat64()
	}
	for range tasteRounds {
		orthonormalise(basis, n)
		basis = products(m, basis, n, jobs)
	}
	orthonormalise(basis, n)
	image := products(m, basis, n, jobs)
	inner := mat.NewSymDense(wide, nil)
	for a := range wide {
		for b := range a + 1 {
			inner.SetSym(a, b, vec.Dot(basis[a*n:(a+1)*n], image[b*n:(b+1)*n]))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(inner, true) {
		return nil, nil, false
	}
	var ascending mat.Dense
	e.VectorsTo(&ascending)
	axes, values := make([]float64, wanted*n), e.Values(nil)
	for k := range wanted {
		at := wide - 1 - k
		vec.AddRows(axes[k*n:(k+1)*n], basis, mat.Col(nil, at, &ascending))
		squares = append(squares, max(0, values[at]))
	}
	return axes, squares, true
}

// orthonormalise turns rows of n numbers into an orthonormal basis of what they span, and of zeros. Twice is enough (Giraud, Langou and Rozložník 2005).
func orthonormalise(rows []float64, n int) {
	for k := 0; k < len(rows); k += n {
		row := rows[k : k+n]
		before := math.Sqrt(vec.Dot(row, row))
		for range 2 {
			for j := 0; j < k; j += n {
				vec.AddTimes(row, rows[j:j+n], -vec.Dot(row, rows[j:j+n]))
			}
		}
		if length := math.Sqrt(vec.Dot(row, row)); length > 1e-12*before {
			vec.Scale(row, 1/length)
		} else {
			clear(row)
		}
	}
}

// products is mᵀ m times each row of a basis. Every sum is in the order of the rows of m within a piece, and of the pieces.
func products(m, basis []float64, n, jobs int) []float64 {
	const piece = 64
	rows := len(m) / n
	parts := make([][]float64, (rows+piece-1)/piece)
	parallel.Do(len(parts), jobs, func(_, p int) {
		parts[p] = make([]float64, len(basis))
		for r := p * piece; r < min((p+1)*piece, rows); r++ {
			row := m[r*n : (r+1)*n]
			for k := 0; k < len(basis); k += n {
				vec.AddTimes(parts[p][k:k+n], row, vec.Dot(row, basis[k:k+n]))
			}
		}
	})
	for _, p := range parts[1:] {
		vec.AddTimes(parts[0], p, 1)
	}
	return parts[0]
}
