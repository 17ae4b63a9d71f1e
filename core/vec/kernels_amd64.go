//go:build amd64 && !purego

package vec

// dotAVX2 is the inner product of a and b, as long as a.
//
//go:noescape
func dotAVX2(a, b []float64) float64

// dotRowsAVX2 writes the inner products of a with as many rows as out is long.
//
//go:noescape
func dotRowsAVX2(out, a, rows []float64)

// addTimesAVX2 adds factor times from to to, as long as to.
//
//go:noescape
func addTimesAVX2(to, from []float64, factor float64)

// addRowsAVX2 adds to to the rows, as many as there are factors, each times its factor.
//
//go:noescape
func addRowsAVX2(to, rows, factors []float64)

// scaleAVX2 multiplies every value by a factor.
//
//go:noescape
func scaleAVX2(values []float64, factor float64)

// panels4x1FMA writes base plus the products of four vectors with a panel of sixteen rows.
//
//go:noescape
func panels4x1FMA(out, base, panels, vectors *float32, k, stride int)

// panels1x4FMA writes base plus the products of a vector with four panels of sixteen rows.
//
//go:noescape
func panels1x4FMA(out, base, panels, vectors *float32, k, stride int)

// addAtAVX2 adds factor times values to elements of to; it returns how many are left when one is outside.
//
//go:noescape
func addAtAVX2(to []float64, at []uint32, values []float32, factor float64, ahead int) int

// fetch is Fetch.
//
//go:noescape
func fetch(at *uint32)

// addAtKindsAVX2 adds factor times values, each times what the table has for its kind, to elements of to; it returns how many are left when one is outside.
//
//go:noescape
func addAtKindsAVX2(to []float64, at []uint32, values []float32, kinds []uint8, factor float64, table *[256]float64, ahead int) int

// blendAVX2 is Blend for a positive count of elements that is a multiple of four.
//
//go:noescape
func blendAVX2(out, factors, a, b *float64, x, y float64, count int)

// mixFMA is Mix for a number of whole runs.
//
//go:noescape
func mixFMA(out, highest, scale *float32, near *float64, smooth *float32, first, second float32, runs int)

// coarse4x1FMA writes the scores of four vectors with a panel of sixteen rows.
//
//go:noescape
func coarse4x1FMA(out, base, scale *float32, panels, vectors *int16, scales *float32, pairs, apart int)

// coarse1x4FMA writes the scores of a vector with four panels of sixteen rows.
//
//go:noescape
func coarse1x4FMA(out, base, scale *float32, panels, vectors *int16, scales *float32, pairs int)

// addRowsAtAVX2 adds to to the rows at some places, each times its factor.
//
//go:noescape
func addRowsAtAVX2(to, rows []float64, at []uint32, factors []float64)

// expAVX2 replaces every value by its exponential.
//
//go:noescape
func expAVX2(values []float64)

// addTileFMA adds to 64 elements of to the rows of a matrix of 64 columns, each times its factor, of which there is at least one.
//
//go:noescape
func addTileFMA(to, factors, rows *float32, count int)

// addTileAVX512 does the same for four rows of to, a stride apart, with count factors each.
//
//go:noescape
func addTileAVX512(to, factors, rows *float32, stride, count int)

// addRowsAtSingleAVX2 adds to the columns of to, a multiple of eight, those of count rows at some places, each times its factor. Rows begin a stride apart.
//
//go:noescape
func addRowsAtSingleAVX2(to, rows *float32, at *uint32, factors *float32, columns, stride, count int)

// addRowsAtSingleAVX512 is the same for a positive multiple of 80 columns and at least one row.
//
//go:noescape
func addRowsAtSingleAVX512(to, rows *float32, at *uint32, factors *float32, columns, stride, count int)

// addTimesSingleAVX2 adds factor times from to to, for a count of elements that is a multiple of four.
//
//go:noescape
func addTimesSingleAVX2(to *float64, from *float32, factor float64, count int)

// addTimesTwoAVX2 adds a times from to first and b times from to second, for a positive count of elements that is a multiple of four.
//
//go:noescape
func addTimesTwoAVX2(first, second, from *float64, a, b float64, count int)

// towardsAVX2 moves elements a share of the way to their means, for a positive count of them that is a multiple of four.
//
//go:noescape
func towardsAVX2(to, mean *float64, share float64, count int)

// towardsEachAVX2 is the same with a factor on the share of each, which is at most 1.
//
//go:noescape
func towardsEachAVX2(to, mean, factors *float64, share float64, count int)

// productsAVX2 writes the products of four rows of k elements with a matrix of k rows, of wide elements each, a positive multiple of eight.
//
//go:noescape
func productsAVX2(out, first, second, third, fourth, columns *float64, k, wide int)

// combineAVX2 is Combine for rows of 20 elements, at least one place and at least one row.
//
//go:noescape
func combineAVX2(out *float64, at *int, rows, factors, own, each *float64, places, count int)

// weighAVX2 is Weigh for n items, a positive multiple of four, and rows of within of a positive number of elements.
//
//go:noescape
func weighAVX2(out, within, linear, slope, base, away *float64, n, slots, wide int, half float64)

// spreadAVX2 is Spread for n columns, a positive multiple of four, and at least one row.
//
//go:noescape
func spreadAVX2(values, first, second, sums, each, away *float64, n, rows int)
