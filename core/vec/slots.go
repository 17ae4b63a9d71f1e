package vec

import "fmt"

// Weigh writes log weights of the slots of some items, a multiple of four, in a row for each slot. Every item has products with the blocks, in a row of
// within that may go on; slots are gaps, 0, 2 and so on, and the blocks between them. With h the sum of half times the products with the two blocks next to
// the boundaries of slot s, the one above each (none above the first),
//
//	base_s + away_s (linear + slope away_s + h).
func Weigh(out, within, linear, slope, base, away []float64, half float64) {
	n, slots := len(linear), len(base)
	if n == 0 {
		return
	}
	wide := len(within) / n
	if n%4 != 0 || len(slope) != n || len(away) != slots || slots%2 == 0 || len(out) != slots*n || len(within) != wide*n || wide < slots/2 {
		panic(fmt.Sprintf("vec: %d weights of %d slots for %d items with %d products", len(out), slots, n, len(within)))
	}
	weigh(out, within, linear, slope, base, away, wide, half)
}

func weighPlain(out, within, linear, slope, base, away []float64, wide int, half float64) {
	n, one := len(linear), make([]float64, len(base))
	for k := range linear {
		WeighOne(one, within[k*wide:(k+1)*wide], base, away, linear[k], slope[k], half)
		for s, v := range one {
			out[s*n+k] = v
		}
	}
}

// WeighOne is [Weigh] for one item.
func WeighOne(out, within, base, away []float64, linear, slope, half float64) {
	base, away = base[:len(out)], away[:len(out)]
	out[0] = base[0] + float64(away[0]*(linear+float64(slope*away[0])))
	above, n := 0.0, 1
	for _, v := range within[:len(out)/2] {
		gap, two, from, e := half*v, out[n:n+2:n+2], base[n:n+2:n+2], away[n:n+2:n+2]
		two[0] = from[0] + float64(e[0]*(linear+float64(slope*e[0])+(above+gap))) // the block between two gaps
		two[1] = from[1] + float64(e[1]*(linear+float64(slope*e[1])+(gap+gap)))
		above = gap
		n += 2
	}
}

// Spread multiplies every column of values by its factor, each, and adds it to sums, which has four parts for each row, those of the columns by turns.
// Then it multiplies every row by away, and writes the sums of columns, first as they are and then times away once more. There are a multiple of four columns.
func Spread(values, first, second, sums, each, away []float64) {
	n, rows := len(each), len(away)
	if n%4 != 0 || len(first) != n || len(second) != n || len(sums) != 4*rows || len(values) != rows*n {
		panic(fmt.Sprintf("vec: %d values in %d rows of %d, with %d sums", len(values), rows, n, len(sums)))
	}
	spread(values, first, second, sums, each, away)
}

func spreadPlain(values, first, second, sums, each, away []float64) {
	n := len(each)
	clear(first)
	clear(second)
	for r, e := range away {
		row := values[r*n : (r+1)*n]
		for k, v := range row {
			v *= each[k]
			sums[4*r+k%4] += v
			v *= e
			row[k] = v
			first[k] += v
			second[k] += float64(v * e)
		}
	}
}
