package web_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// The pictures of docs/page.md and the README, and the ones to hold beside the
// design's: written into the folder of FUBINI_PICTURES.

func TestPictureBoard(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"light", "dark"} {
		on := desktop
		on.density, on.dark = 1.5, theme == "dark"
		b := newTab(t, chromium(t), newFake(t))
		b.device(on)
		b.keep(sample)
		b.keepRecord(12, 20)
		b.visit("/")
		b.settled()
		b.move()
		if theme == "dark" {
			b.lift(b.middle(`.tray `+tile("cookie")), point{X: 470, Y: 480})
			b.wantText(".record", "You first: our guess for Cookie shows after you drop it.")
		} else {
			b.click(`.guesses .ghost[data-item="burrito"], .guesses li:nth-child(2) .ghost`)
			b.wantText(".whyCard tfoot", "Score")
		}
		b.still()
		b.picture("board-" + theme)
		b.wantText("header.top", "Demo world: synthetic people")
		b.clean()
	}
}

// keepRecord puts a record into the device's storage: so many right of so many.
func (b *tab) keepRecord(right, of int) {
	b.t.Helper()
	b.before(fmt.Sprintf(`if (!localStorage.getItem("fubini.record")) localStorage.setItem("fubini.record", JSON.stringify(Array.from({ length: %[2]d }, (_, i) =>
		({ item: "old-" + i, name: "Mango", put: "A", said: "A", p: 0.52, right: i * 7 %% %[2]d < %[1]d }))));`, right, of))
}

// move places some foods and takes them back, so that the map of a picture has a trail.
func (b *tab) move() {
	b.t.Helper()
	if os.Getenv("FUBINI_PICTURES") == "" {
		return
	}
	for i, item := range []string{"pear", "matcha", "honey", "squid"} {
		b.focus(`.tray ` + tile(item))
		b.keys(string(rune('1' + i)))
		b.wait(`document.querySelector(".board %s")`, `[data-item='`+item+`']`)
		b.settled()
	}
	for range 4 {
		b.ctrl("z")
		b.settled()
	}
	b.do(`document.activeElement.blur(); document.querySelector(".trayTiles").scrollTop = 0`)
	b.wait(`document.getAnimations().length === 0`)
}

func TestPictureMiddle(t *testing.T) {
	t.Parallel()
	b := open(t, chromium(t), newFake(t), screen{width: 1024, height: 900, density: 1.5}, sample)
	b.settled()
	b.picture("board-1024")
	b.click(".guessSwitch")
	b.wait(`document.querySelector(".board.unguessed") && !document.querySelector(".ghost")`)
	b.picture("board-1024-without-guesses")
	b.click(".guessSwitch")
	b.device(screen{width: 768, height: 900, density: 1.5})
	b.still()
	b.picture("board-768")
	b.clean()
}

func TestPicturePhone(t *testing.T) {
	t.Parallel()
	b := open(t, chromium(t), newFake(t), phone, sample)
	b.wait(`document.querySelector(".ghost")`)
	b.wantText(".top", "Demo world: synthetic people")
	b.picture("phone-board")
	b.tap(`.dock ` + tile("croissant"))
	b.wantText(".sheet", "Where does Croissant go?")
	b.still()
	b.picture("phone-picker")
	b.tap(`.sheet .iconButton`)
	b.tap(`.ghost`)
	b.wantText(".sheet tfoot", "Score")
	b.still()
	b.picture("phone-why")
	b.tap(`.sheet .iconButton`)
	dark := phone
	dark.dark = true
	b.device(dark)
	b.tap(`#tab-next`)
	b.wait(`document.querySelector(".dock .row")`)
	b.still()
	b.picture("phone-next-dark")
	b.tap(`#tab-map`)
	b.wait(`document.querySelector(".dock .mapBox")`)
	b.still()
	b.picture("phone-map-dark")
	b.tap(`#tab-tray`)
	b.device(screen{width: 320, height: 640, density: 2, touch: true})
	b.still()
	b.picture("phone-320")
	b.clean()
}

func TestPictureLearning(t *testing.T) {
	t.Parallel()
	b := open(t, chromium(t), newFake(t), desktop, sample)
	b.visit("/#/learning")
	b.wait(`document.querySelector(".calibration .chart")`)
	for _, on := range []struct {
		name string
		screen
	}{{"learning", screen{width: 1440, height: 1160, density: 1.5}}, {"learning-dark", screen{width: 1440, height: 1160, density: 1, dark: true}}, {"learning-phone", screen{width: 390, height: 1400, density: 2, touch: true}}} {
		b.device(on.screen)
		b.still()
		b.picture(on.name)
		b.wantText("body", "Demo world: synthetic people")
	}
	b.clean()
}

// A catalogue of names alone, some long, some written from right to left.
func TestPictureFilms(t *testing.T) {
	t.Parallel()
	names := []string{"The Lighthouse Keeper's Daughter (1994)", "Rain (2001)", "A Very Long Engagement With an Unusually Talkative Stranger (1987)", "Nine Doors (1979)", "الطريق إلى البيت (2003)", "Midnight in the Garden (1962)",
		"מסע קצר (2011)", "Orbit (1999)", "Grandmother Goes to Sea (1973)", "La Petite Boulangerie de Madame Perrault (1958)", "Hundred and One Mornings (1990)", "Dust (1936)", "The Understudy (2010)", "Snow on the Switchboard (1951)"}
	var films []food
	for i := range 420 {
		name := names[i%len(names)]
		if i >= len(names) {
			name = strings.Replace(name, " (", fmt.Sprintf(" %d (", i/len(names)+1), 1)
		}
		films = append(films, food{Item: fmt.Sprint("film-", i), Name: name, Count: 500 - i, traits: string("uhsgmcfbd"[i%9]) + string("uhsgmcfbd"[i/9%9])})
	}
	row := func(from, n int) string {
		var items []string
		for i := range n {
			items = append(items, fmt.Sprint("film-", from+i))
		}
		return strings.Join(items, " ")
	}
	few := listOf("Films", row(0, 5), row(5, 6), row(11, 3), "", row(14, 2))
	eachFont(t, func(t *testing.T, font string) {
		for _, on := range []struct {
			name, list string
			screen
		}{{"films", few, screen{width: 1280, height: 900, still: true}}, {"films-1024", few, screen{width: 1024, height: 900, still: true}}, {"films-phone", few, phone},
			{"films-300", listOf("Films", row(0, 60), row(60, 60), row(120, 60), row(180, 60), row(240, 60)), screen{width: 1680, height: 1000, still: true}}} {
			b := open(t, chromium(t), serveFoods(t, films).in(font), on.screen, on.list)
			b.wait(`document.querySelector(".ghost")`)
			b.fits(on.name)
			b.picture(on.name + "-" + font)
			b.clean()
		}
	})
}

// The pictures of the README are of the worlds of `fubini demo`:
//
//	FUBINI_PICTURES=docs/pictures go test ./app/web -count=1 -run PictureOfTheWorlds
func TestPictureOfTheWorlds(t *testing.T) {
	if os.Getenv("FUBINI_PICTURES") == "" {
		t.Skip("FUBINI_PICTURES names no folder")
	}
	on := desktop
	on.density = 1.5
	eaten := listOf("What I'd eat", "ramen dumplings sushi tacos curry-and-rice", "pizza paella carbonara flatbread-and-hummus mango prawn-tempura",
		"burger green-salad falafel baguette strawberries pancakes", "ice-cream bagel baked-potato", "blue-cheese doughnut olives")
	rename := strings.NewReplacer("S Every day", "S Favourites", "A Gladly", "A Great", "B Fine", "B Good", "C If I must", "C So-so", "D No thanks", "D Not for me")
	server, numbers := films(t)
	for name, world := range map[string]struct {
		*fake
		list string
	}{"page": {demo(t).fake, eaten}, "films": {server.fake, rename.Replace(filmList(t, numbers))}} {
		b := open(t, chromium(t), world.fake, on, world.list)
		b.settled()
		b.wait(`document.querySelector(".mapBox .you") && document.querySelectorAll(".trayTiles .tile .name").length > 20 && !document.querySelector(".tile.unnamed")`)
		b.still()
		b.picture(name)
		b.clean()
	}
}

func TestPictureStates(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	empty := open(t, ctx, newFake(t), desktop, "")
	empty.settled()
	empty.wantText(".next", "Everyone's favourites")
	empty.picture("state-empty")
	empty.clean()

	f := newFake(t)
	failing := open(t, ctx, f, desktop, sample)
	failing.settled()
	f.mu.Lock()
	f.status = http.StatusServiceUnavailable
	f.mu.Unlock()
	failing.drag(tile("cookie"), lane(0))
	failing.wantText(".next", "Couldn't update. Your list is safe.")
	failing.still()
	failing.picture("state-error")
	failing.clean()

	stopped := newFake(t)
	offline := open(t, ctx, stopped, desktop, sample)
	offline.settled()
	stopped.Close()
	offline.drag(tile("cookie"), lane(0))
	offline.wantText(".next", "Offline: sorting still works, guesses wait.")
	offline.still()
	offline.picture("state-offline")
	offline.clean()
}
