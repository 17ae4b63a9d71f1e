package likelihood

import "testing"

// One evaluation of value, gradient and information on 100,000 distinct votes.
func BenchmarkEvaluate(b *testing.B) {
	votes, _, _, _ := tasteWorld(40, 1000, 100, 2)
	for name, design := range map[string]Design{"pairs": {Items: 40}, "raters": {Items: 40, Raters: 1000}} {
		d := must[*Data](b)(Group(design, votes))
		theta := anywhere(d)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := d.evaluate(b.Context(), theta, 1, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
