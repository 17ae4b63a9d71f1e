package partition

import (
	"fmt"
	"math"
	"math/big"
	"sync"
)

// fubiniTable grows as larger numbers are asked for: Fubini(n) costs O(n)
// additions and multiplications of numbers of n log n bits once the smaller
// ones are known.
var fubiniTable = struct {
	sync.Mutex
	values []*big.Int
}{values: []*big.Int{big.NewInt(1)}}

// Fubini is the number of ordered partitions of n items, exactly:
//
//	Fubini(n) = sum over k of C(n,k) Fubini(n-k),  k = size of the top block.
//
// It is meant for n to about 500, where it takes some milliseconds; beyond,
// [LogFubini] is instant.
func Fubini(n int) *big.Int {
	if n < 0 {
		panic(fmt.Sprintf("partition: Fubini(%d)", n))
	}
	fubiniTable.Lock()
	defer fubiniTable.Unlock()
	for m := len(fubiniTable.values); m <= n; m++ {
		total, choose, term := new(big.Int), big.NewInt(1), new(big.Int)
		for k := 1; k <= m; k++ {
			choose.Mul(choose, big.NewInt(int64(m-k+1)))
			choose.Quo(choose, big.NewInt(int64(k)))
			total.Add(total, term.Mul(choose, fubiniTable.values[m-k]))
		}
		fubiniTable.values = append(fubiniTable.values, total)
	}
	return new(big.Int).Set(fubiniTable.values[n])
}

// exactInFloat is the largest n whose Fubini number LogFubini takes from the
// exact table; from here on the first pole is all that float64 can see.
const exactInFloat = 18

// LogFubini is the natural logarithm of Fubini(n), to a relative error below
// 1e-12 for every n. The generating function 1/(2-e^z) has poles at
// log 2 + 2 pi i k, and their residues give, for n >= 1,
//
//	Fubini(n) = n!/2 * sum over all integers k of (log 2 + 2 pi i k)^-(n+1).
//
// The pole at log 2 is the nearest; the next two are smaller by 0.11^(n+1),
// below rounding for n > 16. See docs/maths.md#fubini-asymptotics. The base of
// growth is 1/log 2 = 1.4427, not the 6.93 that the paper's abstract has.
func LogFubini(n int) float64 {
	if n < 0 {
		panic(fmt.Sprintf("partition: LogFubini(%d)", n))
	}
	if n <= exactInFloat {
		f, _ := new(big.Float).SetInt(Fubini(n)).Float64()
		return math.Log(f)
	}
	factorial, _ := math.Lgamma(float64(n) + 1)
	return factorial - math.Ln2 - float64(n+1)*math.Log(math.Ln2)
}
