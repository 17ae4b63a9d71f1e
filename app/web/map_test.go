package web_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// mapSpot is where an item of the map is seen, in pixels of the window.
func (b *tab) mapSpot(item string) point {
	b.t.Helper()
	return eval[point](b, `(() => {
		const marks = [...document.querySelectorAll(".mapBox text")].filter((e) => e.textContent === %q);
		const r = marks[0].getBoundingClientRect();
		const box = document.querySelector(".mapBox");
		const scale = box.getBoundingClientRect().width / 350;
		const x = Number(marks[0].getAttribute("x")) - (marks[0].getAttribute("text-anchor") === "end" ? -7 : 7);
		const y = Number(marks[0].getAttribute("y")) - 4;
		const at = box.getBoundingClientRect();
		return { X: at.left + at.width / 2 + x * scale, Y: at.top + at.height / 2 + y * scale };
	})()`, item)
}

// Hover and tap on the map name an item and say what we say of it, taste and interest apart; it can be enlarged and moved;
// regions have the names of items; and what is said of the ring holds for the items in it.
func TestMapAnswers(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	server, numbers := films(t)
	b := open(t, ctx, server.fake, desktop, filmList(t, numbers))
	b.settled()
	b.wait(`document.querySelectorAll(".mapBox .nearText").length >= 2 && document.querySelectorAll(".mapBox .regionText").length >= 2`)
	b.do(`document.querySelector(".map").scrollIntoView({ block: "center" })`)
	b.still()
	if over := eval[[]string](b, `(() => {
		const boxes = [...document.querySelectorAll(".mapBox .nearText, .mapBox .regionText")].map((e) => ({ name: e.textContent, r: e.getBoundingClientRect() }));
		return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => a.r.left < b.r.right - 4 && a.r.right > b.r.left + 4 && a.r.top < b.r.bottom - 4 && a.r.bottom > b.r.top + 4).map((b) => a.name + " over " + b.name));
	})()`); len(over) > 0 {
		t.Errorf("names cover each other: %v", over)
	}

	// Hover: whatever is nearest is named; its guess is asked for, and it has been seen.
	name := eval[string](b, `document.querySelector(".mapBox .nearText").textContent`)
	b.mouse("mouseMoved", b.mapSpot(name), 0)
	b.wait(`document.querySelector(".mapAbout b") !== null`)
	b.wait(`/Taste: most likely .*\d%%.*Interest: You|Taste: most likely .*\d%%.*Interest: (Perhaps|Hardly)/s.test(document.querySelector(".mapAbout").innerText)`)
	b.picture("map-hover")
	b.mouse("mouseMoved", point{X: 200, Y: 300}, 0)
	b.wantText(".mapAbout", "Point at a dot")

	// Enlarged: fewer dots, more names; back again.
	before := eval[int](b, `document.querySelectorAll(".mapBox .nearText, .mapBox .regionText").length`)
	b.do(`document.querySelector(".zooms button").click(); `)
	b.do(`document.querySelector(".zooms button").click(); `)
	b.wait(`document.querySelector(".mapBox.near") && document.querySelectorAll(".mapBox .nearText, .mapBox .regionText").length > %d`, before)
	was := eval[string](b, `document.querySelector(".dotPath").getAttribute("transform")`)
	middle := b.middle(".mapBox")
	b.mouse("mousePressed", middle, 1)
	b.mouse("mouseMoved", point{X: middle.X + 40, Y: middle.Y + 20}, 1)
	b.mouse("mouseReleased", point{X: middle.X + 40, Y: middle.Y + 20}, 0)
	b.wait(`document.querySelector(".dotPath").getAttribute("transform") !== %q`, was)
	b.axe("map", `".map"`)
	b.picture("map-near")
	b.do(`const less = document.querySelectorAll(".zooms button")[1]; less.click(); less.click()`)
	b.wait(`!document.querySelector(".mapBox.near")`)

	// The person stands among the items, and what is said of the ring is the mean of the odds sent for the items in it.
	words := b.text(".ringWords")
	if !strings.HasPrefix(words, "In the ring: ") {
		t.Fatalf("of the ring it says %q", words)
	}
	b.clean()
}

// By touch: a tap names a dot, and it can be placed from there.
func TestMapByTouch(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	b := open(t, ctx, newFake(t), phone, sample)
	b.wait(`document.querySelectorAll(".dock [role=tab]").length === 3`)
	b.do(`[...document.querySelectorAll(".dock [role=tab]")].at(-1).click()`)
	b.wait(`document.querySelector(".mapBox .nearText")`)
	b.still()
	name := eval[string](b, `document.querySelector(".mapBox .nearText").textContent`)
	inTurn(b, input.DispatchTouchEvent, touchAt(input.DispatchTouchEventTypeTouchStart, b.mapSpot(name)), touchAt(input.DispatchTouchEventTypeTouchEnd))
	b.wait(`document.querySelector(".mapAbout b") !== null`)
	b.do(`document.querySelector(".mapAbout button").click()`)
	b.wait(`document.querySelector(".sheet")`)
	b.axe("map on a phone", "document")
	b.clean()
}

// What the page says of the ring, recomputed from what the fake server sent: which items lie in it, and their mean odds.
func TestMapRingHolds(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	b := open(t, ctx, newFake(t), desktop, listOf("What I'd eat", "ramen", "", "bagel"))
	b.settled()
	b.wait(`document.querySelector(".ringWords")?.innerText.includes("on average")`)
	got := b.text(".ringWords")
	type spot struct {
		Item string
		X, Y float64
	}
	sent := eval[struct {
		Ring  struct{ X, Y, RX, RY, Angle float64 }
		Items []spot
		Odds  map[string]float64
	}](b, `(async () => {
		const tiers = JSON.parse(localStorage.getItem("fubini.list.main")).list.tiers.map((t) => t.items);
		const post = (path, body) => fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }).then((r) => r.json());
		const [map, advice] = await Promise.all([post("/v1/embed", { tiers, items: 2000 }), post("/v1/recommend", { tiers, n: 1000, exclude: [] })]);
		return { Ring: { X: map.ring.x, Y: map.ring.y, RX: map.ring.rx, RY: map.ring.ry, Angle: map.ring.angle }, Items: map.items.map(({ item, x, y }) => ({ Item: item, X: x, Y: y })), Odds: Object.fromEntries(advice.items.map((g) => [g.item, g.gap_probs[0] + g.tier_probs[0]])) };
	})()`)
	sin, cos := math.Sincos(sent.Ring.Angle * math.Pi / 180)
	within, means, counts := 0, [2]float64{}, [2]float64{}
	for _, s := range sent.Items {
		dx, dy := s.X-sent.Ring.X, s.Y-sent.Ring.Y
		side := 1
		if math.Hypot((dx*cos+dy*sin)/sent.Ring.RX, (dy*cos-dx*sin)/sent.Ring.RY) <= 1 {
			within, side = within+1, 0
		}
		if p, known := sent.Odds[s.Item]; known {
			means[side], counts[side] = means[side]+p, counts[side]+1
		}
	}
	want := fmt.Sprintf("In the ring: %d. Odds of S or above, on average: %.0f%% in it, %.0f%% outside (of %.0f we have odds for).", within, 100*means[0]/counts[0], 100*means[1]/counts[1], counts[0]+counts[1])
	if got != want {
		t.Errorf("of the ring it says %q; by what was sent it is %q", got, want)
	}
	b.clean()
}
