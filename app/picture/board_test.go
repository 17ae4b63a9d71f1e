package picture

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"fubini/use/board"
)

// fitted is a board of n items with worths half a unit apart, the last item best, and independent errors.
func fitted(t *testing.T, n int) *board.Board {
	t.Helper()
	worths, covariance := make([]float64, n), make([]float64, n*n)
	for i := range n {
		worths[i], covariance[i*n+i] = float64(i)/2, 0.1
	}
	b, err := board.New(worths, covariance, board.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A forest plot is whole in both kinds, names every item, and knows no third.
func TestForest(t *testing.T) {
	b := fitted(t, 8)
	names := strings.Split("ant bee cat dog eel fox gnu hen", " ")
	var svg, png bytes.Buffer
	same := func(x float64) float64 { return x }
	for kind, to := range map[string]*bytes.Buffer{"svg": &svg, "png": &png} {
		if err := Forest(to, kind, "Animals", "worth", b, names, same); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range append(names, "Animals", "worth", "</svg>") {
		if !strings.Contains(svg.String(), name) {
			t.Errorf("the picture does not hold %s", name)
		}
	}
	if _, kind, err := image.Decode(&png); err != nil || kind != "png" {
		t.Errorf("a picture of kind %s: %v", kind, err)
	}
	if err := Forest(&svg, "gif", "", "", b, names, same); err == nil {
		t.Error("a gif was drawn")
	}
}

// A heat map is whole in both kinds and names every item; it has numbers where items are few, and not where they are many.
func TestHeat(t *testing.T) {
	for _, n := range []int{5, mostNumbers + 1} {
		b := fitted(t, n)
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("item-%d", i)
		}
		pair := func(i, j int) (win, tie, loss float64) {
			ahead := float64(i-j) / 2
			win, tie, loss = math.Exp(ahead/2), 1, math.Exp(-ahead/2)
			z := win + tie + loss
			return win / z, tie / z, loss / z
		}
		var svg, png bytes.Buffer
		for kind, to := range map[string]*bytes.Buffer{"svg": &svg, "png": &png} {
			if err := Heat(to, kind, "Animals", b, names, pair); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range append(names, "Animals", "</svg>") {
			if !strings.Contains(svg.String(), name) {
				t.Errorf("the picture does not hold %s", name)
			}
		}
		win, _, _ := pair(b.Rows[0].Item, b.Rows[n-1].Item)
		if got := strings.Contains(svg.String(), fmt.Sprintf(">%.0f</text>", 100*win)); got != (n == 5) {
			t.Errorf("%d items: numbers in cells are %v", n, got)
		}
		if _, kind, err := image.Decode(&png); err != nil || kind != "png" {
			t.Errorf("a picture of kind %s: %v", kind, err)
		}
		if err := Heat(&svg, "gif", "", b, names, pair); err == nil {
			t.Error("a gif was drawn")
		}
	}
}

// Nothing touches the edges of a picture: no name, word or colour is cut off, whether items are few or many and names short or long.
func TestNothingIsCutOff(t *testing.T) {
	for _, n := range []int{2, 4, 9, 30} {
		for _, length := range []int{1, 17, 40} {
			b, names := fitted(t, n), make([]string, n)
			for i := range names {
				names[i] = strings.Repeat("W", length)
			}
			for name, draw := range map[string]func(w *bytes.Buffer) error{
				"forest": func(w *bytes.Buffer) error {
					return Forest(w, "png", "votes.csv", "worth", b, names, func(x float64) float64 { return x })
				},
				"heat": func(w *bytes.Buffer) error {
					return Heat(w, "png", "votes.csv", b, names, func(i, j int) (win, tie, loss float64) { return 1, 0, 0 })
				},
			} {
				var w bytes.Buffer
				if err := draw(&w); err != nil {
					t.Fatal(err)
				}
				drawn, _, err := image.Decode(&w)
				if err != nil {
					t.Fatal(err)
				}
				size := drawn.Bounds()
				for _, edge := range []image.Rectangle{{size.Min, image.Pt(size.Max.X, 1)}, {image.Pt(0, size.Max.Y-1), size.Max}, {size.Min, image.Pt(1, size.Max.Y)}, {image.Pt(size.Max.X-1, 0), size.Max}} {
					if !white(drawn, edge) {
						t.Errorf("%s of %d items with names of %d letters: something is drawn at the edge %v", name, n, length, edge)
					}
				}
			}
		}
	}
}

func white(drawn image.Image, part image.Rectangle) bool {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if r, g, b, _ := drawn.At(x, y).RGBA(); min(r, g, b) < 0xffff {
				return false
			}
		}
	}
	return true
}

// Ticks are round numbers, 4 to 12 of them, all inside, and zero is one where it is inside.
func TestRoundTicks(t *testing.T) {
	for _, c := range [][2]float64{{-1.24, 0.81}, {-3, 2.1}, {0.01, 0.05}, {850, 1240}, {-0.001, 0.002}, {-7, 1}} {
		ticks := roundTicks{}.Ticks(c[0], c[1])
		if len(ticks) < 4 || len(ticks) > 12 {
			t.Errorf("%v: %d ticks", c, len(ticks))
		}
		zero := c[0] > 0
		for _, tick := range ticks {
			var shown float64
			if _, err := fmt.Sscan(tick.Label, &shown); err != nil || !(math.Abs(shown-tick.Value) <= 1e-9*math.Abs(tick.Value)) || tick.Value < c[0] || tick.Value > c[1] {
				t.Errorf("%v: tick %q at %g", c, tick.Label, tick.Value)
			}
			zero = zero || strings.Trim(tick.Label, "0.") == ""
		}
		if !zero {
			t.Errorf("%v: no zero among the ticks", c)
		}
	}
}

// The words below a heat map fit its width, however few items there are.
func TestCaptionsFit(t *testing.T) {
	for _, n := range []int{2, mostNumbers, mostNumbers + 1} {
		h := newHeat(fitted(t, n), make([]string, n))
		for _, caption := range captions(n <= mostNumbers) {
			if got, room := h.small().Width(caption), h.left+h.side-h.margin; !(got <= room) {
				t.Errorf("%d items: %q is %.1f wide, and there is room for %.1f", n, caption, got, room)
			}
		}
	}
}
