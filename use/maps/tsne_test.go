package maps

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"fubini/core/rng"
)

// The gradient of t-SNE against differences of the divergence.
func TestTSNEGradient(t *testing.T) {
	v, _ := planted(2, 6, 3)
	l := newLayout(t.Context(), v, 4, 2)
	r := rng.Stream(1, "y")
	y := make([]Point, v.Len())
	for i := range y {
		y[i] = Point{r.NormFloat64(), r.NormFloat64()}
	}
	gradient := make([]Point, len(y))
	l.gradient(y, 1, gradient)
	const h = 1e-5
	for i := range y {
		for axis := range 2 {
			moved := func(by float64) float64 {
				z := slices.Clone(y)
				if axis == 0 {
					z[i].X += by
				} else {
					z[i].Y += by
				}
				return divergence(l, z)
			}
			got, want := gradient[i].X, (moved(h)-moved(-h))/(2*h)
			if axis == 1 {
				got = gradient[i].Y
			}
			// Affinities are kept in float32, so they sum to 1 within some 1e-6 only.
			if !(math.Abs(got-want) <= 1e-5) {
				t.Errorf("point %d, axis %d: gradient %g, by differences %g", i, axis, got, want)
			}
		}
	}
}

// divergence is the Kullback-Leibler divergence of a map from the affinities.
func divergence(l *layout, y []Point) (sum float64) {
	var total float64
	kernel := func(i, j int) float64 {
		dx, dy := y[i].X-y[j].X, y[i].Y-y[j].Y
		return 1 / (1 + dx*dx + dy*dy)
	}
	for _, pass := range []bool{false, true} {
		for i := range y {
			for j := range y {
				switch p := float64(l.p[i*l.n+j]); {
				case i == j:
				case !pass:
					total += kernel(i, j)
				case p > 0:
					sum += p * math.Log(p*total/kernel(i, j))
				}
			}
		}
	}
	return sum
}

// Affinities have the perplexity asked for.
func TestPerplexity(t *testing.T) {
	v, _ := planted(3, 20, 4)
	for i := range 5 {
		near := make([]float64, v.Len())
		for j := range near {
			near[j] = distance2(v.Row(i), v.Row(j))
		}
		affinities(near, i, 12)
		var entropy float64
		for _, p := range near {
			if p > 0 {
				entropy -= p * math.Log(p)
			}
		}
		if !(math.Abs(math.Exp(entropy)-12) <= 1e-3) || near[i] != 0 {
			t.Errorf("point %d: perplexity %g", i, math.Exp(entropy))
		}
	}
}

// Planted groups lie apart on the map: every point's nearest is of its own group. The
// map is the same with any number of workers.
func TestTSNESeparatesGroups(t *testing.T) {
	v, of := planted(4, 15, 10)
	ctx := context.Background()
	one, err := TSNE(ctx, v, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	three, err := TSNE(ctx, v, 0, 3)
	if err != nil || !slices.Equal(one, three) {
		t.Errorf("with three workers the map is another (%v)", err)
	}
	for i, p := range one {
		nearest, least := -1, math.Inf(1)
		for j, q := range one {
			if d := math.Hypot(p.X-q.X, p.Y-q.Y); j != i && d < least {
				nearest, least = j, d
			}
		}
		if of[nearest] != of[i] {
			t.Errorf("point %d of group %d is nearest to one of group %d", i, of[i], of[nearest])
		}
	}
	ended, stop := context.WithCancel(ctx)
	stop()
	if _, err := TSNE(ended, v, 0, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that had ended: %v", err)
	}
	for _, bad := range []Vectors{{Dim: 1, Data: []float64{1, 2, 3}}, {Dim: 1, Data: make([]float64, MostTSNE+1)}, {}} {
		if _, err := TSNE(ctx, bad, 0, 0); err == nil {
			t.Errorf("t-SNE of %d vectors", bad.Len())
		}
	}
	same := Vectors{Dim: 2, Data: make([]float64, 20)}
	points, err := TSNE(ctx, same, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		if math.IsNaN(p.X + p.Y) {
			t.Fatalf("equal vectors: %v", points)
		}
	}
}
