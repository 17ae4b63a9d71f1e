package likelihood

import (
	"fmt"
	"testing"

	"fubini/learn/ballot"
	"fubini/learn/ballot/drawn"
)

// One evaluation of value, gradient and information on 100,000 distinct votes.
func BenchmarkEvaluate(b *testing.B) {
	votes, _, _, _ := tasteWorld(40, 1000, 100, 2)
	for name, design := range map[string]ballot.Design{"pairs": {Items: 40}, "raters": {Items: 40, Raters: 1000}} {
		d := must[*Data](b)(Group(design, votes))
		theta := drawn.Point(d.All)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := d.evaluate(b.Context(), theta, 1, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// One evaluation of value, gradient and curvature of the slot likelihood on 100 lists of 60 items, with eight tiers and with
// sixty.
func BenchmarkSlots(b *testing.B) {
	for _, tiers := range []int32{8, 60} {
		votes := ballot.Votes{Start: []int32{0}}
		for v := range int32(100) {
			for k := range int32(60) {
				votes.Item, votes.Tier = append(votes.Item, (17*v+k)%200), append(votes.Tier, (k*7+v)%60%tiers)
			}
			votes.Start, votes.Weight = append(votes.Start, (v+1)*60), append(votes.Weight, 1)
		}
		d := must[*Data](b)(Group(ballot.Design{Items: 200}, votes))
		theta := make([]float64, d.All)
		b.Run(fmt.Sprintf("%d tiers", tiers), func(b *testing.B) {
			for b.Loop() {
				if _, err := d.evaluate(b.Context(), theta, 1, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
