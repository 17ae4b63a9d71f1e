package web_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// menu opens the switcher of lists and presses one of its buttons.
func (b *tab) menu(words string) {
	b.t.Helper()
	b.click(`[aria-label="Your lists"]`)
	b.wait(`document.querySelector(".menu .own-list")`)
	b.do(`[...document.querySelectorAll(".menu button")].find((e) => e.textContent.includes(%q)).click()`, words)
	b.wait(`!document.querySelector(".menu")`)
}

// ownLists is what the switcher shows.
func (b *tab) ownLists() string {
	b.t.Helper()
	b.click(`[aria-label="Your lists"]`)
	b.wait(`document.querySelector(".menu .own-list")`)
	text := eval[string](b, `[...document.querySelectorAll(".menu .own-list")].map((e) => e.innerText.replaceAll("\n", " ")).sort().join(", ")`)
	b.keys(kb.Escape)
	b.wait(`!document.querySelector(".menu")`)
	return text
}

// Several lists on one device: whatever is done, each is in the switcher, also after a restart, and as it was.
func TestListsAreNeverLost(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	f := newFake(t)
	b := open(t, ctx, f, desktop, sample)
	b.settled()
	b.menu("New list")
	b.wait(`document.querySelectorAll(".board .tile").length === 0`)
	b.place("cookie", 0)
	b.wantText(".title", "My tier list")
	b.menu("Copy this list")
	b.wantText(".title", "My tier list 2")
	b.place("peach", 1)
	b.visit("/?again")
	b.settled()
	const first = "My tier list 1 item, My tier list 2 2 items, "
	const all = first + "What I'd eat 23 items"
	if got := b.ownLists(); got != all {
		t.Errorf("after a restart the switcher has %s", got)
	}
	b.menu("What I'd eat")
	b.wait(`document.querySelectorAll(".board .tile").length === 23`)
	b.ctrl("z") // the steps of another list are not this one's
	if got := b.ownLists(); got != all {
		t.Errorf("after undo the switcher has %s", got)
	}
	// A list that somebody shared becomes one more.
	b.click(".share")
	b.click(".sheet .filled")
	b.wait(`document.querySelector("#share-link")?.value.includes("/list/")`)
	link := eval[string](b, `document.querySelector("#share-link").value`)
	b.keys(kb.Escape)
	b.menu("My tier list 2")
	b.visit("/?visit#/list/" + link[strings.LastIndex(link, "/")+1:])
	b.wait(`document.querySelector(".copy")`)
	b.click(".copy")
	b.wait(`document.querySelectorAll(".board .tile").length === 23 && document.querySelector(".tray")`)
	b.wantText(".title", "What I'd eat 2")
	if got := b.ownLists(); got != first+"What I'd eat 2 23 items, What I'd eat 23 items" {
		t.Errorf("after a copy the switcher has %s", got)
	}
	// One that is removed can be had back.
	b.menu("Remove this list")
	b.wait(`document.querySelector(".toast")?.innerText.includes("What I'd eat 2 removed from this device.") && (document.querySelector(".toast .link").click(), true)`) // before it goes
	b.wait(`document.querySelectorAll(".board .tile").length === 23`)
	if got := b.ownLists(); got != first+"What I'd eat 2 23 items, What I'd eat 23 items" {
		t.Errorf("after its undo the switcher has %s", got)
	}
	b.axe("switcher", "document")
	b.clean()
}

// Undo leaves the focus where it was, on the same item wherever that has gone.
func TestUndoKeepsTheFocus(t *testing.T) {
	t.Parallel()
	b := open(t, chromium(t), newFake(t), desktop, sample)
	b.settled()
	b.focus(".tray " + tile("cookie"))
	b.keys("1")
	b.wait(`document.activeElement.matches(".board [data-item=cookie]")`)
	b.ctrl("z")
	b.wait(`document.activeElement.matches(".tray [data-item=cookie]")`)
	b.ctrl("z", kb.ModifierShift)
	b.wait(`document.activeElement.matches(".board [data-item=cookie]")`)
	b.keys("0")
	b.wait(`document.activeElement.matches(".tray [data-item=cookie]")`)
	b.clean()
}

// The page opens without its server, with the list and the catalogue as they were.
func TestPageWithoutItsServer(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	b := open(t, chromium(t), f, desktop, sample)
	b.settled()
	eval[bool](b, `navigator.serviceWorker.ready.then(() => true)`)
	b.visit("/?again") // now the worker has seen what the page asks for
	b.settled()
	b.wait(`navigator.serviceWorker.controller`)
	if past := eval[string](b, `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/v1/recommend")).map((e) => e.workerFinalSourceType).join()`); past != "network" {
		t.Errorf("the question of the first screen was answered by way of %q, want the network alone: a worker that sleeps takes time to wake", past)
	}
	f.CloseClientConnections()
	f.Close()
	b.visit("/?dead")
	b.wait(`document.querySelectorAll(".board .tile").length === 23 && document.querySelectorAll(".tray .tile").length > 50`)
	b.wantText(".next", "Offline: sorting still works, guesses wait.")
	b.place("cookie", 0)
	if !strings.Contains(b.list(), "cookie") {
		t.Errorf("a placement without a server was lost: %s", b.list())
	}
}

// A record counts what was not on the screen, and a ghost in a lane is.
func TestRecordCountsTheUnseen(t *testing.T) {
	t.Parallel()
	b := open(t, chromium(t), newFake(t), desktop, sample)
	b.settled()
	ghost := eval[string](b, `document.querySelectorAll(".guesses .ghost")[4].dataset.item`)
	b.place(ghost, 2)
	b.wantText(".record", "You had seen it, so it does not count.")
	b.wantText(".record h2", "Our guesses so far")
	b.settled()
	hidden := eval[string](b, `[...document.querySelectorAll(".tray .tile")].map((e) => e.dataset.item).find((item) => !JSON.parse(localStorage.getItem("fubini.shown")).includes(item))`)
	b.place(hidden, 2)
	b.wantText(".record h2", "of your last 1")
	b.clean()
}
