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
