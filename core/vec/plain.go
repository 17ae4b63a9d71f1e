//go:build !amd64 || purego

package vec

// Kernels names what runs here.
func Kernels() string { return "plain Go" }

func dot(a, b []float64) float64                  { return dotPlain(a, b) }
func dotRows(out, a, rows []float64)              { dotRowsPlain(out, a, rows) }
func addTimes(to, from []float64, factor float64) { addTimesPlain(to, from, factor) }
func addRows(to, rows, factors []float64)         { addRowsPlain(to, rows, factors) }
func scale(values []float64, factor float64)      { scalePlain(values, factor) }
func exp(values []float64)                        { expPlain(values) }

func addRowsAt(to, rows []float64, at []uint32, factors []float64) {
	addRowsAtPlain(to, rows, at, factors)
}

func addAt(to []float64, at []uint32, values []float32, factor float64, _ int) {
	addAtPlain(to, at, values, factor)
}

func addAtKinds(to []float64, at []uint32, values []float32, kinds []uint8, factor float64, table *[256]float64, _ int) {
	addAtKindsPlain(to, at, values, kinds, factor, table)
}

func fetch(*uint32) {}

func blend(out, factors, a, b []float64, x, y float64) { blendPlain(out, factors, a, b, x, y) }

func mix(out, highest, scale []float32, near []float64, smooth []float32, first, second float32) {
	mixPlain(out, highest, scale, near, smooth, first, second)
}

func (p *Panels) scores(out, vectors []float32, count, apart int) {
	p.scoresPlain(out, vectors, count, apart)
}

func (c *Coarse) scores(out []float32, vectors []int16, scales []float32, apart int) {
	c.scoresPlain(out, vectors, scales, apart)
}

func addTile(to []float32, stride int, factors, rows []float32, count int) {
	addTilePlain(to, stride, factors, rows, count)
}

func addRowsAtSingle(to, rows []float32, stride int, at []uint32, factors []float32) {
	addRowsAtSinglePlain(to, rows, stride, at, factors, 0)
}

func addTimesSingle(to []float64, from []float32, factor float64) {
	addTimesSinglePlain(to, from, factor)
}

func addTimesTwo(first, second, from []float64, a, b float64) {
	addTimesTwoPlain(first, second, from, a, b)
}

func towards(to, mean []float64, share float64) { towardsPlain(to, mean, share) }

func towardsEach(to, mean, factors []float64, share float64) {
	towardsEachPlain(to, mean, factors, share)
}

func products(out, rows []float64, at []int, columns []float64, k, wide int) {
	productsPlain(out, rows, at, columns, k, wide)
}

func combine(out []float64, at []int, rows, factors, own, each []float64, k int) {
	combinePlain(out, at, rows, factors, own, each, k)
}

func weigh(out, within, linear, slope, base, away []float64, wide int, half float64) {
	weighPlain(out, within, linear, slope, base, away, wide, half)
}

func spread(values, first, second, sums, each, away []float64) {
	spreadPlain(values, first, second, sums, each, away)
}
