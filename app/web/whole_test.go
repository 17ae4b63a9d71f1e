package web_test

import (
	"bytes"
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
			cut := b.part(".board")
			b.do(`const sheet = new CSSStyleSheet(); sheet.replaceSync(".board .name, .board .rest, .board .big, .bare { overflow: visible !important; }"); document.adoptedStyleSheets = [sheet]`)
			b.still()
			if whole := b.part(".board"); !bytes.Equal(cut, whole) {
				t.Errorf("%d px, emoji %q: letters are cut off", on.width, emoji)
			}
			// The check can fail: names that may not be as high as their letters.
			b.do(`const low = new CSSStyleSheet(); low.replaceSync(".board .name { overflow: hidden !important; padding: 0; line-height: 8px !important; }"); document.adoptedStyleSheets = [low]`)
			b.still()
			if low := b.part(".board"); bytes.Equal(cut, low) {
				t.Errorf("%d px: a picture of half the letters is the same: the test sees nothing", on.width)
			}
			b.clean()
		}
	}
}

// part is a picture of one element.
func (b *tab) part(selector string) []byte {
	b.t.Helper()
	box := eval[[]float64](b, `(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x, r.y, r.width, Math.min(r.height, innerHeight - r.y)]; })()`, selector)
	shot := call(b, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &page.Viewport{X: box[0], Y: box[1], Width: box[2], Height: box[3], Scale: 2}})
	return shot.Data
}
