package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// The acceptance list of the design, point by point; this file: states, files, links.

// The states of the page on foods and on films, each without serious findings of axe.
func TestAcceptance08States(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	show := func(t *testing.T, f *fake, list string) *tab {
		b := open(t, ctx, f, desktop, list)
		b.settled()
		return b
	}
	eachWorld(t, func(t *testing.T, w world) {
		first, second := strings.Join(w.tiers[0][:2], " "), strings.Join(w.tiers[1][:2], " ")
		t.Run("empty", func(t *testing.T) {
			t.Parallel()
			b := show(t, w.serve(t), "")
			b.wantText(lane(0), "Drag "+w.thing+" here, tap one below, or press / to find one.")
			b.wantText(".guesses", "Nothing to go on yet")
			b.wantText(".next h2", "Everyone's favourites")
			b.wantText(".title", "Import a list")
			if got := b.text(".heads"); !strings.Contains(got, "You put") {
				t.Errorf("heads: %q", got)
			}
			b.axe("empty", "document")
			b.clean()
		})
		t.Run("1-2 placed", func(t *testing.T) {
			t.Parallel()
			b := show(t, w.serve(t), listOf("Two", first))
			b.wantText(".next", "2 placed: mostly what everyone likes. A few more and it becomes yours.")
			b.do(`document.querySelector(".next .row").click()`)
			b.wait(`document.querySelector(".odds")`)
			for _, row := range eval[[]string](b, `[...document.querySelectorAll(".odds th")].map((e) => e.textContent)`) {
				if row != "above S" && row != "S · Every day" && row != "below S" {
					t.Errorf("odds of a place that does not exist: %s", row)
				}
			}
			b.axe("1-2 placed", "document")
		})
		t.Run("empty tiers share a lane", func(t *testing.T) {
			t.Parallel()
			b := show(t, w.serve(t), listOf("Top", first, second))
			b.wantText(".guesses.shared .where", "below A")
			if lanes := eval[int](b, `document.querySelectorAll(".guesses").length`); lanes != 3 {
				t.Errorf("%d lanes for S, A and the rest", lanes)
			}
			b.axe("empty tiers", "document")
		})
		t.Run("one tier only", func(t *testing.T) {
			t.Parallel()
			b := show(t, w.serve(t), listOf("Tied", first+" "+second))
			b.wantText(".next", "All tied: we can't tell better from worse yet. Move one up or down.")
			b.axe("one tier only", "document")
		})
		t.Run("updating", func(t *testing.T) {
			t.Parallel()
			f := w.serve(t)
			b := show(t, f, w.list)
			release := f.thinking(t)
			before := b.text(".next ol")
			b.focus(".board " + tile(w.tiers[0][0]))
			b.keys("5")
			b.wait(`document.querySelector(".next .running")`)
			if now := b.text(".next ol"); now != before {
				t.Error("old results did not stay")
			}
			b.axe("updating", "document")
			release()
			b.settled()
		})
		t.Run("first load", func(t *testing.T) {
			t.Parallel()
			f := w.serve(t)
			release := f.thinking(t)
			b := newTab(t, ctx, f)
			b.device(desktop)
			b.keep(w.list)
			b.visit("/")
			b.wait(`document.querySelectorAll(".board .tile").length === %d && document.querySelectorAll(".still li").length === 6`, w.placed())
			b.axe("first load", "document")
			release()
			b.settled()
		})
		t.Run("error", func(t *testing.T) {
			t.Parallel()
			f := w.serve(t)
			b := show(t, f, w.list)
			for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusInternalServerError} {
				f.mu.Lock()
				f.status, f.after = status, "30"
				f.mu.Unlock()
				b.focus(".board .tile")
				b.keys("2", "3")
				b.wantText(".next", "Couldn't update. Your list is safe.")
				b.wantText(".next", "from before your last change")
				b.rests() // what was asked beside the list has come back too
				f.mu.Lock()
				asked := f.asked
				f.mu.Unlock()
				time.Sleep(300 * time.Millisecond)
				f.mu.Lock()
				if f.asked != asked {
					t.Errorf("%d: asked again within Retry-After", status)
				}
				f.mu.Unlock()
				if status == http.StatusServiceUnavailable {
					b.axe("error", "document")
				}
				f.mu.Lock()
				f.status = 0
				f.mu.Unlock()
				b.do(`document.querySelector(".notice .link")?.click()`) // unless the page has tried again by itself by now
				b.settled()
			}
		})
		t.Run("offline", func(t *testing.T) {
			t.Parallel()
			f := w.serve(t)
			b := show(t, f, w.list)
			b.rests()
			b.do(`Object.defineProperty(navigator, "onLine", { value: false, configurable: true }); dispatchEvent(new Event("offline"))`)
			b.wantText(".next", "Offline: sorting still works, guesses wait.")
			b.axe("offline", "document")
			f.mu.Lock()
			asked := f.asked
			f.mu.Unlock()
			b.focus(".board " + tile(w.tiers[0][0]))
			b.keys("2", "3", "4")
			b.ctrl("z")
			time.Sleep(100 * time.Millisecond)
			b.do(`Object.defineProperty(navigator, "onLine", { value: true, configurable: true }); dispatchEvent(new Event("online"))`)
			b.settled()
			f.mu.Lock()
			defer f.mu.Unlock()
			if n := f.asked - asked; n < 1 || n > w.asking {
				t.Errorf("%d questions when back, want 1 to %d", n, w.asking)
			}
		})
		t.Run("long names", func(t *testing.T) {
			t.Parallel()
			eachFont(t, func(t *testing.T, font string) {
				name := "A tier whose name is sixty characters long, more or less, yes"
				f, item, words := w.long(t, font)
				list := strings.Replace(listOf("Long", item, w.tiers[1][0]), "S Every day", name, 1)
				b := show(t, f, list)
				b.wait(`!document.querySelector(".board .tile.unnamed")`)
				b.fits("long names")
				if wide := eval[float64](b, `document.querySelector(".spine").offsetWidth`); wide != 92 {
					t.Errorf("the spine is %.0f px wide", wide)
				}
				label := eval[string](b, `document.querySelector(".board .tile").ariaLabel`)
				if !strings.Contains(label, words) || !strings.Contains(label, name) {
					t.Errorf("label %q", label)
				}
				b.axe("long names", "document")
			})
		})
		t.Run("model swapped", func(t *testing.T) {
			t.Parallel()
			f := w.serve(t)
			b := show(t, f, w.list)
			b.place(b.unseen(w), 2)
			b.wantText(".record h2", "of your last 1")
			b.settled()
			f.mu.Lock()
			f.model = "model-2"
			f.mu.Unlock()
			b.place(b.unseen(w), 2)
			b.wantText(".toast", "A new model is in. Guesses refreshed.")
			b.wantText(".record h2", "Our guesses so far")
			b.axe("model swapped", "document")
		})
		t.Run("nothing left", func(t *testing.T) {
			t.Parallel()
			f, list := w.whole(t)
			b := open(t, ctx, f, desktop, list)
			b.wantText(".next", "Everything is placed.")
			b.wantText(".trayTiles", "Nothing left to place.")
			b.wait(`document.querySelector(".mapBox.tall")`)
			b.axe("nothing left", `".side"`) // as many tiles as there are films: the board was looked at before
			b.axe("nothing left", `".tray"`)
		})
		t.Run("bad link", func(t *testing.T) {
			t.Parallel()
			b := newTab(t, ctx, w.serve(t))
			b.device(desktop)
			b.visit("/#/list/AAAAAAAAAAAAAAAAAAAAAAAA")
			b.wantText(".message", "This list doesn't exist, or its owner removed it.")
			b.wantText(".message", "Start your own")
			b.axe("bad link", "document")
		})
		t.Run("link that cannot be read now", func(t *testing.T) {
			t.Parallel()
			for _, status := range []int{http.StatusTooManyRequests, http.StatusForbidden, http.StatusServiceUnavailable} {
				f := w.serve(t)
				id := "a-list-that-is-still-there"
				shareList(t, f, id, "Still there", w.tiers[0][0])
				f.mu.Lock()
				f.listSays = status
				f.mu.Unlock()
				b := newTab(t, ctx, f)
				b.device(desktop)
				b.visit("/#/list/" + id)
				b.wantText(".message", "Couldn't update")
				f.mu.Lock()
				f.listSays = 0
				f.mu.Unlock()
				if status == http.StatusForbidden {
					b.axe("link that cannot be read", "document")
				}
				b.click(".message button")
				b.wantText(".title", "Still there")
			}
		})
	})
	t.Run("many items", func(t *testing.T) {
		t.Parallel()
		f := serveFoods(t, manyFoods(10_000))
		var tiers []string
		for row := range 5 {
			var items []string
			for i := range 60 {
				items = append(items, fmt.Sprint("film-", row*60+i))
			}
			tiers = append(tiers, strings.Join(items, " "))
		}
		b := show(t, f, listOf("Films", tiers...))
		b.wait(`document.querySelectorAll(".board .tile").length === 300`)
		if drawn := eval[int](b, `document.querySelectorAll(".tray .tile").length`); drawn > 150 {
			t.Errorf("%d tiles are drawn in the tray", drawn)
		}
		if top := eval[float64](b, `innerHeight - document.querySelector(".tray").getBoundingClientRect().top`); top < 200 {
			t.Errorf("only %.0f px of the tray are seen", top)
		}
		b.wait(`document.querySelector(".trayTiles").scrollHeight > 100000`) // all of them are there
		b.do(`document.querySelector(".trayTiles").scrollTop = 1e6`)
		b.focus("#search")
		b.keys(strings.Split("number 9876", "")...)
		b.wait(`document.querySelector(".trayTiles .tile")?.dataset.item === "film-9876"`)
		frames := b.dragFrames(".trayTiles .tile")
		t.Logf("300 placed of 10,000: frames of a drag: median %.1f ms, longest %.1f ms", frames[0], frames[1])
		b.clean()
	})
	t.Run("no held-out people", func(t *testing.T) {
		t.Parallel()
		f := newFake(t)
		f.noHeld = true
		b := newTab(t, ctx, f)
		b.device(desktop)
		b.visit("/#/learning")
		b.wantText(".calibration", "Unknown: this model has no held-out people")
		if eval[bool](b, `document.querySelector(".calibration .chart") !== null`) {
			t.Error("an empty plot")
		}
	})
	t.Run("training now", func(t *testing.T) {
		t.Parallel()
		f := newFake(t)
		b := newTab(t, ctx, f)
		b.device(desktop)
		b.visit("/#/learning/job/7")
		b.follow(adminKey)
		b.wantText(".training", "Epoch 23 of 60, about 4 s left")
		b.click(".curvePanel .link")
		b.wantText(".curvePanel table", "23")
		f.ended <- `{"id":"7","state":"failed","failure":"no memory"}`
		b.wantText(".training", "It failed: no memory. The old model goes on.")
		b.clean()
	})
	t.Run("training now, whichever job", func(t *testing.T) {
		t.Parallel()
		f := newFake(t)
		b := newTab(t, ctx, f)
		b.device(desktop)
		b.visit("/#/learning/job")
		b.wantText(".training", "Only admins can follow a training")
		b.wait(`document.querySelector(".calibration .chart")`) // everybody sees the rest
		b.follow("fub_guess")
		b.wantText(".training", "That key is no admin's.")
		b.follow(adminKey)
		b.wantText(".training", "Epoch 23 of 60")
		if kept := eval[string](b, `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])`); strings.Contains(kept, adminKey) {
			t.Errorf("the key is kept: %s", kept)
		}
		f.ended <- `{"id":"7","state":"done"}`
		b.wantText(".training", "Done. What is below is the new model.")
		f.mu.Lock()
		f.idle = true
		f.mu.Unlock()
		b.visit("/#/learning")
		b.wait(`document.querySelector(".facts") && !document.querySelector(".training")`) // who did not come for it sees nothing of it
		b.visit("/#/learning/job")
		b.follow(adminKey)
		b.wantText(".training", "Nothing is training.")
	})
	t.Run("curves that were not measured", func(t *testing.T) {
		t.Parallel()
		f := newFake(t)
		f.curves = []string{"log_likelihood"}
		b := newTab(t, ctx, f)
		b.device(desktop)
		b.visit("/#/learning")
		b.wantText(".unknown", "Not measured in this training: how far imagined lists are from real ones, how well it ranks unseen foods and how many moves of a sampler were accepted.")
		if panels := eval[int](b, `document.querySelectorAll(".curvePanel").length`); panels != 1 {
			t.Errorf("%d panels for one curve", panels)
		}
		b.wantText(".facts", "time not kept")
		b.wait(`!document.querySelector(".units .share")`) // and nobody's share is made up
		f.mu.Lock()
		f.curves = []string{}
		f.mu.Unlock()
		b.visit("/?again#/learning")
		b.wantText(".unknown", "Not known: this model's file keeps no curves of its training.")
		b.wait(`!document.querySelector(".curvePanel, .facts dd:empty")`)
	})
}

// follow gives the page a key to follow a training with.
func (b *tab) follow(key string) {
	b.t.Helper()
	b.click(".training input")
	b.do(`document.querySelector(".training input").value = ""`)
	b.keys(strings.Split(key, "")...)
	b.keys("\r")
}

// dragFrames carries a tile about and gives the median and the longest time between two frames.
func (b *tab) dragFrames(selector string) []float64 {
	b.t.Helper()
	b.lift(b.middle(selector), point{X: 500, Y: 300})
	b.do(`window.frames_ = []; let last = performance.now(); const tick = (now) => { frames_.push(now - last); last = now; if (frames_.length < 60) requestAnimationFrame(tick); }; requestAnimationFrame(tick)`)
	for i := range 60 {
		b.mouse("mouseMoved", point{X: 400 + float64(i*4), Y: 200 + float64(i*4)}, 1)
	}
	b.wait(`frames_.length >= 60`)
	b.keys(kb.Escape)
	return eval[[]float64](b, `(() => { const f = frames_.slice(2).sort((a, b) => a - b); return [f[f.length >> 1], f.at(-1)]; })()`)
}

func TestAcceptance08ReducedMotion(t *testing.T) {
	t.Parallel()
	const watch = `window.moving = 0; const look = () => { window.moving = Math.max(moving, document.getAnimations().length); requestAnimationFrame(look); }; look()`
	eachWorld(t, func(t *testing.T, w world) {
		b := open(t, chromium(t), w.serve(t), desktop, w.list)
		b.settled()
		b.do(watch)
		b.place(w.loose[0], 0)
		b.settled()
		b.click(".next .row")
		b.wantText(".whyCard", "Score")
		b.keys(kb.Escape)
		b.focus(".tray " + tile(w.loose[1]))
		b.enter()
		b.wait(`document.querySelector(".sheet")`)
		b.keys(kb.Escape)
		b.click(".spine")
		b.keys(kb.Escape)
		if moving := eval[int](b, `moving`); moving != 0 {
			t.Errorf("%d animations ran", moving)
		}
		// The check can fail: with motion allowed a drop animates.
		lively := open(t, chromium(t), w.serve(t), desktop.lively(), w.list)
		lively.settled()
		lively.do(watch)
		lively.place(w.loose[0], 0)
		lively.wait(`moving > 0`)
	})
}
