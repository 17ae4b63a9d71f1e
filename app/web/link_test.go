package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// sharedList is a page whose list is saved under a link, its server, and the id in the link.
func sharedList(t *testing.T) (*tab, *fake, string) {
	t.Helper()
	f := newFake(t)
	b := open(t, chromium(t), f, desktop, sample)
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
	for deadline := time.Now().Add(patience); f.writes() < n; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d lists were sent, want %d", f.writes(), n)
		}
	}
}

// holding makes the server keep its answers to writes back, until the returned function is called or the test ends.
func (f *fake) holding(t *testing.T) (release func()) { return f.waiting(t, &f.hold) }

// thinking is the same of its recommendations.
func (f *fake) thinking(t *testing.T) (release func()) { return f.waiting(t, &f.thinks) }

func (f *fake) waiting(t *testing.T, gate *chan struct{}) (release func()) {
	t.Helper()
	wait := make(chan struct{})
	f.mu.Lock()
	*gate = wait
	f.mu.Unlock()
	release = sync.OnceFunc(func() {
		f.mu.Lock()
		*gate = nil
		f.mu.Unlock()
		close(wait)
	})
	t.Cleanup(release) // a server with a request under way never closes
	return release
}

// kept is the list as the server has it.
func (f *fake) kept(id string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return string(f.lists[id].body)
}

// wantKept waits until the server's list holds one food and not another.
func (f *fake) wantKept(t *testing.T, id, there, away string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		body := f.kept(id)
		if strings.Contains(body, there) && !strings.Contains(body, away) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server's list never had %s without %s: %s", there, away, body)
		}
	}
}

// beside is a second tab with the same list.
func beside(b *tab) *tab {
	b.t.Helper()
	other := sameProfile(b)
	other.device(desktop)
	other.visit("/")
	other.settled()
	return other
}

// deaf makes a tab hear nothing of what others write on the device.
func (b *tab) deaf() {
	b.t.Helper()
	b.do(`window.isDeaf = true`)
}

// place drags a food from the tray and waits until it is on the board.
func (b *tab) place(item string, row int) {
	b.t.Helper()
	b.still() // what another tab did moves tiles
	b.drag(".tray "+tile(item), lane(row))
	b.wait(`document.querySelector(".board .tile[data-item='%s']")`, item)
}

// wantQuestion waits until the page asks which of two versions goes on; answer answers.
func (b *tab) wantQuestion() {
	b.t.Helper()
	b.wantText(".conflict", "Changed in another tab")
	b.wantText(".saved", "Not saved")
}

func (b *tab) answer(words string) {
	b.t.Helper()
	b.do(`[...document.querySelectorAll(".conflict button")].find((e) => e.textContent === %q).click()`, words)
	b.wait(`!document.querySelector(".conflict")`)
}

// quiet is longer than a change waits before it is sent.
const quiet = 1200 * time.Millisecond

// One list in two tabs, on the device and under its link. Whoever writes second without having heard of the first is
// asked, whichever tab that is; until it has answered, neither the device nor the server changes; and every
// answer leaves both versions somewhere.
func TestLinkInTwoTabs(t *testing.T) {
	t.Parallel()
	for _, turned := range []bool{false, true} {
		for _, answer := range []string{"Keep mine", "Take theirs", "Save as copy"} {
			t.Run(fmt.Sprintf("%s, %s", map[bool]string{false: "the first tab writes first", true: "the second"}[turned], answer), func(t *testing.T) {
				t.Parallel()
				first, f, id := sharedList(t)
				second := beside(first)
				if turned {
					first, second = second, first
				}
				second.deaf()
				first.place("cookie", 0)
				f.wantKept(t, id, "cookie", "peach")
				first.wantText(".saved", "Saved with a link")
				theirs, sent := first.list(), f.writes()
				second.place("peach", 4) // goes on working, and overwrites nothing
				second.wantQuestion()
				second.ctrl("s")
				time.Sleep(quiet)
				if now := second.list(); now != theirs || !strings.Contains(now, "cookie") {
					t.Fatalf("while the question stood the device's list became %s, was %s", now, theirs)
				}
				if n := f.writes(); n != sent {
					t.Fatalf("while the question stood %d lists were sent", n-sent)
				}
				second.answer(answer)
				switch answer {
				case "Keep mine":
					f.wantKept(t, id, "peach", "cookie")
					second.wantText(".saved", "Saved with a link") // and no second question, of the server's
					first.wantQuestion()
					first.wait(`document.querySelector(".board .tile[data-item=cookie]")`) // theirs is still there
					mine := second.list()
					first.answer("Save as copy")
					if copied := first.list(); !strings.Contains(copied, "cookie") || second.list() != mine {
						t.Errorf("the copy is %s, beside %s", copied, second.list())
					}
				case "Take theirs":
					second.wait(`document.querySelector(".board .tile[data-item=cookie]") && !document.querySelector(".board .tile[data-item=peach]")`)
					second.wantText(".saved", "Saved with a link")
					f.wantKept(t, id, "cookie", "peach")
					second.ctrl("z") // mine is one step back
					f.wantKept(t, id, "peach", "cookie")
					first.wait(`document.querySelector(".board .tile[data-item=peach]") && !document.querySelector(".conflict")`) // and the other follows: nothing of its own is lost
				case "Save as copy":
					second.wantText(".saved", "Saved on this device")
					if copied := second.list(); !strings.Contains(copied, "peach") || strings.Contains(copied, "cookie") || !strings.Contains(copied, "(copy)") {
						t.Errorf("the copy is %s", copied)
					}
					if first.list() != theirs || strings.Contains(f.kept(id), "peach") {
						t.Errorf("the other version became %s here and %s there", first.list(), f.kept(id))
					}
				}
				first.clean()
				second.clean()
			})
		}
	}
}

// Two tabs write to the server at once. One of them loses, and is asked; a late answer writes nothing over what
// another tab has put on the device meanwhile.
func TestLinkInTwoTabsAtOnce(t *testing.T) {
	t.Parallel()
	b, f, id := sharedList(t)
	b.deaf()
	sent := f.writes()
	release := f.holding(t)
	b.place("peach", 4)
	f.wantWrites(t, sent+1)
	other := beside(b) // finds the peach on the device, and goes on from there
	other.place("cookie", 0)
	f.wantWrites(t, sent+2)
	theirs := other.list()
	release()
	b.wantQuestion() // its answer came after the other's change of the device
	time.Sleep(quiet)
	if now := b.list(); now != theirs || !strings.Contains(now, "cookie") {
		t.Errorf("their list was overwritten: %s", now)
	}
	if n := f.writes(); n != sent+2 {
		t.Errorf("%d lists were sent, want the two", n-sent)
	}
	// Of the two one reached the server; if it was not the other's, the other is asked too.
	if body := f.kept(id); !strings.Contains(body, "cookie") {
		other.wantQuestion()
		other.answer("Keep mine")
		f.wantKept(t, id, "cookie", "(copy)")
	}
	other.wantText(".saved", "Saved with a link")
	b.answer("Keep mine")
	f.wantKept(t, id, "peach", "cookie")
	other.wantQuestion()
	other.wait(`document.querySelector(".board .tile[data-item=cookie]")`)
	b.clean()
	other.clean()
}

// What may pass by itself is tried again; a refusal is not, and the page says so.
func TestLinkRefused(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	b, f, id := sharedList(t)
	sent := f.writes()
	release := f.holding(t)
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
	t.Parallel()
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
