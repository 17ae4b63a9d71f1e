package web_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// The acceptance list of the design, point by point; this file: sorting ten items in four ways.

// listen notes every sentence of the live region.
func (b *tab) listen() {
	b.t.Helper()
	b.do(`window.heard = []; new MutationObserver(() => heard.push(document.querySelector("#live").textContent)).observe(document.querySelector("#live"), { childList: true, characterData: true, subtree: true })`)
}

// heard gives the sentences since the last call.
func (b *tab) heard() []string {
	b.t.Helper()
	return eval[[]string](b, `heard.splice(0).map((s) => s.replaceAll("\u00a0", ""))`)
}

// newsHeard waits for a sentence about Try next and gives all since the last call. A second such sentence would come
// among those of the next act.
func (b *tab) newsHeard() []string {
	b.t.Helper()
	b.wait(`heard.some((s) => s.startsWith("Try next: "))`)
	return b.heard()
}

// sorting is an item, the row that it goes to, and what finds it.
type sorting struct {
	item string
	row  int
	find string
}

var tenFoods = []sorting{{"ramen", 0, "ramen"}, {"sushi", 0, "sushi"}, {"pizza", 1, "pizza"}, {"naan", 1, "naan"}, {"burger", 2, "cheeseburger"}, {"falafel", 2, "falafel"},
	{"potato", 3, "baked potato"}, {"bagel", 3, "bagel"}, {"olives", 4, "olives"}, {"doughnut", 4, "doughnut"}}

// tenFilms are the best-known films, two for each tier, and the four that follow them.
func tenFilms(t testing.TB, f *fake, numbers map[string]string) (ten []sorting, more []string) {
	t.Helper()
	titles := map[string]string{}
	for title, item := range numbers {
		titles[item] = title
	}
	for _, item := range itemsAt(t, f) {
		switch title := titles[item]; {
		case title == "": // another film has its title
		case len(ten) < 10:
			ten = append(ten, sorting{item, len(ten) / 2, title})
		case len(more) < 4:
			more = append(more, item)
		default:
			return ten, more
		}
	}
	t.Fatal("the world has too few films")
	return nil, nil
}

// sorted wants the ten items where they belong, each act with its one sentence and at most one about Try next.
func (b *tab) sorted(w world, how string, heard [][]string) {
	b.t.Helper()
	var list struct{ Tiers []struct{ Items []string } }
	if err := json.Unmarshal([]byte(b.list()), &list); err != nil {
		b.t.Fatal(err)
	}
	for _, x := range w.ten {
		if !slices.Contains(list.Tiers[x.row].Items, x.item) {
			b.t.Errorf("%s: %s is not in tier %d: %v", how, x.item, x.row+1, list)
		}
	}
	time.Sleep(time.Second) // more than the pause between two pieces of news
	heard[len(heard)-1] = append(heard[len(heard)-1], b.heard()...)
	for i, sentences := range heard {
		var acts, news int
		for _, s := range sentences {
			if strings.HasPrefix(s, "Try next: ") {
				news++
			} else if strings.Contains(s, " dropped in ") {
				acts++
			}
		}
		if acts != 1 || news > 1 {
			b.t.Errorf("%s: %s was told by %q, want one sentence and at most one about Try next", how, w.ten[i].item, sentences)
		}
	}
}

func TestAcceptance02SortingByMouse(t *testing.T) {
	t.Parallel()
	eachWorld(t, sortingByMouse)
}

func sortingByMouse(t *testing.T, w world) {
	b := open(t, chromium(t), w.serve(t), desktop.lively(), "")
	b.settled()
	b.listen()
	var heard [][]string
	for _, x := range w.ten {
		b.drag(`.tray `+tile(x.item), lane(x.row))
		b.wait(`document.querySelector(".board %s")`, fmt.Sprintf(`[data-item='%s']`, x.item))
		heard = append(heard, b.newsHeard())
	}
	b.sorted(w, "mouse", heard)

	// The whole row takes a drop: spine and guess lane too. A border, hovered, makes a tier.
	b.drag(`.tray `+tile(w.more[0]), ".board section:nth-child(2) .spine")
	b.wait(`document.querySelector(".lane[data-row='1'] [data-item='%s']")`, w.more[0])
	b.drag(`.tray `+tile(w.more[1]), ".board section:nth-child(3) .guesses")
	b.wait(`document.querySelector(".lane[data-row='2'] [data-item='%s']")`, w.more[1])
	b.hover(".title h1") // away from the guesses, whose card would open
	b.settled()
	b.wait(`!document.querySelector(".whyCard")`)
	from := b.middle(`.tray ` + tile(w.more[2]))
	edge := eval[point](b, `(() => { const r = document.querySelector(".board section:nth-child(2) .spine").getBoundingClientRect(); return { X: r.right + 200, Y: r.top }; })()`)
	b.lift(from, edge)
	b.wantText(".gap", "New tier here, between S and A")
	b.release(edge)
	b.wait(`document.querySelectorAll(".spine").length === 6 && document.querySelector(".lane[data-row='1'] [data-item='%s']")`, w.more[2])

	// Escape and the tray take it back.
	b.lift(b.middle(`.tray `+tile(w.more[3])), b.middle(lane(0)))
	b.keys(kb.Escape)
	b.wait(`!document.querySelector(".tile.held") && !document.querySelector(".board [data-item='%s']")`, w.more[3])
	b.release(b.middle(lane(0)))
	b.drag(".board "+tile(w.more[2]), ".trayTiles")
	b.wait(`!document.querySelector(".board .tile[data-item='%s']")`, w.more[2])
	b.clean()
}

func TestAcceptance02SortingByTaps(t *testing.T) {
	t.Parallel()
	eachWorld(t, sortingByTaps)
}

func sortingByTaps(t *testing.T, w world) {
	b := open(t, chromium(t), w.serve(t), phone, "")
	b.listen()
	var heard [][]string
	for _, x := range w.ten {
		b.tap(`.dock ` + tile(x.item))
		b.wait(`document.querySelector(".sheet .choice")`)
		b.still()
		b.tap(fmt.Sprintf(`.sheet .choice:nth-child(%d)`, x.row+1))
		b.wait(`!document.querySelector(".sheet") && document.querySelector(".board %s")`, fmt.Sprintf(`[data-item='%s']`, x.item))
		heard = append(heard, b.newsHeard())
	}
	b.sorted(w, "taps", heard)
	for _, small := range eval[[]string](b, `[...document.querySelectorAll("button, a, select, input")].filter((e) => e.getClientRects().length && !e.matches(".skip, .ghost, .tile, .dockHandle, .brand")).filter((e) => { const r = e.getBoundingClientRect(); return r.height < 43.5 || (r.width < 43.5 && !e.matches(".spine")); }).map((e) => e.className + " " + e.ariaLabel + " " + e.getBoundingClientRect().width + "x" + e.getBoundingClientRect().height)`) {
		t.Errorf("smaller than 44 px: %s", small)
	}
	// Who taps slowly gets what a tap gives: the finger has lifted the tile by then, and has not moved.
	b.touch(input.DispatchTouchEventTypeTouchStart, b.middle(`.dock .tile`))
	b.wait(`document.querySelector(".tile.held")`)
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.wait(`!document.querySelector(".tile.held") && document.querySelector(".sheet .choice")`)
	b.clean()
}

func TestAcceptance02SortingByTouchDrag(t *testing.T) {
	t.Parallel()
	eachWorld(t, sortingByTouchDrag)
}

func sortingByTouchDrag(t *testing.T, w world) {
	b := open(t, chromium(t), w.serve(t), phone.lively(), "")
	b.listen()
	var heard [][]string
	for _, x := range w.ten {
		b.do(`document.querySelector(%q).scrollIntoView({ inline: "center", block: "nearest" })`, `.dock `+tile(x.item))
		b.carry(`.dock `+tile(x.item), lane(x.row))
		b.wait(`document.querySelector(".board %s")`, fmt.Sprintf(`[data-item='%s']`, x.item))
		heard = append(heard, b.newsHeard())
	}
	b.sorted(w, "touch drag", heard)

	// A move of more than 8 px before the hold scrolls and lifts nothing.
	at := b.middle(".dock .tile")
	b.do(`window.lifted = 0; new MutationObserver(() => { lifted += document.querySelectorAll(".tile.held").length; }).observe(document.body, { childList: true })`)
	inTurn(b, input.DispatchTouchEvent, touchAt(input.DispatchTouchEventTypeTouchStart, at), touchAt(input.DispatchTouchEventTypeTouchMove, point{at.X - 30, at.Y}))
	time.Sleep(400 * time.Millisecond) // longer than a hold
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	if eval[int](b, `lifted`) > 0 {
		t.Error("a scroll lifted a tile")
	}
	b.clean()
}

func TestAcceptance02SortingByKeyboard(t *testing.T) {
	t.Parallel()
	eachWorld(t, sortingByKeyboard)
}

func sortingByKeyboard(t *testing.T, w world) {
	f := w.serve(t)
	b := open(t, chromium(t), f, desktop, "")
	b.settled()
	b.listen()
	var heard [][]string
	for _, x := range w.ten {
		b.keys("/")
		b.wait(`document.activeElement.id === "search"`)
		b.do(`document.activeElement.select()`)
		b.keys(strings.Split(x.find, "")...)
		b.wait(`document.querySelector(".trayTiles .tile").dataset.item === %q`, x.item)
		b.keys(arrowDown) // out of the search, onto the tile
		b.wait(`document.activeElement.dataset.item === %q`, x.item)
		b.keys(" ")
		b.wait(`document.activeElement.getAttribute("role") === "application"`)
		b.keys(arrowDown, arrowDown, kb.End, kb.Home)
		for range 2*x.row + 1 {
			b.keys(arrowDown)
		}
		b.keys(" ")
		b.wait(`document.activeElement.closest(".board") && document.activeElement.dataset.item === %q`, x.item)
		if eval[bool](b, `document.querySelector("[role=application]") !== null`) {
			t.Error("nothing is held, and something is an application")
		}
		heard = append(heard, b.newsHeard())
	}
	b.sorted(w, "keyboard", heard)
	name := func(x sorting) string {
		return eval[string](b, `document.querySelector(".board [data-item='%s'] .name").textContent.replaceAll("\u00ad", "")`, x.item)
	}
	first := strings.Join(heard[0], "\n")
	for _, want := range []string{name(w.ten[0]) + " picked up from the tray. Up and down choose a place, Space drops, Escape puts it back.", "S, Favourites. Tier 1 of 5, 0 items.", "New tier between S and A.", name(w.ten[0]) + " dropped in S.", "New tier above S."} {
		if !strings.Contains(first, want) {
			t.Errorf("never said %q:\n%s", want, first)
		}
	}
	b.heard()
	b.keys(" ", arrowUp, kb.Escape)
	if got := b.heard(); got[len(got)-1] != "Put back in D." {
		t.Errorf("after Escape: %q", got)
	}
	last := name(w.ten[9])
	b.keys("1")
	b.wantHeard(last + " dropped in S.")
	b.newsHeard() // an act undone before its answer comes is no news
	b.ctrl("z")
	b.wantHeard("Undone: " + last + " back in D.")
	b.newsHeard()
	// The same question asked again, as when the network is back, is no act and no news.
	asked := func() int {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.asked
	}
	before := asked()
	b.do(`dispatchEvent(new Event("online"))`)
	b.rests()
	b.rests()
	if again := b.heard(); asked() == before || len(again) > 0 {
		t.Errorf("asked %d times more, and told %q", asked()-before, again)
	}
	b.clean()
}

// wantHeard waits for a sentence in the live region.
func (b *tab) wantHeard(sentence string) {
	b.t.Helper()
	b.wait(`document.querySelector("#live").textContent.replaceAll("\u00a0", "") === %q`, sentence)
}
