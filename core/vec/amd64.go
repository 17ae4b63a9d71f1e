//go:build amd64 && !purego

package vec

import "golang.org/x/sys/cpu"

// fast reports whether the assembly runs here, fused whether that of scoring does.
var (
	fast  = cpu.X86.HasAVX2
	fused = cpu.X86.HasAVX2 && cpu.X86.HasFMA
	wide  = cpu.X86.HasAVX512F
)

// Kernels is the name of the instruction set in use.
func Kernels() string {
	if fast {
		return "AVX2"
	}
	return "plain Go"
}

func dot(a, b []float64) float64 {
	if fast {
		return dotAVX2(a, b)
	}
	return dotPlain(a, b)
}

func dotRows(out, a, rows []float64) {
	if fast {
		dotRowsAVX2(out, a, rows)
		return
	}
	dotRowsPlain(out, a, rows)
}

func addTimes(to, from []float64, factor float64) {
	if fast {
		addTimesAVX2(to, from, factor)
		return
	}
	addTimesPlain(to, from, factor)
}

func addRows(to, rows, factors []float64) {
	if fast {
		addRowsAVX2(to, rows, factors)
		return
	}
	addRowsPlain(to, rows, factors)
}

func addRowsAt(to, rows []float64, at []uint32, factors []float64) {
	if fast {
		addRowsAtAVX2(to, rows, at, factors)
		return
	}
	addRowsAtPlain(to, rows, at, factors)
}

func scale(values []float64, factor float64) {
	if fast {
		scaleAVX2(values, factor)
		return
	}
	scalePlain(values, factor)
}

func exp(values []float64) {
	if fast {
		expAVX2(values)
		return
	}
	expPlain(values)
}

func addAt(to []float64, at []uint32, values []float32, factor float64, ahead int) {
	if !fast {
		addAtPlain(to, at, values, factor)
		return
	}
	if left := addAtAVX2(to, at, values, factor, ahead); left > 0 {
		addAtPlain(to, at[len(at)-left:], values[len(at)-left:], factor) // which panics
	}
}

func addAtKinds(to []float64, at []uint32, values []float32, kinds []uint8, factor float64, table *[256]float64, ahead int) {
	if !fast {
		addAtKindsPlain(to, at, values, kinds, factor, table)
		return
	}
	if left := addAtKindsAVX2(to, at, values, kinds, factor, table, ahead); left > 0 {
		done := len(at) - left
		addAtKindsPlain(to, at[done:], values[done:], kinds[done:], factor, table) // which panics
	}
}

func blend(out, factors, a, b []float64, x, y float64) {
	whole := 0
	if fast && len(out) >= 4 {
		whole = len(out) &^ 3
		blendAVX2(&out[0], &factors[0], &a[0], &b[0], x, y, whole)
	}
	blendPlain(out[whole:], factors[whole:], a[whole:], b[whole:], x, y)
}

func mix(out, highest, scale []float32, near []float64, smooth []float32, first, second float32) {
	whole := 0
	if runs := len(out) / Run; fused && runs > 0 {
		mixFMA(&out[0], &highest[0], &scale[0], &near[0], &smooth[0], first, second, runs)
		whole = runs * Run
	}
	mixPlain(out[whole:], highest[whole/Run:], scale[whole:], near[whole:], smooth[whole:], first, second)
}

func (p *Panels) scores(out, vectors []float32, count, apart int) {
	if !fused || p.k == 0 {
		p.scoresPlain(out, vectors, count, apart)
		return
	}
	stride, k := p.Stride(), p.k
	v := 0
	for ; v+4 <= count; v += 4 { // four vectors share every panel they load
		for at := 0; at < stride; at += panelRows {
			panels4x1FMA(&out[v*apart+at], &p.base[at], &p.data[at*k], &vectors[v*k], k, apart)
		}
	}
	for ; v < count; v++ {
		at := 0
		for ; at+4*panelRows <= stride; at += 4 * panelRows {
			panels1x4FMA(&out[v*apart+at], &p.base[at], &p.data[at*k], &vectors[v*k], k, apart)
		}
		if at < stride {
			p.last(out[v*apart:v*apart+stride], vectors[v*k:(v+1)*k], at)
		}
	}
}

// last scores the panels from a place on, fewer than four, by plain loops.
func (p *Panels) last(out, vector []float32, from int) {
	rest := Panels{rows: p.rows - from, k: p.k, base: p.base[from:], data: p.data[from*p.k:]}
	rest.scoresPlain(out[from:], vector, 1, len(out))
}

func (c *Coarse) scores(out []float32, vectors []int16, scales []float32, apart int) {
	if !fused || c.pairs == 0 {
		c.scoresPlain(out, vectors, scales, apart)
		return
	}
	stride, long := c.Stride(), 2*c.pairs
	v := 0
	for ; v+4 <= len(scales); v += 4 {
		for at := 0; at < stride; at += panelRows {
			coarse4x1FMA(&out[v*apart+at], &c.base[at], &c.scale[at], &c.data[at*long], &vectors[v*long], &scales[v], c.pairs, apart)
		}
	}
	for ; v < len(scales); v++ {
		at := 0
		for ; at+4*panelRows <= stride; at += 4 * panelRows {
			coarse1x4FMA(&out[v*apart+at], &c.base[at], &c.scale[at], &c.data[at*long], &vectors[v*long], &scales[v], c.pairs)
		}
		if at < stride {
			rest := Coarse{k: c.k, pairs: c.pairs, base: c.base[at:], scale: c.scale[at:], data: c.data[at*long:]}
			rest.scoresPlain(out[v*apart+at:], vectors[v*long:(v+1)*long], scales[v:v+1], apart)
		}
	}
}

func addTile(to []float32, stride int, factors, rows []float32, count int) {
	if !fused {
		addTilePlain(to, stride, factors, rows, count)
		return
	}
	r, high := 0, len(factors)/count
	if wide {
		for ; r+4 <= high; r += 4 {
			addTileAVX512(&to[r*stride], &factors[r*count], &rows[0], stride, count)
		}
	}
	for ; r < high; r++ {
		addTileFMA(&to[r*stride], &factors[r*count], &rows[0], count)
	}
}

func addRowsAtSingle(to, rows []float32, stride int, at []uint32, factors []float32) {
	whole := 0
	if wide && len(factors) > 0 && len(to) >= 80 {
		whole = len(to) / 80 * 80
		addRowsAtSingleAVX512(&to[0], &rows[0], &at[0], &factors[0], whole, stride, len(factors))
	}
	if fast && len(factors) > 0 && len(to)-whole >= 8 {
		rest := (len(to) - whole) &^ 7
		addRowsAtSingleAVX2(&to[whole], &rows[whole], &at[0], &factors[0], rest, stride, len(factors))
		whole += rest
	}
	addRowsAtSinglePlain(to, rows, stride, at, factors, whole)
}

func addTimesSingle(to []float64, from []float32, factor float64) {
	whole := 0
	if fast && len(to) >= 4 {
		whole = len(to) &^ 3
		addTimesSingleAVX2(&to[0], &from[0], factor, whole)
	}
	addTimesSinglePlain(to[whole:], from[whole:], factor)
}

func addTimesTwo(first, second, from []float64, a, b float64) {
	whole := 0
	if fast && len(from) >= 4 {
		whole = len(from) &^ 3
		addTimesTwoAVX2(&first[0], &second[0], &from[0], a, b, whole)
	}
	addTimesTwoPlain(first[whole:], second[whole:], from[whole:], a, b)
}

func towards(to, mean []float64, share float64) {
	whole := 0
	if fast && len(to) >= 4 {
		whole = len(to) &^ 3
		towardsAVX2(&to[0], &mean[0], share, whole)
	}
	towardsPlain(to[whole:], mean[whole:], share)
}

func towardsEach(to, mean, factors []float64, share float64) {
	whole := 0
	if fast && len(to) >= 4 {
		whole = len(to) &^ 3
		towardsEachAVX2(&to[0], &mean[0], &factors[0], share, whole)
	}
	towardsEachPlain(to[whole:], mean[whole:], factors[whole:], share)
}

func products(out, rows []float64, at []int, columns []float64, k, wide int) {
	done := 0
	if fast && k > 0 && wide > 0 && wide%8 == 0 {
		for ; done+4 <= len(at); done += 4 {
			four := at[done : done+4 : done+4]
			productsAVX2(&out[done*wide], &rows[four[0]*k], &rows[four[1]*k], &rows[four[2]*k], &rows[four[3]*k], &columns[0], k, wide)
		}
	}
	for n, i := range at[done:] {
		to := out[(done+n)*wide : (done+n+1)*wide]
		clear(to)
		addRows(to, columns, rows[i*k:(i+1)*k])
	}
}

func combine(out []float64, at []int, rows, factors, own, each []float64, k int) {
	count := len(rows) / k
	switch {
	case fast && k == 20 && count > 0 && len(at) > 0:
		combineAVX2(&out[0], &at[0], &rows[0], &factors[0], &own[0], &each[0], len(at), count)
	default:
		for _, i := range at {
			to := out[i*k : (i+1)*k]
			clear(to)
			addRows(to, rows, factors[i*count:(i+1)*count])
			addTimes(to, own[i*k:(i+1)*k], each[i])
		}
	}
}

func weigh(out, within, linear, slope, base, away []float64, wide int, half float64) {
	if !fast || wide == 0 {
		weighPlain(out, within, linear, slope, base, away, wide, half)
		return
	}
	weighAVX2(&out[0], &within[0], &linear[0], &slope[0], &base[0], &away[0], len(linear), len(base), wide, half)
}

func spread(values, first, second, sums, each, away []float64) {
	if !fast || len(values) == 0 {
		spreadPlain(values, first, second, sums, each, away)
		return
	}
	spreadAVX2(&values[0], &first[0], &second[0], &sums[0], &each[0], &away[0], len(each), len(away))
}
