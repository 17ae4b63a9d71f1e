package web_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"
)

// A catalogue with pictures: one of this server fills its tile, at the width it is shown, with the name on a strip below; one that is
// missing or broken leaves the drawing; one of another host is never asked for; and those out of sight are not fetched.
func TestPicturesOfTheCatalogue(t *testing.T) {
	t.Parallel()
	poster := image.NewRGBA(image.Rect(0, 0, 280, 420))
	for i := range 280 * 420 {
		poster.Set(i%280, i/280, color.RGBA{200, 30, 60, 255})
	}
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, poster); err != nil {
		t.Fatal(err)
	}
	films := manyFoods(400)
	for i := range films {
		films[i].Group = []string{"Drama", "Comedy", "Western"}[i%3]
		films[i].Picture = fmt.Sprintf("many/poster %d.png", i)
	}
	films[1].Picture, films[2].Picture, films[3].Picture, films[4].Picture = "gone.png", "broken.png", "https://elsewhere.test/poster.png", ""
	f := serveFoods(t, films)
	for i := range films {
		f.pictures[fmt.Sprintf("many/poster %d.png", i)] = &fstest.MapFile{Data: drawn.Bytes()}
	}
	f.pictures["broken.png"] = &fstest.MapFile{Data: []byte("no picture")}
	for _, on := range []screen{desktop, phone} {
		b := open(t, chromium(t), f, on, listOf("Films", "film-0 film-1 film-2 film-3 film-4", "film-5 film-6"))
		b.wait(`document.querySelector(".board [data-item='film-0'] img.photo")?.naturalWidth === 140`)
		for i := 1; i <= 4; i++ {
			b.wait(`document.querySelector(".board [data-item='film-%[1]d'] .motif") && !document.querySelector(".board [data-item='film-%[1]d'] img")`, i)
		}
		if strip := eval[string](b, `(() => { const tile = document.querySelector(".board [data-item='film-0']").getBoundingClientRect(); const name = document.querySelector(".board [data-item='film-0'] .name"); const r = name.getBoundingClientRect(); return getComputedStyle(name).backgroundColor + (r.bottom <= tile.bottom + 0.5 && r.top > tile.top + 10 ? " at the bottom" : " elsewhere"); })()`); strip != "rgb(237, 240, 234) at the bottom" {
			t.Errorf("%d px: the name stands on %s", on.width, strip)
		}
		if low := eval[float64](b, `(() => { const name = document.querySelector(".trayTiles .tile:has(.photo) .name"); const style = getComputedStyle(name); return name.clientHeight - parseFloat(style.paddingTop) - 2 * parseFloat(style.lineHeight); })()`); !(low <= 0.5) {
			t.Errorf("%d px: the strip shows %.1f px more than two lines", on.width, low)
		}
		b.wait(`document.querySelector(".trayTiles .tile img.photo")?.naturalWidth === 140`)
		b.rests()
		fetched := eval[[]string](b, `performance.getEntriesByType("resource").map((e) => e.name).filter((name) => name.includes("/pictures/"))`)
		if len(fetched) < 10 || len(fetched) > 200 || !strings.HasSuffix(fetched[0], "?w=140") {
			t.Errorf("%d px: %d pictures are fetched of 400, the first as %s", on.width, len(fetched), fetched[0])
		}
		b.fits("pictures of the catalogue")
		b.axe("pictures of the catalogue", "document")
		b.picture(fmt.Sprint("catalogue-", on.width))
		b.clean()
	}
}
