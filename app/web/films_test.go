package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// films is a running `fubini demo --world films`, which tests of films share, and the numbers of its films by their titles.
func films(t *testing.T) (*process, map[string]string) {
	t.Helper()
	server, err := filmServer()
	if err != nil {
		t.Fatal(err)
	}
	return server, numbersOf(t, server.fake)
}

// numbersOf are the numbers of a server's films by their titles.
func numbersOf(t *testing.T, f *fake) map[string]string {
	t.Helper()
	answer, err := http.Get(f.URL + "/v1/items?limit=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var page struct{ Items []struct{ Item, Name string } }
	if err := json.NewDecoder(answer.Body).Decode(&page); err != nil {
		t.Fatal(err)
	}
	numbers := map[string]string{}
	for _, film := range page.Items {
		title, _, _ := strings.Cut(film.Name, " (")
		numbers[title] = film.Item
	}
	return numbers
}

var filmServer = sync.OnceValues(func() (*process, error) {
	folder, err := os.MkdirTemp("", "fubini-films")
	if err != nil {
		return nil, err
	}
	p, err := launch(folder, "demo", "--world", "films", "--addr", "127.0.0.1:0")
	starting.Lock()
	defer starting.Unlock()
	stops = append(stops, func() { _ = os.RemoveAll(folder) })
	if err == nil {
		stops = append(stops, p.kill)
	}
	return p, err
})

// seen is a person's films, tier by tier.
var seen = []string{"The Godfather|Alien|Blade Runner|Fargo", "The Matrix|Pulp Fiction|Goodfellas|The Silence of the Lambs|Heat",
	"Jurassic Park|Back to the Future|Die Hard|Speed", "Titanic|Forrest Gump|Braveheart", "Batman Forever|Armageddon|Twilight"}

// filmList writes the films of a person as the page keeps them.
func filmList(t *testing.T, numbers map[string]string) string {
	t.Helper()
	var tiers []string
	for _, line := range seen {
		var ids []string
		for title := range strings.SplitSeq(line, "|") {
			if numbers[title] == "" {
				t.Fatalf("%q is no film of the world", title)
			}
			ids = append(ids, numbers[title])
		}
		tiers = append(tiers, strings.Join(ids, " "))
	}
	return listOf("Films I have seen", tiers...)
}

// Every lane of a large catalogue has guesses or says why not; every placement is answered by what we had said, wherever
// the film came from; and the record counts no film whose guess was on the screen.
func TestFilmsOdds(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	server, numbers := films(t)
	b := open(t, ctx, server.fake, desktop, filmList(t, numbers))
	b.settled()
	b.wait(`document.querySelectorAll(".guesses").length === 5 && [...document.querySelectorAll(".guesses")].every((e) => e.querySelector(".ghost, .where.none"))`)
	if full := eval[int](b, `[...document.querySelectorAll(".guesses")].filter((e) => e.querySelector(".ghost")).length`); full < 4 {
		t.Errorf("%d of five lanes have a guess", full)
	}
	if order := eval[[]int](b, `[...document.querySelectorAll(".next .row .percent")].map((e) => parseInt(e.textContent))`); !slices.IsSortedFunc(order, func(a, b int) int { return b - a }) || len(order) != 6 {
		t.Errorf("Try next prints %v: it is sorted by something else", order)
	}
	counted := 0
	for i, title := range []string{"Fight Club", "Skyfall", "Up", "Toy Story", "Se7en"} {
		shown := eval[bool](b, `JSON.parse(localStorage.getItem("fubini.shown") ?? "[]").includes(%q)`, numbers[title])
		b.seek(title, numbers[title])
		b.keys(fmt.Sprint(1 + i%3))
		b.wantText(".record", title+": you put "+string("SAB"[i%3])+". We had said")
		if !shown {
			counted++
		}
		if got := b.text(".record"); shown != strings.Contains(got, "does not count") {
			t.Errorf("%s: its guess was on the screen: %v; the record says %q", title, shown, got)
		}
		b.settled()
	}
	if got := b.text(".record h2"); counted > 0 && !strings.Contains(got, fmt.Sprintf("of your last %d", counted)) {
		t.Errorf("%d of five count; the record says %q", counted, got)
	}
	b.clean()
}

// A film whose odds the server was too busy to say gets its sentence when the server answers again.
func TestFilmsOfABusyServer(t *testing.T) {
	t.Parallel()
	server, numbers := films(t)
	f := through(t, server.fake)
	b := open(t, chromium(t), f, desktop, filmList(t, numbers))
	b.settled()
	b.rests()
	says := func(status int) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.status = status
	}
	says(http.StatusServiceUnavailable)
	b.seek("Toy Story", numbers["Toy Story"])
	b.keys("2")
	b.wantText(".next", "Couldn't update. Your list is safe.")
	if told := b.text(".record"); strings.Contains(told, "We had said") {
		t.Errorf("told while the server says nothing: %s", told)
	}
	says(0)
	b.wantText(".record", "Toy Story: you put A. We had said")
	b.clean()
}

// The tray holds still under the hand, and its orders and filters are over the whole catalogue.
func TestFilmsTray(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	server, numbers := films(t)
	b := open(t, ctx, server.fake, desktop, filmList(t, numbers))
	b.settled()
	const inSight = `[...document.querySelectorAll(".trayTiles .tile")].filter((e) => e.getBoundingClientRect().top < innerHeight).map((e) => e.dataset.item)`
	before := eval[[]string](b, "%s", inSight)
	b.place(before[3], 1)
	b.settled()
	after := eval[[]string](b, "%s", inSight)
	moved := 0
	for i, item := range before {
		if i >= len(after) || after[i] != item {
			moved++
		}
	}
	if moved != 1 {
		t.Errorf("%d of %d films of the tray moved by a drop, want the one that was taken", moved, len(before))
	}
	b.ctrl("z")
	b.wait(`!document.querySelector(".board [data-item='%s']")`, before[3])
	b.wait(`document.querySelector(".order option[value=name]")`) // once the whole catalogue is there
	b.do(`const order = document.querySelector(".order select"); order.value = "name"; order.dispatchEvent(new Event("change", { bubbles: true }))`)
	b.wait(`document.querySelector(".trayTiles .tile").ariaLabel.startsWith("[Rec]")`)
	names := eval[[]string](b, `[...document.querySelectorAll(".trayTiles .tile")].map((e) => e.querySelector(".name").textContent)`)
	if len(names) < 20 || strings.Contains(strings.Join(names[:20], ""), "The Matrix") {
		t.Errorf("A-Z begins with %q", names)
	}
	b.do(`document.querySelector(".trayTiles").scrollTop = 1e7`)
	b.wait(`[...document.querySelectorAll(".trayTiles .tile .name")].at(-1).textContent.startsWith("Z")`)
	b.do(`const group = document.querySelector(".tray .select select"); group.value = "Western"; group.dispatchEvent(new Event("change", { bubbles: true }))`)
	b.wait(`document.querySelectorAll(".trayTiles .tile").length > 5 && document.querySelectorAll(".trayTiles .tile").length < 25`)
	b.do(`const years = document.querySelectorAll(".years input"); years[1].value = 1970; years[1].dispatchEvent(new Event("input", { bubbles: true }))`)
	b.wait(`document.querySelectorAll(".trayTiles .tile").length > 0 && [...document.querySelectorAll(".trayTiles .year")].every((e) => Number(e.textContent) <= 1970)`)
	b.clean()
}

// Films look like films on every screen: nothing is clipped or covered, and axe finds nothing serious.
func TestFilmsLooks(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	server, numbers := films(t)
	for _, on := range []screen{{width: 1280, height: 800, still: true}, {width: 390, height: 844, touch: true, still: true, dark: true}, {width: 844, height: 390, touch: true, still: true}, {width: 1024, height: 768, still: true, dark: true}} {
		t.Run(fmt.Sprintf("%dx%d", on.width, on.height), func(t *testing.T) {
			t.Parallel()
			b := open(t, ctx, server.fake, on, filmList(t, numbers))
			b.wait(`document.querySelectorAll(".board .tile.paper").length === 19 && document.querySelector(".ghost")`)
			if sideways := eval[[]int](b, `[document.documentElement.scrollWidth, innerWidth]`); sideways[0] > sideways[1] {
				t.Errorf("the page is %d wide", sideways[0])
			}
			for _, name := range eval[[]string](b, `[...document.querySelectorAll(".board .tile")].map((e) => e.querySelector(".name").textContent.replaceAll("\u00ad", "") + e.querySelector(".year").textContent)`) {
				if strings.ContainsAny(name, "()") || strings.HasSuffix(name, ", The") {
					t.Errorf("a film is called %q", name)
				}
			}
			if on.height == 390 {
				if rows := eval[int](b, `[...document.querySelectorAll(".spine")].filter((e) => e.getBoundingClientRect().bottom <= innerHeight + 1 && document.elementFromPoint(20, e.getBoundingClientRect().top + 20) !== null).length`); rows != 5 {
					t.Errorf("%d of five tiers are in view", rows)
				}
			}
			b.axe("films", "document")
			b.picture(fmt.Sprintf("films-%dx%d", on.width, on.height))
			b.clean()
		})
	}
}

// Why a film: taste and interest apart, its page elsewhere, what is like it, and a list of what one wants to try.
func TestFilmsWhy(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	server, numbers := films(t)
	b := open(t, ctx, server.fake, desktop, filmList(t, numbers))
	b.settled()
	b.wait(`document.querySelectorAll(".next .row .pickBars").length === 6`)
	b.do(`const aim = document.querySelector(".aim select"); aim.value = "interest"; aim.dispatchEvent(new Event("change", { bubbles: true }))`)
	b.settled()
	b.wait(`(() => { const full = [...document.querySelectorAll(".next .row")].map((e) => e.querySelectorAll(".pickBars .full").length); return full.length === 6 && full.every((n, i) => i === 0 || n <= full[i - 1]); })()`)
	b.click(".next .row")
	b.wantText(".whyCard tfoot", "Score")
	b.wait(`document.querySelector(".whyCard .pick .pickWords") && document.querySelector(".whyCard a[href^='https://www.imdb.com/title/tt'][rel~=noopener]")`)
	if sum := eval[int](b, `[...document.querySelectorAll(".odds .number")].reduce((n, e) => n + parseInt(e.textContent), 0)`); sum != 100 {
		t.Errorf("the visible odds add up to %d", sum)
	}
	// Which placements brought it up, beside those that say where it would go: shares of films that the person placed, all of them 100 percent.
	b.wantText(".reasons.lesser", "What speaks for picking it")
	if shares := eval[[]int](b, `[...document.querySelectorAll(".reasons.lesser tbody .number")].map((e) => parseInt(e.textContent.replace("−", "-")))`); len(shares) != 4 || sumOf(shares) != 100 {
		t.Errorf("what speaks for picking it is %v percent, want three films and the others", shares)
	}
	titles := strings.Join(seen, "|")
	for _, reason := range eval[[]string](b, `[...document.querySelectorAll(".reasons.lesser tbody th")].slice(0, 3).map((e) => e.title)`) {
		title, tier, _ := strings.Cut(strings.NewReplacer("\u2068", "", "\u2069", "").Replace(reason), " in ")
		if !strings.Contains(titles, title) || len(tier) != 1 {
			t.Errorf("%q is no film that was placed, and its tier", reason)
		}
	}
	b.do(`[...document.querySelectorAll(".further button")].find((e) => e.textContent === "More like this").click()`)
	b.wait(`document.querySelectorAll(".like li button").length === 8`)
	b.do(`[...document.querySelectorAll(".further button")].find((e) => e.textContent === "Want to try").click()`)
	b.wantText(".further", "On your want-to-try list")
	if !strings.Contains(b.list(), `"want":["`) {
		t.Errorf("the wish is not kept: %s", b.list())
	}
	b.axe("why card", `".whyCard"`)
	b.keys(kb.Escape)
	// Of a placed film too: what we would say if it were not placed.
	b.focus(".board " + tile(numbers["Titanic"]))
	b.enter()
	b.do(`[...document.querySelectorAll(".sheet button")].find((e) => e.textContent === "What we would say").click()`)
	b.wantText(".whyCard", "Without your word for it: most likely")
	b.clean()
}
