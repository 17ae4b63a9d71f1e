package web_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// Words that hold: Try next is sorted by what it prints; legends say what dots, hollow dots and the expected number mean;
// the odds of a card add up to 100; an empty lane says why; dots tell tiers apart by shape, and are seen in forced colours.
func TestHonestWords(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	b := open(t, ctx, newFake(t), desktop, sample)
	b.settled()
	printed := eval[[]int](b, `[...document.querySelectorAll(".next .row .percent")].map((e) => parseInt(e.textContent.replace(/[<>]/, "")))`)
	for i := 1; i < len(printed); i++ {
		if printed[i] > printed[i-1] {
			t.Errorf("Try next prints %v", printed)
		}
	}
	b.wantText(".next .sorted", "Sorted by odds of S or above")
	b.wantText(".next .legend", "Each dot: 1 chance in 20")
	b.wantText(".next .legend", "a tier of its own between two, above or below")
	shapes := eval[[]string](b, `[0, 1, 2, 3, 4].map((n) => { const e = document.querySelector(".legend .shape-" + n + " i"); const c = getComputedStyle(e); return [c.borderRadius, c.clipPath, c.transform, c.width, c.height].join(); })`)
	seen := map[string]bool{}
	for _, shape := range shapes {
		seen[shape] = true
	}
	if len(seen) != 5 {
		t.Errorf("the dots of five tiers have %d shapes: %v", len(seen), shapes)
	}
	for _, fault := range eval[[]string](b, `[...document.querySelectorAll(".guesses")].filter((e) => !e.querySelector(".ghost") && e.innerText.trim().length < 10).map((e) => "a lane says " + e.innerText)`) {
		t.Error(fault)
	}
	b.do(`document.querySelector(".trayTiles .tile").focus()`)
	b.keys("2")
	b.settled()
	b.wait(`/We had said/.test(document.querySelector(".record").innerText)`)
	if text := b.text(".record"); strings.Contains(text, "expected") && !strings.Contains(text, "by our odds") {
		t.Errorf("the record says %q", text)
	}
	b.click(".next .row")
	b.wantText(".whyCard tfoot", "Score")
	if sum := eval[int](b, `[...document.querySelectorAll(".whyCard .odds .number")].reduce((n, e) => n + (parseInt(e.textContent) || 0), 0)`); sum != 100 {
		t.Errorf("the visible odds add up to %d", sum)
	}
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	if dots := eval[int](b, `[...document.querySelectorAll(".next .row .dots .group:not(.hollow) i")].filter((e) => getComputedStyle(e).backgroundColor === getComputedStyle(document.querySelector(".next")).backgroundColor).length`); dots != 0 {
		t.Errorf("in forced colours %d dots are not seen", dots)
	}
	b.clean()
}
