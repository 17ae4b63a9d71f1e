package web_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// readerKey is one that the fake takes where a test has it ask for keys.
const readerKey = "fub_reader-5f0c"

// lockedFake is a server that asks for a key.
func lockedFake(t *testing.T) *fake {
	f := newFake(t)
	f.key = readerKey
	return f
}

// give types a key into the dialog.
func (b *tab) give(key string) {
	b.t.Helper()
	b.click("#api-key")
	b.do(`document.querySelector("#api-key").value = ""`)
	b.keys(strings.Split(key, "")...)
	b.keys("\r")
}

// keyStaysHere fails the test if the key is anywhere but in the tab's own storage, or there against the test's word.
func (b *tab) keyStaysHere(kept bool) {
	b.t.Helper()
	if got := eval[string](b, `sessionStorage.getItem("fubini.key") ?? ""`); (got == readerKey) != kept || (got == "") == kept {
		b.t.Errorf("the tab keeps %q, to be kept: %t", got, kept)
	}
	if eval[bool](b, `[JSON.stringify(Object.entries(localStorage)), location.href, document.cookie, document.documentElement.outerHTML].join().includes(%q)`, readerKey) {
		b.t.Error("the key is in local storage, the address, a cookie or the document")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, address := range b.asked {
		if strings.Contains(address, readerKey) {
			b.t.Errorf("the key is in an address: %s", address)
		}
	}
}

func TestKeyIsAskedFor(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]screen{"desktop": desktop, "phone": phone, "dark": {width: 1440, height: 1000, density: 1, dark: true, still: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t, chromium(t), lockedFake(t))
			b.device(on)
			b.keep(sample)
			b.visit("/")
			b.wantText(".sheet h2", "This server asks for an API key")
			b.wait(`document.activeElement.id === "api-key" && document.activeElement.type === "password"`)
			b.fits("the dialog")
			b.axe("the dialog", "document")
			b.picture("key-" + name)
			for _, wrong := range []string{"fub_wrong", "schlüssel"} {
				b.give(wrong)
				b.wantText(".sheet [role=alert]", "The server does not accept this key.")
				b.wait(`!document.querySelector(".sheet .filled").disabled`)
			}
			b.fits("a wrong key")
			b.axe("a wrong key", `".sheet"`)
			b.picture("key-wrong-" + name)
			b.keyStaysHere(false)
			b.give(readerKey)
			b.wait(`!document.querySelector(".sheet") && document.querySelectorAll(".board .tile").length === 23 && document.querySelector(".ghost")`)
			b.keyStaysHere(true)
			b.clean()
		})
	}
}

func TestKeyIsKeptByTheTabAndForgotten(t *testing.T) {
	t.Parallel()
	b := newTab(t, chromium(t), lockedFake(t))
	b.device(desktop)
	b.keep(sample)
	b.visit("/")
	b.wantText(".sheet", "This server asks for an API key")
	// Who says "not now" sorts on, is told where, and is not asked again by every act.
	b.keys(kb.Escape)
	b.wantText(".next .notice", "This server asks for an API key.")
	b.focus(".board " + tile("ramen"))
	b.keys("5")
	b.wait(`document.querySelector(".lane[data-row='4'] [data-item=ramen]") && !document.querySelector(".sheet")`)
	if asked := b.recommendations(); asked != 1 {
		t.Errorf("%d questions without a key, want the first alone", asked)
	}
	b.click(".next .notice .link")
	b.give(readerKey)
	b.settled()
	b.visit("/?again") // the tab is the same
	b.settled()
	b.keyStaysHere(true)
	// Its list is shared with the key, and the key is no part of it.
	b.click(".share")
	b.click(".sheet .filled")
	b.wait(`document.querySelector("#share-link")`)
	link := eval[string](b, `document.querySelector("#share-link").value`)
	b.keys(kb.Escape)
	b.keyStaysHere(true)
	b.fake.mu.Lock()
	for _, list := range b.lists {
		if strings.Contains(string(list.body)+link, readerKey) {
			t.Errorf("the key went with the list: %s %s", link, list.body)
		}
	}
	b.fake.mu.Unlock()
	// Another tab of the browser has no key.
	beside := sameProfile(b)
	beside.device(desktop)
	beside.visit("/")
	beside.wantText(".sheet", "This server asks for an API key")
	beside.keyStaysHere(false)
	// Nor has a visitor, who sees the shared list all the same, under the ids of its items.
	visitor := newTab(t, chromium(t), b.fake)
	visitor.device(desktop)
	visitor.visit(strings.TrimPrefix(link, b.URL))
	visitor.wantText(".title", "Names and guesses need an API key of this server.")
	visitor.wait(`document.querySelectorAll(".board .tile").length === 23 && !document.querySelector(".sheet")`)
	visitor.wantText(".board "+tile("green-curry"), "green-curry")
	visitor.axe("a shared list without a key", "document")
	visitor.picture("key-visitor")
	visitor.keyStaysHere(false)
	visitor.click(".title .link")
	visitor.give(readerKey)
	visitor.wait(`!document.querySelector(".sheet") && !document.querySelector(".title .link")`)
	visitor.wantText(".board "+tile("green-curry"), "Green curry")
	visitor.clean()
	// A key that was revoked is told of, and forgotten.
	b.fake.mu.Lock()
	b.key = "another"
	b.fake.mu.Unlock()
	b.focus(".board " + tile("ramen"))
	b.keys("1")
	b.wantText(".sheet [role=alert]", "The server no longer accepts the key of this tab.")
	b.keyStaysHere(false)
	b.fake.mu.Lock()
	b.key = readerKey
	b.fake.mu.Unlock()
	b.give(readerKey)
	b.settled()
	b.click(".fileBox > button")
	b.reloads(`[...document.querySelectorAll(".menu button")].find((e) => e.textContent === "Forget the key").click()`)
	b.wantText(".sheet", "This server asks for an API key")
	b.keyStaysHere(false)
	b.clean()
}

// recommendations counts the questions that reached the server, those it refused too.
func (f *fake) recommendations() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, request := range f.requests {
		if request == "POST /v1/recommend" {
			n++
		}
	}
	return n
}
