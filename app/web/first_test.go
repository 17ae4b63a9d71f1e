package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// firstVisit opens the page as somebody does who was never here, and waits for the first card.
func firstVisit(t *testing.T, f *fake, on screen) *tab {
	t.Helper()
	b := newTab(t, chromium(t), f)
	b.device(on)
	b.visit("/")
	b.wait(`document.querySelector(".dealt")`)
	return b
}

// dealt waits for a card that is not the one before, and gives its name.
func (b *tab) dealt(before string) string {
	b.t.Helper()
	b.wait(`document.querySelector(".dealt h2") && document.querySelector(".dealt h2").textContent !== %q`, before)
	return b.text(".dealt h2")
}

// A first visitor reads what the page is for, answers with keys alone until our guesses hold still, sees rough guesses after
// the third answer, never the guess for the card itself, asks for ten more, and comes to the board with everything in place;
// next time the board is there at once.
func firstByKeys(t *testing.T, b *tab, name string) {
	t.Helper()
	b.wantText("h1", "Sort what you know. We learn your taste and guess the rest.")
	b.axe("first minute", "document")
	card := b.dealt("")
	if eval[bool](b, `document.querySelector(".dealt:focus") !== null`) {
		t.Error("a frame is around the card before a key was pressed")
	}
	b.keys("0") // never tried
	card = b.dealt(card)
	b.keys(" ") // another
	after := b.dealt(card)
	b.keys(kb.Backspace)
	b.wantText(".dealt h2", card)
	b.keys(" ")
	b.wantText(".dealt h2", after)
	card = after
	answers, settled := 0, 0
	for i := 0; ; i++ {
		b.wait(`document.activeElement.matches(".dealt")`)
		if at := eval[string](b, `[...document.querySelectorAll(".soFar .roughName")].map((e) => e.textContent).join("|")`); strings.Contains(at, card) {
			t.Errorf("the guess for %s is on the screen before the answer: %s", card, at)
		}
		if i == 5 {
			b.wait(`document.querySelectorAll(".soFar li").length > 0`)
			b.axe("first minute, guesses", "document")
			b.picture("first-" + name)
		}
		b.keys(fmt.Sprint(1 + i%5))
		if i > 0 {
			b.wantText(".soFar .just", card+": you put "+string("SABCD"[i%5])+". We had said")
		}
		answers++
		b.wait(`document.querySelector(".enough") || document.querySelector(".dealt h2") && document.querySelector(".dealt h2").textContent !== %q`, card)
		if b.text(".enough") == "" {
			card = b.text(".dealt h2")
			continue
		}
		if settled > 0 {
			break
		}
		settled = answers
		if answers < 5 || answers > 15 {
			t.Errorf("the questions end after %d answers, want 5 to 15", answers)
		}
		t.Logf("%s: enough after %d answers", name, answers)
		b.wait(`document.activeElement.textContent === "See what we think"`)
		b.axe("first minute, end", "document")
		b.do(`[...document.querySelectorAll(".enough button")].find((e) => e.textContent === "Ten more").click()`)
		card = b.dealt("")
	}
	if answers != settled+10 {
		t.Errorf("ten more were %d", answers-settled)
	}
	b.wantText(".enough", "See what we think")
	b.wait(`document.activeElement.textContent === "See what we think"`)
	b.enter()
	b.do(`document.querySelector(".enough .filled")?.click()`) // a real Enter clicks the button
	b.wait(`document.querySelectorAll(".board .tile").length === %d`, answers)
	b.settled()
	b.visit("/?again")
	b.settled()
	b.wait(`document.querySelectorAll(".board .tile").length === %d && !document.querySelector(".first")`, answers)
	b.clean()
}

func TestFirstMinuteFoods(t *testing.T) {
	firstByKeys(t, firstVisit(t, demo(t).fake, screen{width: 1280, height: 720, still: true}), "foods")
}

func TestFirstMinuteFilms(t *testing.T) {
	t.Parallel()
	server, _ := films(t)
	firstByKeys(t, firstVisit(t, server.fake, screen{width: 1280, height: 720, still: true}), "films")
}

// A server that is busy for a moment is asked again, and the card comes; one that stays so leads to the board.
func TestFirstMinuteOfABusyServer(t *testing.T) {
	t.Parallel()
	server, _ := films(t)
	f := through(t, server.fake)
	b := firstVisit(t, f, desktop)
	says := func(status int) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.dealSays = status
	}
	card := b.dealt("")
	says(http.StatusServiceUnavailable)
	b.keys("1")
	b.wantText(".card", "Dealing…")
	says(0)
	b.dealt(card)
	says(http.StatusServiceUnavailable)
	b.keys("2")
	b.wait(`document.querySelectorAll(".board .tile").length === 2 && !document.querySelector(".first")`)
	b.clean()
}

// On a phone taps are enough, everything that is tapped is in view and large enough, and "Skip to the board" is remembered.
func TestFirstMinuteByTaps(t *testing.T) {
	t.Parallel()
	server, _ := films(t)
	for _, on := range []screen{phone, {width: 360, height: 740, touch: true, still: true}, {width: 740, height: 360, touch: true, still: true}, {width: 320, height: 568, touch: true, still: true, dark: true}} {
		t.Run(fmt.Sprintf("%dx%d", on.width, on.height), func(t *testing.T) {
			b := firstVisit(t, server.fake, on)
			b.fits("first minute")
			low := eval[[]string](b, `[...document.querySelectorAll(".answers button, .others button")].filter((e) => e.getBoundingClientRect().height < 44 || e.getBoundingClientRect().bottom > innerHeight).map((e) => e.textContent + " " + Math.round(e.getBoundingClientRect().bottom))`)
			if len(low) > 0 {
				t.Errorf("out of reach or too small: %v", low)
			}
			card := b.dealt("")
			for i := range 4 {
				b.tap(fmt.Sprintf(".answers button:nth-child(%d)", 1+i%5))
				card = b.dealt(card)
			}
			b.tap(".others button")
			b.dealt(card)
			b.wait(`document.querySelectorAll(".soFar li").length > 0`)
			b.axe("first minute on a phone", "document")
			b.picture(fmt.Sprint("first-phone-", on.width))
			b.tap(".firstHead .link")
			b.wait(`document.querySelectorAll(".board .tile").length === 4`)
			b.do(`localStorage.removeItem("fubini.list.main")`)
			b.visit("/?again")
			b.wait(`document.querySelector(".board") && !document.querySelector(".first")`)
			b.clean()
		})
	}
}

// Whoever has a list, may keep nothing, follows a shared link, or meets a server that deals no cards goes to the board.
func TestFirstMinuteIsForNewcomers(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	server, numbers := films(t)
	kept := newTab(t, ctx, server.fake)
	kept.device(desktop)
	kept.keep(filmList(t, numbers))
	kept.visit("/")
	kept.wait(`document.querySelectorAll(".board .tile").length === 19`)
	forbidden := newTab(t, ctx, server.fake)
	forbidden.device(desktop)
	forbidden.before(`Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } })`)
	forbidden.visit("/")
	forbidden.wait(`document.querySelector(".board") && document.querySelector(".trayTiles .tile")`)
	link := newTab(t, ctx, server.fake)
	link.device(desktop)
	link.visit("/#/list/nobody-has-made-this-list")
	link.wait(`document.querySelector(".message h1")?.textContent.startsWith("This list doesn't exist")`)
	none := newTab(t, ctx, newFake(t))
	none.device(desktop)
	none.visit("/")
	none.wait(`document.querySelector(".board") && document.querySelector(".trayTiles .tile")`)
	for _, b := range []*tab{kept, forbidden, link, none} {
		if b.text(".first") != "" {
			t.Errorf("the first minute is shown: %s", b.text(".first"))
		}
		b.clean()
	}
}
