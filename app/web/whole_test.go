package web_test

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// Names with high accents and deep strokes are drawn whole: the picture is the same where nothing may be cut off.
func TestNamesAreWhole(t *testing.T) {
	t.Parallel()
	names := []string{"الطريق إلى", "ẤÅŻ gjpqy", "ФЙ Щуру", "שווארמה", "Ŝĝ Ąģç"}
	for _, on := range []screen{desktop, {width: 1024, height: 900, still: true}, phone} {
		for _, emoji := range []string{"🍜", ""} {
			foods := readFoods(t)
			for i := range foods {
				foods[i].Emoji, foods[i].Name = emoji, names[i%len(names)]
			}
			b := open(t, chromium(t), serveFoods(t, foods), on, listOf(names[1], "ramen gyoza sushi tacos", "green-curry"))
			b.wait(`document.querySelector(".ghost")`)
			b.lettered()
			b.still()
			cut := b.part(".board", 2)
			b.do(`const sheet = new CSSStyleSheet(); sheet.replaceSync(".board .name, .board .rest, .board .big, .bare { overflow: visible !important; }"); document.adoptedStyleSheets = [sheet]`)
			b.still()
			if whole := b.part(".board", 2); !alike(cut, whole) {
				t.Errorf("%d px, emoji %q: letters are cut off", on.width, emoji)
			}
			// The check can fail: names that may not be as high as their letters.
			b.do(`const low = new CSSStyleSheet(); low.replaceSync(".board .name { overflow: hidden !important; padding: 0; line-height: 8px !important; }"); document.adoptedStyleSheets = [low]`)
			b.still()
			if low := b.part(".board", 2); alike(cut, low) {
				t.Errorf("%d px: a picture of half the letters is the same: the test sees nothing", on.width)
			}
			b.clean()
		}
	}
}

// Of the lines that a name has too many, nothing peeps out below the last one.
func TestNamesEndWithTheirLastLine(t *testing.T) {
	t.Parallel()
	for _, on := range []screen{desktop, {width: 1024, height: 900, still: true}, phone} {
		for _, emoji := range []string{"🍜", ""} {
			foods := readFoods(t)
			for i := range foods {
				foods[i].Emoji, foods[i].Name = emoji, strings.Repeat("Hhllkk ", 20) // high, and nothing below the line
			}
			for _, font := range []string{"carried", standIn} {
				b := open(t, chromium(t), serveFoods(t, foods).in(font), on, listOf("Long", "ramen gyoza", "sushi", "pizza", "bagel", "olives"))
				b.wait(`document.querySelector(".ghost")`)
				b.lettered()
				b.still()
				shown := []image.Image{b.part(".board", 1), b.part(".board", 2)} // letters stand on whole dots
				b.do(`const sheet = new CSSStyleSheet(); sheet.replaceSync(".board .name { clip-path: inset(0 0 1px 0); }"); document.adoptedStyleSheets = [sheet]`)
				b.still()
				for i, before := range shown {
					if ended := b.part(".board", float64(i+1)); !alike(before, ended) {
						t.Errorf("%d px, emoji %q, %s font, density %d: a line peeps out", on.width, emoji, font, i+1)
					}
				}
			}
		}
	}
}

// part is a picture of one element, in so many dots a pixel.
func (b *tab) part(selector string, density float64) image.Image {
	b.t.Helper()
	box := eval[[]float64](b, `(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x, r.y, r.width, Math.min(r.height, innerHeight - r.y)]; })()`, selector)
	shot := call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &page.Viewport{X: box[0], Y: box[1], Width: box[2], Height: box[3], Scale: density}})
	picture, err := png.Decode(bytes.NewReader(shot.Data))
	if err != nil {
		b.t.Fatal(err)
	}
	return picture
}

// alike says whether two pictures look the same. The browser does not draw a round corner twice with the very same
// bytes: colours may differ by less than a sixteenth, which the edge of a letter exceeds.
func alike(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	second := dots(b)
	for i, x := range dots(a) {
		if y := second[i]; max(x, y)-min(x, y) >= 16 {
			return false
		}
	}
	return true
}

// dots are the colours of a picture, four bytes a dot.
func dots(p image.Image) []byte {
	drawn, is := p.(*image.RGBA)
	if !is {
		drawn = image.NewRGBA(p.Bounds())
		draw.Draw(drawn, p.Bounds(), p, p.Bounds().Min, draw.Src)
	}
	return drawn.Pix
}
