package maps

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"fubini/core/vec"
)

// PCA has the principal components of some vectors.
type PCA struct {
	Mean     []float64
	Axes     [][]float64 // unit vectors, the widest first
	Variance []float64   // along each
	Total    float64     // along all directions there are
}

// NewPCA computes the leading principal components, at most axes of them. The sign of an axis
// is arbitrary: its largest component is made positive.
func NewPCA(v Vectors, axes int) (*PCA, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	n, dim := v.Len(), v.Dim
	p := &PCA{Mean: make([]float64, dim)}
	for r := range n {
		vec.AddTimes(p.Mean, v.Row(r), 1/float64(n))
	}
	covariance := make([]float64, dim*dim)
	away := make([]float64, dim)
	for r := range n {
		for j, x := range v.Row(r) {
			away[j] = x - p.Mean[j]
		}
		for i, x := range away {
			vec.AddTimes(covariance[i*dim:(i+1)*dim], away, x/float64(n))
		}
	}
	for i := range dim {
		for j := range i { // symmetric to the last bit
			covariance[j*dim+i] = covariance[i*dim+j]
		}
		p.Total += covariance[i*dim+i]
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(dim, covariance), true) {
		return nil, fmt.Errorf("maps: the covariance of the vectors has no decomposition")
	}
	values := eigen.Values(nil) // ascending
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for k := range min(axes, dim) {
		at := dim - 1 - k
		axis := mat.Col(nil, at, &vectors)
		largest := 0
		for j, x := range axis {
			if math.Abs(x) > math.Abs(axis[largest])*(1+1e-9) {
				largest = j
			}
		}
		if axis[largest] < 0 {
			for j := range axis {
				axis[j] = -axis[j]
			}
		}
		p.Axes, p.Variance = append(p.Axes, axis), append(p.Variance, max(0, values[at]))
	}
	return p, nil
}

// Kept is the share of the total variance along the first axes; 1 if there is no variance.
func (p *PCA) Kept(axes int) float64 {
	if p.Total == 0 {
		return 1
	}
	var kept float64
	for _, v := range p.Variance[:min(axes, len(p.Variance))] {
		kept += v
	}
	return min(1, kept/p.Total)
}

// At is the projection of a vector on the first two axes.
func (p *PCA) At(vector []float64) Point {
	away := make([]float64, len(vector))
	for j, x := range vector {
		away[j] = x - p.Mean[j]
	}
	return p.Direction(away)
}

// Direction is the projection of a difference of vectors on the first two axes. The coordinate
// of an axis that does not exist is 0.
func (p *PCA) Direction(step []float64) (at Point) {
	if len(p.Axes) > 0 {
		at.X = vec.Dot(p.Axes[0], step)
	}
	if len(p.Axes) > 1 {
		at.Y = vec.Dot(p.Axes[1], step)
	}
	return at
}

// Points returns the projections of all vectors.
func (p *PCA) Points(v Vectors) []Point {
	points := make([]Point, v.Len())
	for n := range points {
		points[n] = p.At(v.Row(n))
	}
	return points
}
