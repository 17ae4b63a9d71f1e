package mathml_test

import (
	"strings"
	"testing"

	"fubini/app/manual/mathml"
)

func TestConvert(t *testing.T) {
	for tex, want := range map[string]string{
		`u_i`:                          `<math><mrow><msub><mi>u</mi><mi>i</mi></msub></mrow></math>`,
		`\frac12`:                      `<math><mrow><mfrac><mn>1</mn><mn>2</mn></mfrac></mrow></math>`,
		`x^{2}_k`:                      `<math><mrow><msubsup><mi>x</mi><mi>k</mi><mrow><mn>2</mn></mrow></msubsup></mrow></math>`,
		`\sum_k a`:                     `<math><mrow><msub><mo>∑</mo><mi>k</mi></msub><mi>a</mi></mrow></math>`,
		`-0.5 < a`:                     `<math><mrow><mo>−</mo><mn>0.5</mn><mo>&lt;</mo><mi>a</mi></mrow></math>`,
		`\mathbf{W}`:                   `<math><mrow><mi>𝐖</mi></mrow></math>`,
		`\left\lbrace a \right\rbrace`: `<math><mrow><mrow><mo>{</mo><mrow><mi>a</mi></mrow><mo>}</mo></mrow></mrow></math>`,
		`\lVert t \rVert`:              `<math><mrow><mo>‖</mo><mi>t</mi><mo>‖</mo></mrow></math>`,
		`f''`:                          `<math><mrow><msup><mi>f</mi><mo>′′</mo></msup></mrow></math>`,
	} {
		if got, err := mathml.Convert(tex, false); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", tex, got, err, want)
		}
	}
	if got, err := mathml.Convert(`\sum_k a`, true); err != nil || !strings.Contains(got, `display="block"`) || !strings.Contains(got, "<munder>") {
		t.Errorf("a sum in a block: %s, %v", got, err)
	}
}

func TestWhatIsNotKnownIsAnError(t *testing.T) {
	for _, tex := range []string{`\foo`, `{a`, `a_`, `x_a_b`, `\frac{1}`, `\left( a`, `\mathrm{a`, `\`, `"`} {
		if got, err := mathml.Convert(tex, false); err == nil {
			t.Errorf("%s became %s", tex, got)
		}
	}
}
