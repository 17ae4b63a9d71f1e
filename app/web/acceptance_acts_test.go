package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// The acceptance list of the design, point by point; this file: what is done.

func TestAcceptance02KeysOfTheBoard(t *testing.T) {
	t.Parallel()
	eachWorld(t, keysOfTheBoard)
}

func keysOfTheBoard(t *testing.T, w world) {
	b := open(t, chromium(t), w.serve(t), desktop, w.list)
	b.settled()
	b.rests() // lanes with room are filled in turn
	at := func() string {
		return eval[string](b, `document.activeElement.dataset.stop ?? document.activeElement.id`)
	}
	expect := func(key, want string) {
		t.Helper()
		b.keys(key)
		if got := at(); got != want {
			t.Errorf("after %q focus is on %q, want %q", key, got, want)
		}
	}
	best := w.tiers[0]
	b.focus(".board " + tile(best[1]))
	expect(arrowLeft, best[0])
	expect(arrowLeft, "tier t1")
	expect(arrowRight, best[0])
	expect(arrowDown, w.tiers[1][0])
	expect(arrowUp, best[0])
	for range best[1:] {
		b.keys(arrowRight)
	}
	guess := eval[string](b, `document.querySelector(".guesses .ghost").dataset.item`)
	expect(arrowRight, "ghost "+guess) // past the last item: its ghosts
	expect(kb.Home, "tier t1")
	b.keys(kb.End)
	if !strings.HasPrefix(at(), "ghost ") {
		t.Errorf("End leads to %q", at())
	}
	for _, area := range []string{"board", "tray", "next"} { // one tab stop each
		if stops := eval[int](b, `document.querySelectorAll("[data-area=%s] [data-stop][tabindex='0']").length`, area); stops != 1 {
			t.Errorf("%s has %d tab stops", area, stops)
		}
	}
	// Focus opens the card of a ghost, and does not take the focus; Escape closes it for good.
	b.focus(".board " + tile(best[len(best)-1]))
	b.keys(arrowRight)
	b.wait(`document.querySelector(".whyCard") && document.activeElement.dataset.stop === %q`, "ghost "+guess)
	b.keys(kb.Escape)
	time.Sleep(400 * time.Millisecond)
	if eval[bool](b, `document.querySelector(".whyCard") !== null`) {
		t.Error("the card came back after Escape")
	}
	// A ghost: Enter pins the card with the focus on "Put in S", Enter again accepts.
	b.focus(fmt.Sprintf(`[data-stop="ghost %s"]`, guess))
	b.enter()
	b.wait(`document.activeElement.textContent === "Put in S"`)
	b.keys("\r")
	b.wait(`document.querySelector(".lane[data-row='0'] [data-item='%s']") && !document.querySelector(".whyCard")`, guess)
	b.wait(`document.activeElement.dataset.item === %q`, guess)
	b.keys("0")
	b.wait(`!document.querySelector(".board .tile[data-item='%s']")`, guess)
	b.settled()
	// H hides, ? shows the keys, G the guesses, F2 renames, Alt moves a tier.
	b.focus(".next .row")
	hidden := eval[string](b, `document.activeElement.dataset.item`)
	b.keys("h")
	b.wait(`JSON.parse(localStorage.getItem("fubini.list.main")).list.hidden.includes(%q)`, hidden)
	b.keys("g")
	b.wait(`document.querySelector(".board.unguessed")`)
	b.keys("G")
	b.wait(`!document.querySelector(".board.unguessed")`)
	b.keys("?")
	b.wantText(".sheet", "Single-letter keys")
	b.keys(kb.Escape)
	b.focus(".spine")
	b.keys(kb.F2)
	b.wait(`document.activeElement.matches(".tierMenu input")`)
	b.keys(kb.Escape)
	b.wait(`document.activeElement.matches(".spine")`)
	b.run(altKey(arrowDown))
	b.wait(`document.querySelectorAll(".spine")[1].dataset.tier === "t1" && document.activeElement.dataset.tier === "t1"`)
	b.clean()
}

func TestAcceptance02SecondLine(t *testing.T) {
	t.Parallel()
	eachWorld(t, secondLine)
}

func secondLine(t *testing.T, w world) {
	f, one := w.serve(t), w.ten[0].item
	many := itemsAt(t, f)[30:60]
	b := open(t, chromium(t), f, screen{width: 1440, height: 1600, still: true}, listOf("Many", strings.Join(many, " "), one))
	b.settled()
	lines := eval[int](b, `new Set([...document.querySelectorAll(".lane[data-row='0'] .tile")].map((e) => e.getBoundingClientRect().top)).size`)
	if lines < 3 {
		t.Fatalf("a tier of 30 has %d lines", lines)
	}
	last := many[len(many)-1]
	b.drag(".board "+tile(last), lane(1))
	b.wait(`document.querySelector(".lane[data-row='1'] [data-item='%s']")`, last)
	second := many[12]
	b.drag(".board "+tile(one), ".board "+tile(second)) // between tiles of the second line
	b.wait(`document.querySelector(".lane[data-row='0'] [data-item='%s']")`, one)
	at := eval[int](b, `[...document.querySelectorAll(".lane[data-row='0'] .tile")].findIndex((e) => e.dataset.item === %q)`, one)
	if at < 11 || at > 14 {
		t.Errorf("dropped on the 13th tile, it stands at %d", at+1)
	}
	b.focus(".board " + tile(second))
	b.keys("2")
	b.wait(`document.querySelector(".lane[data-row='1'] [data-item='%s']")`, second)
	b.clean()
}

// What the keyboard reaches is not under the tray or the header.
func TestFocusIsNotHidden(t *testing.T) {
	t.Parallel()
	eachWorld(t, focusIsNotHidden)
}

func focusIsNotHidden(t *testing.T, w world) {
	f := w.serve(t)
	all := itemsAt(t, f)
	var tiers []string
	for row := range 5 {
		tiers = append(tiers, strings.Join(all[row*20:row*20+20], " "))
	}
	for _, on := range []screen{{width: 1440, height: 800, still: true}, {width: 1280, height: 720, still: true}, {width: 800, height: 800, still: true}} {
		b := open(t, chromium(t), f, on, listOf("Tall", tiers...))
		b.settled()
		b.focus(".spine")
		for _, key := range []string{arrowDown, arrowDown, arrowDown, arrowDown, arrowRight, arrowRight, arrowUp, arrowUp, arrowUp} {
			b.keys(key)
			if hidden := eval[string](b, `(() => { const r = document.activeElement.getBoundingClientRect(); const top = document.elementFromPoint(r.left + r.width / 2, Math.min(r.bottom - 2, r.top + 60)); return document.activeElement.contains(top) ? "" : document.activeElement.ariaLabel + " under " + top?.className; })()`); hidden != "" {
				t.Errorf("%d px: %s", on.width, hidden)
			}
		}
		b.clean()
	}
}

// Tab goes through the page in the order of the design; each area is one stop.
func TestTabOrder(t *testing.T) {
	t.Parallel()
	eachWorld(t, func(t *testing.T, w world) {
		b := open(t, chromium(t), w.serve(t), desktop, w.list)
		b.settled()
		b.focus(".board " + tile(w.tiers[0][0]))
		b.keys("0")
		b.ctrl("z")
		b.ctrl("z", kb.ModifierShift) // now undo and redo can both be used
		b.ctrl("z")
		b.settled()
		b.do(`document.activeElement.blur(); window.getSelection().removeAllRanges()`)
		b.keys(kb.Tab) // what was drawn a moment ago has its stops when Tab is followed
		filters, sorted := []string{"filters"}, []string{}
		if w.name == "films" { // genres and years, and two models to sort by
			filters, sorted = []string{"Group", "From", "Until"}, []string{"Sorted by"}
		}
		want := slices.Concat([]string{"Skip to the board", "Skip to the recommendations", "fubini, board", "Board", "Together", "Learning", "Redo", "File", "Share", "Keys and help", "Dark theme", w.title + ", rename", "Your lists", "Roomy", "Dense", "Hide guesses",
			"board", "Add tier", "search"}, filters, []string{"Order", "Fold", "tray"}, sorted, []string{"next", "Show as list", "Enlarge the map", "API and documentation"})
		got := eval[[]string](b, `[...document.querySelectorAll("a[href], button, input, select, [tabindex]")].filter((e) => e.tabIndex >= 0 && !e.disabled && e.getClientRects().length && !e.matches("section, .trayTiles")).map((e) => e.dataset.stop ? e.closest("[data-area]").dataset.area : e.ariaLabel ?? (e.id || e.closest("label")?.querySelector(".unseen")?.textContent || e.textContent.trim()))`)
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("the order of tab stops is\n%q, want\n%q", got, want)
		}
	})
}

// The menu of the last tier opens upwards, inside the window.
func TestTierMenuStaysInTheWindow(t *testing.T) {
	t.Parallel()
	b := open(t, chromium(t), newFake(t), screen{width: 1440, height: 800}, sample)
	b.settled()
	b.do(`document.querySelectorAll(".spine")[4].click()`)
	b.wait(`document.querySelector(".tierMenu")`)
	if box := eval[[]float64](b, `(() => { const r = document.querySelector(".tierMenu").getBoundingClientRect(); return [r.top, r.bottom]; })()`); box[0] < 0 || box[1] > 800 {
		t.Errorf("the menu reaches from %.0f to %.0f in a window of 800", box[0], box[1])
	}
	b.clean()
}

// A hover of 300 ms opens the card, the pointer may go into it, and leaving closes it.
func TestWhyCardByHover(t *testing.T) {
	t.Parallel()
	b := open(t, chromium(t), newFake(t), desktop.lively(), sample)
	b.settled()
	b.hover(".next .row")
	b.wantText(".whyCard tfoot", "Score")
	item := eval[string](b, `document.querySelector(".next .row").dataset.item`)
	if lit := eval[bool](b, `document.querySelector(".tray .tile.lit")?.dataset.item === %[1]q && document.querySelector(".mapBox .ringMark.full") !== null`, item); !lit {
		t.Error("the item is not marked in the tray and on the map")
	}
	b.hover(".whyCard h2")
	time.Sleep(500 * time.Millisecond)
	if !eval[bool](b, `document.querySelector(".whyCard") !== null`) {
		t.Error("the card closed under the pointer")
	}
	b.hover(".title h1")
	b.wait(`!document.querySelector(".whyCard")`)
	b.clean()
}

func TestAcceptance04NumbersAddUp(t *testing.T) {
	t.Parallel()
	eachWorld(t, numbersAddUp)
}

func numbersAddUp(t *testing.T, w world) {
	f := w.serve(t)
	b := open(t, chromium(t), f, desktop, w.list)
	b.settled()
	for _, fault := range eval[[]string](b, `[...document.querySelectorAll(".next .row")].flatMap((row) => {
		const bad = [], dots = row.querySelectorAll(".dots i").length;
		if (dots !== 20) bad.push(row.dataset.item + " has " + dots + " dots");
		const percents = [...row.querySelector(".unseen").textContent.matchAll(/(\d+)%%/g)].map((m) => Number(m[1]));
		const sum = percents.reduce((a, b) => a + b, 0);
		if (sum !== 100) bad.push(row.textContent + " sums to " + sum);
		return bad;
	})`) {
		t.Error(fault)
	}
	for i := range 6 {
		b.do(`document.querySelectorAll(".next .row")[%d].click()`, i)
		b.wantText(".whyCard tfoot", "Score")
		sums := eval[[]float64](b, `(() => { const n = (s) => Number(s.replace("−", "-").replace("+", "")); const rows = [...document.querySelectorAll(".reasons:not(.lesser) tbody .number")].map((e) => n(e.textContent)); return [rows.reduce((a, b) => a + b, 0), n(document.querySelector(".reasons tfoot .number").textContent)]; })()`)
		if percents := eval[[]int](b, `[...document.querySelectorAll(".reasons.lesser tbody .number")].map((e) => parseInt(e.textContent.replace("−", "-")))`); len(percents) < 2 || sumOf(percents) != 100 {
			t.Errorf("what speaks for picking it is %v percent", percents)
		}
		if d := sums[0] - sums[1]; !(d < 1e-9 && d > -1e-9) {
			t.Errorf("the rows add up to %.4f, the score says %.4f", sums[0], sums[1])
		}
		b.keys(kb.Escape)
	}
	// Reasons that do not come are missed in words, and asked for again.
	b.place(w.loose[0], 3)
	b.settled()
	f.mu.Lock()
	f.whySays = http.StatusServiceUnavailable
	f.mu.Unlock()
	b.do(`document.querySelector(".next .row").click()`)
	b.wantText(".whyCard", "Couldn't get the reasons. Asking again.")
	f.mu.Lock()
	f.whySays = 0
	f.mu.Unlock()
	b.wantText(".whyCard tfoot", "Score")
	b.keys(kb.Escape)
	// Nothing placed: ranks, and no odds anywhere.
	empty := open(t, chromium(t), w.serve(t), desktop, "")
	empty.settled()
	if eval[bool](empty, `/\d%%/.test(document.querySelector(".next").textContent) || document.querySelector(".dots, .ghost, .tag") !== null`) {
		t.Error("odds are shown that the server did not send")
	}
	b.clean()
}

func sumOf(numbers []int) (sum int) {
	for _, n := range numbers {
		sum += n
	}
	return sum
}

func TestAcceptance05YouFirst(t *testing.T) {
	t.Parallel()
	eachWorld(t, youFirst)
}

func youFirst(t *testing.T, w world) {
	b := open(t, chromium(t), w.serve(t), desktop, w.list)
	b.settled()
	ghost := eval[string](b, `document.querySelectorAll(".guesses .ghost")[4].dataset.item`)
	bring := func(item string) { // of many films the tray has few at a time
		if !eval[bool](b, `document.querySelector(".tray [data-item='%s']") !== null`, item) {
			b.seek(eval[string](b, `document.querySelector(".ghost[data-item='%[1]s'] .name, .row[data-item='%[1]s'] .name").textContent.replaceAll("\u00ad", "")`, item), item)
		}
		b.still()
	}
	top := eval[string](b, `document.querySelector(".next .row").dataset.item`)
	for _, item := range []string{ghost, top} {
		bring(item)
		b.lift(b.middle(`.tray `+tile(item)), b.middle(lane(2)))
		b.wait(`document.querySelector(".tile.held")`)
		b.wantText(".record", "You first: our guess for")
		if holders := eval[[]string](b, `[...document.querySelectorAll("[data-item='%s']")].filter((e) => e.matches(".ghost, .row, .whyCard *") || /\d%%/.test(e.textContent + e.ariaLabel)).map((e) => e.outerHTML.slice(0, 120))`, item); len(holders) > 0 {
			t.Errorf("while %s is held its guess stands in %q", item, holders)
		}
		b.keys(kb.Escape)
		b.wait(`!document.querySelector(".tile.held")`)
		b.release(point{5, 5})
		bring(item)
		b.focus(`.tray ` + tile(item))
		b.enter()
		b.wantText(".sheet", "Ours stays hidden until you choose.")
		if eval[bool](b, `document.querySelector(".ghost[data-item='%[1]s'], .row[data-item='%[1]s']") !== null`, item) {
			t.Errorf("while %s is in the picker its guess is shown", item)
		}
		b.keys(kb.Escape)
		b.wait(`!document.querySelector(".sheet")`)
	}
	if got := b.text(".record h2"); got != "Our guesses so far" {
		t.Errorf("before any drop the record says %q", got)
	}
	b.settled()
	b.still() // what has moved back into the tray moves others
	b.do(`const search = document.querySelector("#search"); search.value = ""; search.dispatchEvent(new Event("input", { bubbles: true }))`)
	b.wait(`document.querySelector(".tray [data-item='%s']")`, w.loose[0])
	blind := b.unseen(w)
	name := eval[string](b, `document.querySelector(".tray [data-item='%s'] .name").textContent.replaceAll("\u00ad", "")`, blind)
	b.drag(`.tray `+tile(blind), lane(2))
	b.wantText(".record", name+": you put B. We had said")
	b.wantText(".record", "of your last 1")
	b.settled()
	record := b.text(".record h2")
	b.click(".guesses .ghost") // accepted: the record stays
	b.wantText(".whyCard", "Put in")
	b.click(".whyCard .filled")
	b.wait(`!document.querySelector(".whyCard")`)
	b.settled()
	if got := b.text(".record h2"); got != record {
		t.Errorf("accepting a ghost changed the record from %q to %q", record, got)
	}
	b.clean()
}

func TestAcceptance07QuickAndInOrder(t *testing.T) {
	t.Parallel()
	eachWorld(t, quickAndInOrder)
}

func quickAndInOrder(t *testing.T, w world) {
	f, one := w.serve(t), w.loose[0]
	b := open(t, chromium(t), f, desktop.lively(), w.list)
	b.settled()
	b.do(`window.seen = null; window.shown = null; addEventListener("pointerup", () => {
		const start = performance.now(), before = document.querySelector(".next .row").closest("ol").textContent;
		requestAnimationFrame(() => setTimeout(() => { window.seen = [performance.now() - start, document.querySelector(".board [data-item='%s']") !== null]; }));
		const poll = () => document.querySelector(".next ol").textContent !== before ? window.shown = performance.now() - start : requestAnimationFrame(poll);
		poll();
	}, { once: true })`, one)
	b.drag(`.tray `+tile(one), lane(0))
	b.wait(`seen && shown`)
	times := eval[[]float64](b, `[seen[0], seen[1] ? 1 : 0, shown]`)
	t.Logf("board after %.0f ms, recommendations after %.0f ms", times[0], times[2])
	if times[1] != 1 {
		t.Error("the board was not drawn in the next frame")
	}
	b.settled()
	b.rests()
	// The first of two questions is at the server for longer than the second: its answer is dropped.
	late := make([]time.Duration, w.asking)
	for i := range late {
		late[i] = 600 * time.Millisecond
	}
	f.mu.Lock()
	before := f.asked
	f.delays = append(make([]time.Duration, f.asked), late...)
	f.mu.Unlock()
	b.focus(`.board ` + tile(one))
	b.keys("5")
	for deadline := time.Now().Add(patience); f.questions() == before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing was asked")
		}
	}
	f.mu.Lock()
	f.delays = nil // what is asked from now on is answered at once
	f.mu.Unlock()
	b.keys("2")
	b.settled()
	now := b.text(".next ol")
	time.Sleep(900 * time.Millisecond)
	if later := b.text(".next ol"); later != now {
		t.Errorf("an older answer came after a newer one and was shown: %q, and then %q", now, later)
	}
	// The server stops: nothing placed is lost.
	f.Server.CloseClientConnections()
	f.mu.Lock()
	f.status = http.StatusTeapot
	f.mu.Unlock()
	list := b.list()
	f.Close()
	b.drag(`.tray `+tile(w.loose[1]), lane(0))
	b.wantText(".next", "Offline: sorting still works, guesses wait.")
	b.wantText(".next", "from before your last change")
	if now := b.list(); now == list || !strings.Contains(now, fmt.Sprintf("%q", w.loose[1])) {
		t.Errorf("the placement made offline was not kept: %s", now)
	}
	b.ctrl("z")
	b.wait(`JSON.stringify(JSON.parse(localStorage.getItem("fubini.list.main")).list) === %q`, list)
}

func TestAcceptance07NothingIsLostOnReload(t *testing.T) {
	t.Parallel()
	eachWorld(t, nothingIsLostOnReload)
}

func nothingIsLostOnReload(t *testing.T, w world) {
	f, best, next := w.serve(t), w.ten[0].item, w.ten[2].item
	b := open(t, chromium(t), f, desktop, "")
	b.settled()
	f.mu.Lock()
	f.status = http.StatusServiceUnavailable
	f.mu.Unlock()
	b.drag(`.tray `+tile(best), lane(0))
	b.drag(`.tray `+tile(next), lane(1))
	b.wantText(".next", "Couldn't update")
	time.Sleep(400 * time.Millisecond)
	list := b.list()
	b.visit("/?again")
	b.wait(`document.querySelector(".lane[data-row='0'] [data-item='%s']") && document.querySelector(".lane[data-row='1'] [data-item='%s']")`, best, next)
	if now := b.list(); now != list {
		t.Errorf("after a reload the list is %s, was %s", now, list)
	}
	b.ctrl("z") // undo is kept over a reload
	b.wait(`!document.querySelector(".board [data-item='%s']") && document.querySelector(".board [data-item='%s']")`, next, best)
}
