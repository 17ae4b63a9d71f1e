package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// sharedList is a page whose list is saved under a link, its server, and the id in the link.
func sharedList(t *testing.T) (*tab, *fake, string) {
	t.Helper()
	f := newFake(t)
	b := open(t, chromium(t, "Inter"), f, desktop, sample)
	b.settled()
	b.click(".share")
	b.click(".sheet .filled")
	b.wait(`document.querySelector("#share-link")`)
	link := eval[string](b, `document.querySelector("#share-link").value`)
	b.keys(kb.Escape)
	b.wantText(".saved", "Saved with a link")
	return b, f, link[strings.LastIndex(link, "/")+1:]
}

// says makes the server answer everything about lists with one status; 0 is the true answer again.
func (f *fake) says(status int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listSays = status
}

// wantWrites waits until so many lists were sent.
func (f *fake) wantWrites(t *testing.T, n int) {
	t.Helper()
	for deadline := time.Now().Add(8 * time.Second); f.writes() < n; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d lists were sent, want %d", f.writes(), n)
		}
	}
}

// holding makes the server keep its answers to writes back, until the returned function is called.
func (f *fake) holding() (release func()) {
	hold := make(chan struct{})
	f.mu.Lock()
	f.hold = hold
	f.mu.Unlock()
	return func() {
		f.mu.Lock()
		f.hold = nil
		f.mu.Unlock()
		close(hold)
	}
}

// An answer of the server that comes late finds that another tab has written meanwhile: it asks, and overwrites nothing.
func TestLinkInTwoTabs(t *testing.T) {
	b, f, _ := sharedList(t)
	// The answer to this change of b is held back until the other tab has written.
	release := f.holding()
	puts := f.writes()
	b.do(`window.addEventListener("storage", (e) => e.stopImmediatePropagation(), true)`) // b has not heard of the other yet
	b.drag(".tray "+tile("peach"), lane(4))
	f.wantWrites(t, puts+1)
	other := sameProfile(b)
	other.device(desktop)
	other.visit("/")
	other.settled()
	other.drag(".tray "+tile("cookie"), lane(0))
	other.wait(`document.querySelector(".board [data-item=cookie]")`)
	theirs := other.list()
	release()
	b.wantText(".conflict", "Changed in another tab")
	b.wantText(".saved", "Not saved")
	if now := other.list(); now != theirs || !strings.Contains(now, "cookie") {
		t.Errorf("their list was overwritten: %s", now)
	}
	// While the question stands, nothing is sent either.
	puts = f.writes()
	b.ctrl("s")
	b.drag(".tray "+tile("chestnuts"), lane(4))
	time.Sleep(1200 * time.Millisecond)
	if n := f.writes(); n > puts+1 { // one is the other tab's
		t.Errorf("%d writes to the server while the question stood", n-puts)
	}
	b.clean()
}

// What may pass by itself is tried again; a refusal is not, and the page says so.
func TestLinkRefused(t *testing.T) {
	b, f, id := sharedList(t)
	f.says(http.StatusServiceUnavailable)
	b.drag(".tray "+tile("cookie"), lane(0))
	b.wantText(".saved", "Not saved")
	f.says(0)
	b.wantText(".saved", "Saved with a link")

	f.says(http.StatusForbidden)
	b.drag(".tray "+tile("peach"), lane(0))
	b.wantText(".toast", "Not saved with its link: not now")
	b.wantText(".saved", "Not saved")
	refused := f.writes()
	time.Sleep(5500 * time.Millisecond) // longer than the pause before another try
	if n := f.writes(); n != refused {
		t.Errorf("a refusal was asked for %d times more", n-refused)
	}
	f.says(0)

	f.mu.Lock()
	delete(f.lists, id)
	f.mu.Unlock()
	b.drag(".tray "+tile("chestnuts"), lane(0))
	b.wantText(".toast", "Not saved: the link is gone")
	b.wantText(".saved", "Not saved")
	if list := b.list(); !strings.Contains(list, "chestnuts") {
		t.Errorf("the device lost the change: %s", list)
	}
	b.click(".share")
	b.wantText(".sheet", "Make a link")
	b.clean()
}

// A choice made while a write is on its way is sent after it.
func TestLinkGuessesChosenMeanwhile(t *testing.T) {
	b, f, id := sharedList(t)
	sent := f.writes()
	release := f.holding()
	b.drag(".tray "+tile("cookie"), lane(0))
	f.wantWrites(t, sent+1)
	b.click(".share")
	b.click(".sheet .check input")
	release()
	f.wantWrites(t, sent+2)
	b.wantText(".saved", "Saved with a link")
	f.mu.Lock()
	defer f.mu.Unlock()
	if body := string(f.lists[id].body); !strings.Contains(body, `"guesses":true`) || !strings.Contains(body, "cookie") {
		t.Errorf("the server keeps %s", body)
	}
	b.clean()
}

// The question stands until their list is really here.
func TestLinkTheirsCannotBeRead(t *testing.T) {
	b, f, id := sharedList(t)
	f.mu.Lock()
	list := f.lists[id]
	list.etag, list.body = `"elsewhere"`, []byte(strings.Replace(string(list.body), "What I'd eat", "Changed elsewhere", 1))
	f.lists[id] = list
	f.mu.Unlock()
	b.drag(".tray "+tile("peach"), lane(0))
	b.wantText(".conflict", "Changed in another tab")
	take := `[...document.querySelectorAll(".conflict button")].find((e) => e.textContent === "Take theirs").click()`
	f.says(http.StatusServiceUnavailable)
	b.do("%s", take)
	b.wantText(".toast", "Couldn't fetch their list")
	b.wantText(".conflict", "Changed in another tab")
	b.wait(`document.querySelector(".board [data-item=peach]")`)
	f.says(0)
	b.do("%s", take)
	b.wantText(".title", "Changed elsewhere")
	b.wait(`!document.querySelector(".conflict")`)
	b.clean()
}
