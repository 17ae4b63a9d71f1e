package maps

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/core/vec"
	"fubini/model/latent"
	"fubini/model/osm"
)

// planted are vectors around a few centres far from each other, and which centre each
// has.
func planted(groups, each, dim int) (Vectors, []int) {
	r := rng.Stream(1, "planted")
	v := Vectors{Dim: dim}
	var of []int
	for g := range groups {
		centre := make([]float64, dim)
		for j := range centre {
			centre[j] = 10 * r.NormFloat64()
		}
		for range each {
			for _, c := range centre {
				v.Data = append(v.Data, c+r.NormFloat64())
			}
			of = append(of, g)
		}
	}
	return v, of
}

// By hand, in the plane: points along a diagonal, a little off it.
func TestPCAByHand(t *testing.T) {
	v, err := Rows([][]float64{{1, 1}, {3, 3}, {-1, -1}, {1.5, 0.5}, {0.5, 1.5}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPCA(v, 2)
	if err != nil {
		t.Fatal(err)
	}
	root := math.Sqrt2 / 2
	near(t, "axes", append(slices.Clone(p.Axes[0]), math.Abs(p.Axes[1][0])), []float64{root, root, root})
	near(t, "variances", p.Variance, []float64{16.0 / 5, 1.0 / 5})
	near(t, "mean and share", append(slices.Clone(p.Mean), p.Kept(1), p.Kept(2)), []float64{1, 1, 16.0 / 17, 1})
	at := p.At([]float64{3, 3})
	near(t, "place", []float64{at.X, at.Y}, []float64{2 * math.Sqrt2, 0})
}

// Axes are eigenvectors of the covariance, orthogonal to each other, the widest first;
// all of them keep everything.
func TestPCAIsTheEigenDecomposition(t *testing.T) {
	v, _ := planted(4, 20, 6)
	p, err := NewPCA(v, 6)
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(p.Kept(6)-1) <= 1e-12) || !slices.IsSortedFunc(p.Variance, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
		t.Errorf("kept %g, variances %v", p.Kept(6), p.Variance)
	}
	for a, axis := range p.Axes {
		times := make([]float64, v.Dim) // covariance times axis
		for n := range v.Len() {
			away := slices.Clone(v.Row(n))
			vec.AddTimes(away, p.Mean, -1)
			vec.AddTimes(times, away, vec.Dot(away, axis)/float64(v.Len()))
		}
		for j := range times {
			times[j] /= p.Variance[a]
		}
		near(t, fmt.Sprint("axis ", a), times, axis)
		for b, other := range p.Axes[:a] {
			if !(math.Abs(vec.Dot(axis, other)) <= 1e-12) {
				t.Errorf("axes %d and %d have the product %g", a, b, vec.Dot(axis, other))
			}
		}
	}
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= 1e-9*max(1, math.Abs(want[k]))) {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

func TestNearestAgainstAllPairs(t *testing.T) {
	v, _ := planted(3, 15, 4)
	clear(v.Row(7)) // one of which nothing is known
	for _, metric := range []Metric{Cosine, Inner} {
		to := v.Row(3)
		got, err := Nearest(v, to, 10, metric, func(row int) bool { return row == 3 })
		if err != nil {
			t.Fatal(err)
		}
		for rank, each := range got {
			nearer := 0
			for r := range v.Len() {
				if r != 3 && similarity(v.Row(r), to, metric) > each.Similarity+1e-12 {
					nearer++
				}
			}
			if each.Row == 3 || nearer > rank || !(math.Abs(similarity(v.Row(each.Row), to, metric)-each.Similarity) <= 1e-12) {
				t.Errorf("metric %d: place %d has row %d at %g, %d are nearer", metric, rank, each.Row, each.Similarity, nearer)
			}
		}
	}
	equal := Vectors{Dim: 1, Data: []float64{1, 2, 3}}
	if got, err := Nearest(equal, []float64{1}, 5, Cosine, nil); err != nil || len(got) != 3 || got[0].Row != 0 || got[2].Row != 2 {
		t.Errorf("equally near rows: %v, %v", got, err)
	}
	if _, err := Nearest(v, []float64{1}, 3, Cosine, nil); err == nil {
		t.Error("a vector of another length was taken")
	}
	if _, err := ParseMetric("taxi"); err == nil {
		t.Error("a metric that is none")
	}
}

func similarity(a, b []float64, metric Metric) float64 {
	var product, left, right float64
	for j := range a {
		product += a[j] * b[j]
		left += a[j] * a[j]
		right += b[j] * b[j]
	}
	if metric == Inner {
		return product
	}
	if left*right == 0 {
		return 0
	}
	return product / math.Sqrt(left*right)
}

// The objective never rises, and planted groups are found, as is their number.
func TestClustersArePlantedGroups(t *testing.T) {
	v, of := planted(4, 25, 5)
	c, silhouette, err := Groups(v, 8, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Centres) != 4 || !(silhouette > 0.6) {
		t.Fatalf("%d clusters of silhouette %g", len(c.Centres), silhouette)
	}
	for n := range of {
		for m := range n {
			if (of[n] == of[m]) != (c.Of[n] == c.Of[m]) {
				t.Fatalf("vectors %d and %d", n, m)
			}
		}
	}
	loose := Vectors{Dim: 5}
	r := rng.Stream(2, "loose")
	for range 500 {
		loose.Data = append(loose.Data, r.NormFloat64())
	}
	for k := 1; k <= 7; k++ {
		c, err := KMeans(loose, k, 1)
		if err != nil {
			t.Fatal(err)
		}
		for round := 1; round < len(c.Trace); round++ {
			if c.Trace[round] > c.Trace[round-1]*(1+1e-12) {
				t.Errorf("k = %d: the objective rose from %g to %g", k, c.Trace[round-1], c.Trace[round])
			}
		}
		if !slices.IsSortedFunc(c.Sizes, func(a, b int) int { return b - a }) {
			t.Errorf("sizes %v", c.Sizes)
		}
	}
	same := Vectors{Dim: 1, Data: []float64{2, 2, 2}}
	if c, err := KMeans(same, 2, 1); err != nil || c.Inner != 0 {
		t.Errorf("equal vectors: %+v, %v", c, err)
	}
	for _, k := range []int{0, 4} {
		if _, err := KMeans(same, k, 1); err == nil {
			t.Errorf("%d clusters of three vectors", k)
		}
	}
}

// By hand: 0 and 1 in one cluster, 5 in another. Of 0 the silhouette is (5-1)/5, of 1
// (4-1)/4, and 5 is alone.
func TestSilhouetteByHand(t *testing.T) {
	v := Vectors{Dim: 1, Data: []float64{0, 1, 5}}
	got := Silhouette(v, &Clusters{Of: []int{0, 0, 1}, Centres: [][]float64{{0.5}, {5}}})
	if want := (0.8 + 0.75) / 3; !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("silhouette %g, by hand %g", got, want)
	}
}

// The gradient of t-SNE against differences of the divergence.
func TestTSNEGradient(t *testing.T) {
	v, _ := planted(2, 6, 3)
	l := newLayout(v, 4, 2)
	r := rng.Stream(1, "y")
	y := make([]Point, v.Len())
	for i := range y {
		y[i] = Point{r.NormFloat64(), r.NormFloat64()}
	}
	gradient, scratch := make([]Point, len(y)), make([]Point, len(y))
	l.gradient(y, 1, gradient, true)
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
				return l.gradient(z, 1, scratch, true)
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
	one, err := TSNE(ctx, v, TSNEOptions{Steps: 400, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	three, err := TSNE(ctx, v, TSNEOptions{Steps: 400, Jobs: 3})
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
	if _, err := TSNE(ended, v, TSNEOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that had ended: %v", err)
	}
	for _, bad := range []struct {
		v Vectors
		o TSNEOptions
	}{{Vectors{Dim: 1, Data: []float64{1, 2, 3}}, TSNEOptions{}}, {v, TSNEOptions{Perplexity: 100}}, {Vectors{Dim: 1, Data: make([]float64, MostTSNE+1)}, TSNEOptions{}}, {Vectors{}, TSNEOptions{}}} {
		if _, err := TSNE(ctx, bad.v, bad.o); err == nil {
			t.Errorf("t-SNE of %d vectors with %+v", bad.v.Len(), bad.o)
		}
	}
	same := Vectors{Dim: 2, Data: make([]float64, 20)}
	points, err := TSNE(ctx, same, TSNEOptions{Steps: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points {
		if math.IsNaN(p.X + p.Y) {
			t.Fatalf("equal vectors: %v", points)
		}
	}
}

// A stranger stands at the middle, somebody who likes an item on its side; the ring
// holds draws of the posterior as often as it says.
func TestPeopleOnTheItemMap(t *testing.T) {
	r := rng.Stream(4, "item map")
	for _, units := range []latent.Units{latent.Gaussian, latent.Binary} {
		c := latent.NewCatalogue(30, 5, units, latent.Options{Size: 2, Centred: true})
		for i := range c.W {
			c.W[i] = 0.2 * r.NormFloat64() * float64(1+i%5)
		}
		m, err := NewItemMap(c)
		if err != nil {
			t.Fatal(err)
		}
		at, _, err := m.Person(osm.List{}, 0.8)
		if err != nil || !(math.Hypot(at.X, at.Y) <= 1e-12) {
			t.Errorf("a stranger stands at %v (%v)", at, err)
		}
		order, err := partition.Parse("0 > 1 > 2")
		if err != nil {
			t.Fatal(err)
		}
		list := osm.List{Items: []int{3, 9, 20}, Order: order}
		at, ring, err := m.Person(list, 0.8)
		if err != nil || ring.X != at.X || ring.Y != at.Y || !(ring.RX >= ring.RY && ring.RY > 0) {
			t.Fatalf("person %v, ring %+v, %v", at, ring, err)
		}
		model, err := c.Model(list.Items)
		if err != nil {
			t.Fatal(err)
		}
		mean, draw := make([]float64, 5), make([]float64, 5)
		model.Posterior(order, mean)
		const draws = 20000
		inside := 0
		sin, cos := math.Sincos(ring.Angle * math.Pi / 180)
		for range draws {
			for k, v := range mean {
				draw[k] = v + r.NormFloat64()
				if units == latent.Binary { // normal with its variance, as the ring has it
					draw[k] = v + math.Sqrt(v*(1-v))*r.NormFloat64()
				}
			}
			p := m.Taste(draw)
			dx, dy := p.X-at.X, p.Y-at.Y
			if math.Hypot((dx*cos+dy*sin)/ring.RX, (dy*cos-dx*sin)/ring.RY) <= 1 {
				inside++
			}
		}
		if share := float64(inside) / draws; !(math.Abs(share-0.8) <= 0.015) { // five standard errors
			t.Errorf("%v: the ring holds %.3f of the draws", units, share)
		}
		if shown, of := m.Directions(); shown != 2 || of != 5 || !(m.Kept() > 0.4 && m.Kept() <= 1) {
			t.Errorf("%d of %d directions keep %g", shown, of, m.Kept())
		}
		if _, _, err := m.Person(list, 1); err == nil {
			t.Error("a ring that holds everything")
		}
		if _, _, err := m.Person(osm.List{Items: []int{99}, Order: partition.OneBlock(1)}, 0.8); err == nil {
			t.Error("an item outside the catalogue")
		}
	}
	if _, err := NewItemMap(latent.NewCatalogue(4, 0, latent.Gaussian, latent.Options{})); err == nil {
		t.Error("a map without units")
	}
	one := latent.NewCatalogue(3, 1, latent.Gaussian, latent.Options{})
	copy(one.W, []float64{1, 0, -1})
	m, err := NewItemMap(one)
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Item(0); p.Y != 0 || p.X == 0 {
		t.Errorf("with a single unit an item stands at %v", p)
	}
}

// Pictures can be read, and something is on them.
func TestPictures(t *testing.T) {
	layers := []Layer{{Name: "people", Points: []Point{{0, 1}, {2, 3}, {1, 1}}}, {Name: "items", Points: []Point{{1, 2}}, Labels: []string{"Alien & <co>"}, Small: true}, {}}
	var raster bytes.Buffer
	if err := Picture(&raster, "png", "Map", layers); err != nil {
		t.Fatal(err)
	}
	image, err := png.Decode(&raster)
	if err != nil {
		t.Fatal(err)
	}
	colours := map[[3]uint32]int{}
	for y := range image.Bounds().Dy() {
		for x := range image.Bounds().Dx() {
			r, g, b, _ := image.At(x, y).RGBA()
			colours[[3]uint32{r, g, b}]++
		}
	}
	if len(colours) < 10 || image.Bounds().Dx() < 300 {
		t.Errorf("%d colours on a picture of %v", len(colours), image.Bounds())
	}
	var vector bytes.Buffer
	if err := Picture(&vector, "svg", "Map", layers); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(vector.Bytes(), []byte("Alien &amp; &lt;co&gt;")) {
		t.Error("no label in the svg")
	}
	for decoder := xml.NewDecoder(&vector); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := Picture(io.Discard, "bmp", "Map", layers); err == nil {
		t.Error("a kind that is none")
	}
	if err := Picture(io.Discard, "png", "Map", []Layer{{Points: []Point{{1, 1}}}}); err != nil {
		t.Errorf("a single point: %v", err)
	}
}

func TestVectorsThatAreNone(t *testing.T) {
	if _, err := Rows([][]float64{{1, 2}, {3}}); err == nil {
		t.Error("rows of two lengths")
	}
	if _, err := Rows(nil); err == nil {
		t.Error("no rows")
	}
	for _, v := range []Vectors{{}, {Dim: 2, Data: []float64{1}}, {Dim: 1, Data: []float64{math.NaN()}}} {
		if _, err := NewPCA(v, 2); err == nil {
			t.Errorf("PCA of %v", v)
		}
	}
}

func ExampleNearest() {
	// Three films by two tastes.
	films := Vectors{Dim: 2, Data: []float64{1, 0.1, -1, 0.2, 0.8, 0.3}}
	found, err := Nearest(films, films.Row(0), 2, Cosine, func(row int) bool { return row == 0 })
	if err != nil {
		panic(err)
	}
	for _, each := range found {
		fmt.Printf("film %d, %.2f\n", each.Row, each.Similarity)
	}
	// Output:
	// film 2, 0.97
	// film 1, -0.96
}
