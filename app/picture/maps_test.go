package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"testing"

	"fubini/use/maps"
)

// Pictures can be read, and something is on them.
func TestPictures(t *testing.T) {
	layers := []Layer{{Name: "people", Points: []maps.Point{{X: 0, Y: 1}, {X: 2, Y: 3}, {X: 1, Y: 1}}}, {Name: "items", Points: []maps.Point{{X: 1, Y: 2}}, Labels: []string{"Alien & <co>"}, Small: true}, {}}
	var raster bytes.Buffer
	if err := Map(&raster, "png", "Map", layers); err != nil {
		t.Fatal(err)
	}
	image, err := png.Decode(&raster)
	if err != nil {
		t.Fatal(err)
	}
	colours := map[[3]uint32]int{}
	for y := range image.Bounds().Dy() {
		for x := range image.Bounds().Dx() {
			r, g, b, _ := image.At(x, y).RGBA()
			colours[[3]uint32{r, g, b}]++
		}
	}
	if len(colours) < 10 || image.Bounds().Dx() < 300 {
		t.Errorf("%d colours on a picture of %v", len(colours), image.Bounds())
	}
	var vector bytes.Buffer
	if err := Map(&vector, "svg", "Map", layers); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(vector.Bytes(), []byte("Alien &amp; &lt;co&gt;")) {
		t.Error("no label in the svg")
	}
	for decoder := xml.NewDecoder(&vector); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := Map(io.Discard, "bmp", "Map", layers); err == nil {
		t.Error("a kind that is none")
	}
	if err := Map(io.Discard, "png", "Map", []Layer{{Points: []maps.Point{{X: 1, Y: 1}}}}); err != nil {
		t.Errorf("a single point: %v", err)
	}
}
