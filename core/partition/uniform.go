package partition

import (
	"fmt"
	"math"

	"fubini/core/rng"
)

// Uniform draws ordered partitions of n items, each with the same probability:
// a number of boxes k is drawn with probability proportional to k^n / 2^(k+1),
// every item drops into one of the boxes, and empty boxes are removed. That
// this is exact is shown in docs/maths.md#uniform-draws.
//
// A Uniform keeps scratch space, so it serves one goroutine at a time.
type Uniform struct {
	boxes []float64 // boxes[k] is the weight of k boxes
	box   []int     // box[i] is where item i fell
	count []int     // items in each box, then where the box begins
}

// NewUniform prepares draws of n items.
func NewUniform(n int) *Uniform {
	if n < 1 {
		panic(fmt.Sprintf("partition: uniform draw of %d items", n))
	}
	log := func(k float64) float64 { return float64(n)*math.Log(k) - (k+1)*math.Ln2 }
	mode := math.Max(1, math.Round(float64(n)/math.Ln2))
	u := &Uniform{boxes: []float64{0}, box: make([]int, n)}
	for k := 1.0; ; k++ {
		w := math.Exp(log(k) - log(mode))
		u.boxes = append(u.boxes, w)
		if k > mode && w < 1e-30 { // what is left out weighs far less than rounding does
			break
		}
	}
	u.count = make([]int, len(u.boxes)+1)
	return u
}

// Draw overwrites x, a partition of n items, with a uniform draw.
func (u *Uniform) Draw(d rng.Dice, x *Partition) {
	if x.N() != len(u.box) {
		panic(fmt.Sprintf("partition: uniform draw of %d items into a partition of %d", len(u.box), x.N()))
	}
	k := d.Pick(u.boxes)
	count := u.count[:k+1]
	clear(count)
	for i := range u.box {
		u.box[i] = d.IntN(k)
		count[u.box[i]+1]++
	}
	x.lifted = -1
	x.start = x.start[:1]
	for b := 1; b <= k; b++ {
		count[b] += count[b-1]
		if count[b] > count[b-1] {
			x.start = append(x.start, count[b])
		}
	}
	for i, b := range u.box {
		x.put(i, count[b])
		count[b]++
	}
}
