package web_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"
)

// TestPictureOfEveryState takes the pictures that somebody looks at one by one, of the real program: foods and films, phones
// upright and lying, a low window and a wide one, light, dark and forced colours.
//
//	FUBINI_PICTURES=DIR go test ./app/web -count=1 -timeout 30m -run PictureOfEveryState
func TestPictureOfEveryState(t *testing.T) {
	if os.Getenv("FUBINI_PICTURES") == "" {
		t.Skip("FUBINI_PICTURES names no folder")
	}
	screens := []struct {
		name string
		screen
	}{{"phone", phone}, {"flat", screen{width: 844, height: 390, density: 2, touch: true, still: true}}, {"low", screen{width: 1280, height: 720, still: true}}, {"wide", screen{width: 1920, height: 1080, still: true}}}
	server, numbers := films(t)
	foods := listOf("What I'd eat", "ramen dumplings sushi tacos curry-and-rice", "pizza paella carbonara flatbread-and-hummus mango prawn-tempura",
		"burger green-salad falafel baguette strawberries pancakes", "ice-cream bagel baked-potato", "blue-cheese doughnut olives")
	for name, world := range map[string]struct {
		*fake
		list string
	}{"foods": {demo(t).fake, foods}, "films": {server.fake, filmList(t, numbers)}} {
		world.list = strings.NewReplacer("S Every day", "S Favourites", "A Gladly", "A Great", "B Fine", "B Good", "C If I must", "C So-so", "D No thanks", "D Not for me").Replace(world.list)
		for _, on := range screens {
			t.Run(name+"-"+on.name, func(t *testing.T) {
				looks(t, world.fake, world.list, on.screen, name+"-"+on.name)
			})
		}
	}
}

// looks takes one screen of one world through its states.
func looks(t *testing.T, program *fake, list string, on screen, name string) {
	ctx := chromium(t)
	small := on.touch
	f := through(t, program)
	b := newTab(t, ctx, f)
	b.device(on)
	b.visit("/")
	b.wait(`document.querySelector(".dealt")`)
	shot := func(state string) {
		b.still()
		b.picture(name + "-" + state)
	}
	shot("first")
	card := b.dealt("")
	for i := range 4 {
		b.do(`document.querySelectorAll(".answers button")[%d].click()`, i)
		card = b.dealt(card)
	}
	b.wait(`document.querySelectorAll(".soFar li").length > 0`)
	shot("first-4")
	for range 20 {
		if b.text(".enough") != "" {
			break
		}
		b.do(`document.querySelector(".answers button")?.click()`)
		b.wait(`document.querySelector(".enough") || document.querySelector(".dealt h2") && document.querySelector(".dealt h2").textContent !== %q`, card)
		card = b.text(".dealt h2")
	}
	shot("first-end")

	b = newTab(t, ctx, f)
	b.device(on)
	b.skipFirst()
	b.visit("/")
	b.wait(`document.querySelector(".trayTiles .tile")`)
	b.rests()
	shot("empty")

	b = newTab(t, ctx, f)
	b.device(on)
	b.keep(list)
	b.keepRecord(12, 20)
	b.visit("/")
	b.wait(`document.querySelector(".ghost") && document.querySelector(".trayTiles .tile") && !document.querySelector(".tile.unnamed")`)
	b.rests()
	shot("board")
	dark := on
	dark.dark = true
	b.device(dark)
	shot("board-dark")
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	shot("board-forced")
	b.device(on)
	panel := func(tab string) {
		if small {
			b.tap("#tab-" + tab)
			b.rests()
		}
	}
	if small {
		panel("next")
		shot("next")
		panel("map")
		shot("map")
		panel("tray")
		b.do(`if (!document.querySelector(".dock.open")) document.querySelector(".dockHandle").click()`)
		b.rests()
		shot("tray-open")
		b.do(`if (document.querySelector(".dock.open")) document.querySelector(".dockHandle").click()`)
		b.tap(".trayTiles .tile")
		b.wait(`document.querySelector(".sheet")`)
		shot("picker")
		b.tap(".sheet .iconButton")
	}
	b.do(`document.querySelector(".ghost").click()`)
	b.wait(`document.querySelector(".sheet tfoot, .whyCard tfoot")`)
	shot("why")
	b.device(dark)
	shot("why-dark")
	b.device(on)
	if small {
		b.tap(".sheet .iconButton")
	} else {
		b.keys(kb.Escape)
	}
	if !small {
		b.lift(b.middle(".trayTiles .tile"), b.middle(lane(2)))
		shot("held")
		b.release(b.middle(lane(2)))
	} else {
		b.carry(".trayTiles .tile", lane(2))
	}
	b.rests()
	shot("dropped")
	b.device(dark)
	shot("dropped-dark")
	b.device(on)
	b.do(`[...document.querySelectorAll("header.top .fileBox > button")].find((e) => /^(File|Menu|More)/.test(e.ariaLabel ?? e.textContent)).click()`)
	b.wait(`document.querySelector(".menu")`)
	shot("menu")
	b.keys(kb.Escape)
	b.do(`document.querySelector("[aria-label='Your lists']").click()`)
	b.wait(`document.querySelector(".menu")`)
	shot("lists")
	b.keys(kb.Escape)
	b.do(`document.querySelector(".spine button, button.spine").click()`)
	shot("tier")
	b.keys(kb.Escape)
	for label, dialog := range map[string]string{"share": "Share", "help": "Keys and help"} {
		b.do(`document.querySelector("[aria-label='%s']")?.click()`, dialog)
		b.rests()
		shot(label)
		b.keys(kb.Escape)
	}
	for label, entry := range map[string]string{"paste": "Paste a list…", "own": "Add an item of your own…", "export": "Export as picture…"} {
		b.do(`[...document.querySelectorAll("header.top .fileBox > button")].find((e) => /^(File|Menu|More)/.test(e.ariaLabel ?? e.textContent)).click()`)
		b.wait(`document.querySelector(".menu")`)
		b.do(`[...document.querySelectorAll(".menu button")].find((e) => e.textContent === %q).click()`, entry)
		b.rests()
		shot(label)
		b.keys(kb.Escape)
	}
	b.do(`if (document.querySelector(".dock") && !document.querySelector(".dock.open")) document.querySelector(".dockHandle").click()`)
	b.focus("#search")
	b.keys(strings.Split(map[bool]string{true: "ramne", false: "termintor"}[strings.HasPrefix(name, "foods")], "")...)
	b.rests()
	shot("search")
	f.mu.Lock()
	f.status = http.StatusServiceUnavailable
	f.mu.Unlock()
	b.focus(".board .tile")
	b.keys("3")
	panel("next")
	b.wantText(".next", "Couldn't update. Your list is safe.")
	shot("error")
	f.mu.Lock()
	f.status = 0
	f.mu.Unlock()
	b.visit("/#/learning")
	b.wait(`document.querySelector(".calibration .chart")`)
	b.rests()
	for i := range 2 {
		b.do(`scrollTo(0, %d)`, i*(on.height-60))
		shot(fmt.Sprint("learning-", i))
	}
	b.visit("/#/together")
	b.rests()
	b.do(`scrollTo(0, 0)`)
	shot("together")
}
