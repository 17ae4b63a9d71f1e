package web_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// Films are a running server of films, lists of people that it shows, and well-known films that are in none of them.
type filmWorld struct {
	*fake
	people []string
	loose  []string
}

// eachFilms runs a test on the films that the program carries, and on MovieLens 100K where FUBINI_DATA has it.
func eachFilms(t *testing.T, test func(t *testing.T, w filmWorld)) {
	t.Helper()
	t.Run("carried", func(t *testing.T) {
		t.Parallel()
		server, numbers := films(t)
		list := filmList(t, numbers)
		test(t, filmWorld{server.fake, []string{list}, looseFilms(t, server.fake, list)})
	})
	t.Run("MovieLens", func(t *testing.T) {
		data := os.Getenv("FUBINI_DATA")
		if data == "" {
			t.Skip("outside data: FUBINI_DATA names no folder")
		}
		t.Parallel()
		server, err := movieLens()
		if err != nil {
			t.Fatal(err)
		}
		people := realPeople(t, filepath.Join(data, "ml-100k", "u.data"), 5)
		test(t, filmWorld{server.fake, people, looseFilms(t, server.fake, people...)})
	})
}

// looseFilms are the twelve best-known films that are in none of some lists.
func looseFilms(t testing.TB, f *fake, lists ...string) (loose []string) {
	t.Helper()
	for _, film := range itemsAt(t, f) {
		if len(loose) < 12 && !slices.ContainsFunc(lists, func(list string) bool { return strings.Contains(list, fmt.Sprintf("%q", film)) }) {
			loose = append(loose, film)
		}
	}
	if len(loose) < 12 {
		t.Fatalf("%d films are in no list", len(loose))
	}
	return loose
}

// movieLens is a running `fubini serve` of a model that was trained on MovieLens 100K.
var movieLens = sync.OnceValues(func() (*process, error) { return trained(filepath.Join("ml-100k", "u.data"), "--set", "epochs=5") })

// movieLens1M is the same of MovieLens 1M, with the names of the films that are in the small set too: MovieLens gives a film one number everywhere.
var movieLens1M = sync.OnceValues(func() (*process, error) {
	return trained("ml-1m", "--set", "epochs=3", "--catalogue", filepath.Join(os.Getenv("FUBINI_DATA"), "ml-latest-small", "movies.csv"))
})

// trained is a running `fubini serve` of a model of ratings below FUBINI_DATA.
func trained(ratings string, flags ...string) (*process, error) {
	folder, err := os.MkdirTemp("", "fubini-movielens")
	if err != nil {
		return nil, err
	}
	starting.Lock()
	stops = append(stops, func() { _ = os.RemoveAll(folder) })
	starting.Unlock()
	model := filepath.Join(folder, "films.safetensors")
	program, err := build()
	if err != nil {
		return nil, err
	}
	args := append([]string{"train", filepath.Join(os.Getenv("FUBINI_DATA"), ratings), "-o", model}, flags...)
	if said, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("train: %w: %s", err, said)
	}
	p, err := launch(folder, "serve", model, "--addr", "127.0.0.1:0", "--db", "sqlite::memory:")
	if err == nil {
		starting.Lock()
		stops = append(stops, p.kill)
		starting.Unlock()
	}
	return p, err
}

// realPeople are the lists of the first n people of a file of ratings who used all five ratings for 25 to 60 films: user, item, rating.
func realPeople(t *testing.T, file string, n int) (lists []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	tiers, rated := map[string][][]string{}, map[string]int{}
	for line := range strings.Lines(string(text)) {
		row := strings.FieldsFunc(line, func(r rune) bool { return r == '\t' || r == ':' }) // u.data, or ratings.dat
		if tiers[row[0]] == nil {
			order, tiers[row[0]] = append(order, row[0]), make([][]string, 5)
		}
		at := 5 - int(row[2][0]-'0')
		tiers[row[0]][at] = append(tiers[row[0]][at], row[1])
		rated[row[0]]++
	}
	for _, person := range order {
		if rated[person] < 25 || rated[person] > 60 || len(lists) == n || slices.ContainsFunc(tiers[person], func(tier []string) bool { return len(tier) == 0 }) {
			continue
		}
		var texts []string
		for _, tier := range tiers[person] {
			texts = append(texts, strings.Join(tier, " "))
		}
		lists = append(lists, listOf("Person "+person, texts...))
	}
	if len(lists) < n {
		t.Fatalf("%d people", len(lists))
	}
	return lists
}

// cutSelects are the selects whose chosen words are wider than they are.
const cutSelects = `[...document.querySelectorAll(".tray select")].filter((e) => e.getClientRects().length).flatMap((e) => {
	const free = e.cloneNode(true);
	free.value = e.value;
	free.style.position = "absolute";
	free.style.maxWidth = "none";
	e.parentNode.append(free);
	const need = free.offsetWidth;
	free.remove();
	return need > e.offsetWidth + 1 ? [e.selectedOptions[0].text + " needs " + need + ", has " + e.offsetWidth] : [];
})`

// Line 1 on films, in the page's font and with it blocked: no width scrolls sideways, cuts text or lays things over each other,
// and the tray's tools take two lines at most.
func TestFilmsWidths(t *testing.T) {
	t.Parallel()
	eachFilms(t, func(t *testing.T, w filmWorld) {
		eachFont(t, func(t *testing.T, font string) {
			for _, on := range []screen{{width: 1680, height: 900}, {width: 1280, height: 800}, {width: 1181, height: 900}, {width: 1024, height: 900}, {width: 768, height: 900}, {width: 390, height: 844, touch: true}, {width: 320, height: 640, touch: true}, {width: 844, height: 390, touch: true}} {
				on.still = true
				b := open(t, chromium(t), through(t, w.fake).in(font), on, w.people[0])
				b.wait(`document.querySelector(".ghost")`)
				b.fits(fmt.Sprint("board ", on.width))
				row := ".next .row"
				if on.touch {
					b.tap("#tab-next")
					row = ".dock .row"
				} else {
					b.wait(`document.querySelector(".years, .tray select")`)
					if high := eval[float64](b, `document.querySelector(".tray > header").offsetHeight`); on.width >= 1280 && high > 60 || high > 96 {
						t.Errorf("%d px: the tools of the tray are %.0f px high", on.width, high)
					}
					for _, cut := range eval[[]string](b, "%s", cutSelects) {
						if font == "carried" {
							t.Errorf("%d px: cut off: %s", on.width, cut)
						}
					}
				}
				b.wait(`document.querySelector(%q)`, row)
				b.fits(fmt.Sprint("try next ", on.width))
				b.do(`document.querySelector(%q).click()`, row)
				b.wantText(".reasons tfoot", "Score")
				b.fits(fmt.Sprint("why card ", on.width))
				b.clean()
			}
		})
	})
}

// Lines 2, 7 and 9 on films: by mouse, keys and taps a film goes where it is put, undo gives the same list again, what was
// exported comes back, and all is there after a reload.
func TestFilmsActs(t *testing.T) {
	t.Parallel()
	eachFilms(t, func(t *testing.T, w filmWorld) {
		b := open(t, chromium(t), w.fake, desktop, w.people[0])
		b.settled()
		first := b.list()
		in := func(item string, row int) {
			b.wait(`document.querySelector(".lane[data-row='%d'] .tile[data-item='%s']")`, row, item)
		}
		b.place(w.loose[0], 1)
		in(w.loose[0], 1)
		b.settled()
		b.focus(".tray " + tile(w.loose[1]))
		b.keys("3")
		in(w.loose[1], 2)
		b.settled()
		b.focus(".tray " + tile(w.loose[2]))
		b.keys(" ", kb.Home, arrowDown, " ")
		in(w.loose[2], 0)
		b.settled()
		now := b.list()
		folder := t.TempDir()
		b.downloads(folder)
		b.click(".fileBox > button")
		b.do(`[...document.querySelectorAll(".menu > button")].find((e) => e.textContent === "Export as JSON").click()`)
		var file string
		for range 100 {
			if found, _ := filepath.Glob(filepath.Join(folder, "*.json")); len(found) == 1 {
				file = found[0]
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		b.visit("/?again")
		b.settled()
		if after := b.list(); after != now {
			t.Errorf("after a reload\n%s\nwant\n%s", after, now)
		}
		for range 3 {
			b.do(`document.activeElement.blur()`)
			b.ctrl("z")
			b.settled()
		}
		if after := b.list(); after != first {
			t.Errorf("after three undos\n%s\nwant\n%s", after, first)
		}
		b.importFile(file)
		b.wantText(".sheet", "0 not in this catalogue")
		b.do(`[...document.querySelectorAll(".sheet button")].find((e) => e.textContent === "Replace").click()`)
		b.wait(`document.querySelector(".board .tile[data-item='%s']")`, w.loose[2])
		var before, after struct{ Tiers []struct{ Items []string } }
		if err := json.Unmarshal([]byte(now), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(b.list()), &after); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("exported and imported\n%v\nwant\n%v", after, before)
		}
		b.clean()

		p := open(t, chromium(t), w.fake, phone, w.people[0])
		p.wait(`document.querySelector(".ghost")`)
		p.do(`window.saidOnce = ""; new MutationObserver(() => { saidOnce ||= document.querySelector(".board .saidStrip")?.innerText ?? ""; }).observe(document.body, { childList: true, subtree: true })`) // it stays for 8 seconds
		for range 3 {                                                                                                                                                                                       // a tap that a busy machine makes a hold opens nothing
			p.tap(`.dock ` + tile(w.loose[0]))
			if p.within(3*time.Second, `document.querySelector(".sheet .choice") !== null`) {
				break
			}
		}
		p.still()
		p.tap(`.sheet .choice:nth-child(4)`)
		p.wait(`document.querySelector(".lane[data-row='3'] .tile[data-item='%s']")`, w.loose[0])
		p.wait(`/You: C\..* We had said/.test(saidOnce.replaceAll("\n", " "))`)
		p.clean()
	})
}

// Line 13 on people who are real: every lane has guesses or says why not, and every placement gets its sentence.
func TestFilmsPeople(t *testing.T) {
	t.Parallel()
	eachFilms(t, func(t *testing.T, w filmWorld) {
		for _, list := range w.people {
			b := open(t, chromium(t), w.fake, desktop, list)
			b.settled()
			b.wait(`document.querySelectorAll(".guesses").length === 5 && [...document.querySelectorAll(".guesses")].every((e) => e.querySelector(".ghost, .where.none"))`)
			for i, item := range w.loose[:3] {
				name := eval[string](b, `document.querySelector(".tray [data-item='%s'] .name").textContent.replaceAll("\u00ad", "")`, item)
				b.focus(".tray " + tile(item))
				b.keys(fmt.Sprint(1 + i))
				b.wantText(".record", name+": you put "+string("SAB"[i])+". We had said")
				b.settled()
			}
			b.clean()
		}
	})
}

// Held on a phone, or over a long board, all tiers come to the hand as one strip: a drop there is a drop on the tier, and the
// guess for what is held is nowhere.
func TestStripOfTiers(t *testing.T) {
	t.Parallel()
	eachFilms(t, func(t *testing.T, w filmWorld) {
		for _, on := range []screen{phone.lively(), {width: 844, height: 390, touch: true}, {width: 360, height: 740, touch: true}} {
			b := open(t, chromium(t), w.fake, on, w.people[0])
			b.wait(`document.querySelector(".ghost")`)
			item := w.loose[0]
			start := b.middle(`.dock ` + tile(item))
			b.touch(input.DispatchTouchEventTypeTouchStart, start)
			b.wait(`document.querySelectorAll(".tierStrip [data-strip]").length === 5`)
			b.wantText(".tierStrip", "You first: our guess for")
			if seen := eval[int](b, `document.querySelectorAll(".ghost[data-item='%[1]s'], .row[data-item='%[1]s']").length`, item); seen != 0 {
				t.Errorf("%d px: the guess for the film in the hand is on the screen", on.width)
			}
			for _, fault := range eval[[]string](b, `[...document.querySelectorAll(".tierStrip [data-strip]")].filter((e) => { const r = e.getBoundingClientRect(); return r.height < 44 || r.width < 44 || r.left < 0 || r.right > innerWidth || r.top < 0; }).map((e) => e.textContent)`) {
				t.Errorf("%d px: too small or out of the window: %s", on.width, fault)
			}
			if steps := eval[string](b, `getComputedStyle(document.querySelector(".boardPanel")).opacity`); steps != "0.5" {
				t.Errorf("%d px: behind the strip the board stands at %s, want half its strength", on.width, steps)
			}
			b.picture(fmt.Sprintf("strip-%d", on.width))
			target := eval[point](b, `(() => { const r = document.querySelector('.tierStrip [data-strip="3"]').getBoundingClientRect(); return { X: r.left + r.width / 2, Y: r.top + r.height / 2 }; })()`)
			for i := 1; i <= 4; i++ {
				part := float64(i) / 4
				b.touch(input.DispatchTouchEventTypeTouchMove, point{start.X + (target.X-start.X)*part, start.Y + (target.Y-start.Y)*part})
			}
			b.wait(`document.querySelector('.tierStrip [data-strip="3"].aimed')`)
			b.touch(input.DispatchTouchEventTypeTouchEnd)
			b.wait(`!document.querySelector(".tierStrip") && document.querySelector(".lane[data-row='3'] .tile[data-item='%s']")`, item)
			b.clean()
		}
		// Over a board that is longer than the window it comes to the mouse too, at the top edge.
		var tiers []string
		all := itemsAt(t, w.fake)
		for row := range 5 {
			tiers = append(tiers, strings.Join(all[100+row*60:160+row*60], " "))
		}
		b := open(t, chromium(t), w.fake, desktop, listOf("Three hundred", tiers...))
		b.settled()
		b.wait(`document.querySelectorAll(".board .tile").length === 300`)
		item := eval[string](b, `document.querySelector(".trayTiles .tile").dataset.item`)
		b.lift(b.middle(".trayTiles .tile"), point{X: 500, Y: 400})
		b.wait(`document.querySelectorAll(".tierStrip [data-strip]").length === 5`)
		target := eval[point](b, `(() => { const r = document.querySelector('.tierStrip [data-strip="4"]').getBoundingClientRect(); return { X: r.left + r.width / 2, Y: r.top + r.height / 2 }; })()`)
		if !(target.Y > 0 && target.Y < 200) {
			t.Errorf("the strip stands at %.0f px, want the top edge", target.Y)
		}
		b.picture("strip-long")
		b.mouse("mouseMoved", target, 1)
		b.wait(`document.querySelector('.tierStrip [data-strip="4"].aimed')`)
		b.release(target)
		b.wait(`!document.querySelector(".tierStrip") && document.querySelector(".lane[data-row='4'] .tile[data-item='%s']")`, item)
		b.clean()
	})
}

// While names are on their way tiles are blank: the number of a film says nothing.
func TestFilmsWhileFetching(t *testing.T) {
	t.Parallel()
	server, numbers := films(t)
	b := newTab(t, chromium(t), server.fake)
	b.device(desktop)
	b.keep(filmList(t, numbers))
	b.before(`const before = window.fetch; window.held = []; window.fetch = async (...asked) => { if (String(asked[0]?.url ?? asked[0]).includes("cursor=")) await new Promise((go) => held.push(go)); return before(...asked); };`)
	b.visit("/")
	b.wait(`held.length > 0 && document.querySelectorAll(".board .tile").length === 19 && document.querySelector(".trayTiles .tile")`)
	const bare = `[...document.querySelectorAll(".board .tile .name")].filter((e) => /^\d+$/.test(e.textContent) && getComputedStyle(e).visibility === "visible").length`
	if waiting := eval[int](b, `document.querySelectorAll(".board .tile.unnamed").length`); waiting == 0 {
		t.Fatal("all names are in the first page: the test sees nothing")
	}
	if n := eval[int](b, "%s", bare); n > 0 {
		t.Errorf("%d tiles show the number of a film", n)
	}
	b.do(`window.fetch = before; for (const go of held) go()`)
	b.wait(`!document.querySelector(".board .tile.unnamed")`)
	b.clean()
}
