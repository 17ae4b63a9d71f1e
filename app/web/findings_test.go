package web_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
)

// What a long look at the page once found wrong, line by line, in both worlds of the real program. It is not parallel to other
// tests: TestDemo ends the program of foods.
func TestFindings(t *testing.T) {
	ctx := chromium(t)
	for _, name := range []string{"foods", "films"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var program *fake
			list := sample
			if name == "foods" {
				program = demo(t).fake
			} else {
				server, numbers := films(t)
				program, list = server.fake, filmList(t, numbers)
			}
			for _, finding := range []struct {
				name string
				test func(t *testing.T)
			}{
				{"all tiers are in view", func(t *testing.T) {
					for _, list := range []string{"", list} {
						b := open(t, ctx, program, screen{width: 1280, height: 720, still: true}, list)
						b.settled()
						if seen := eval[int](b, `[...document.querySelectorAll(".spine")].filter((e) => { const r = e.getBoundingClientRect(); return r.bottom <= innerHeight && document.elementFromPoint(r.left + 4, r.bottom - 4)?.closest(".spine") === e; }).length`); seen != 5 {
							t.Errorf("with the list %.40q %d of five tiers are in view", list, seen)
						}
						b.wait(`document.querySelectorAll(".tray select").length === 2`)
						b.rests() // the years come with the whole catalogue
						for _, cut := range eval[[]string](b, `[...document.querySelectorAll(".tray select")].filter((e) => {
							const roomy = e.cloneNode(true); // as wide as its words
							roomy.value = e.value;
							roomy.style.position = "absolute";
							roomy.style.maxWidth = "none";
							e.after(roomy);
							const wants = roomy.getBoundingClientRect().width;
							roomy.remove();
							return e.getBoundingClientRect().width < wants - 0.01;
						}).map((e) => e.selectedOptions[0].text)`) {
							t.Errorf("words of the tray are cut: %s", cut)
						}
						b.clean()
					}
				}},
				{"menus of the phone", func(t *testing.T) {
					b := open(t, ctx, program, phone, list)
					b.wait(`document.querySelector(".ghost")`)
					b.tap(".dockHandle")
					b.wait(`document.querySelector(".dock.open")`)
					b.tap(".fileBox > button[aria-label=Menu]")
					b.wait(`document.querySelector(".menu")`)
					b.still()
					covered := eval[[]string](b, `[...document.querySelectorAll(".menu button, .menu a")].filter((e) => { e.scrollIntoView({ block: "nearest" }); const r = e.getBoundingClientRect(); return !e.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)) || r.height < 43.5; }).map((e) => e.textContent)`)
					if entries := eval[int](b, `document.querySelectorAll(".menu button, .menu a").length`); entries < 8 || len(covered) > 0 {
						t.Errorf("of %d entries these are covered or small: %q", entries, covered)
					}
					if nameless := eval[int](b, `[...document.querySelectorAll(".ghost")].filter((e) => e.getClientRects().length && e.querySelector(".name").getBoundingClientRect().width < 10).length`); nameless > 0 {
						t.Errorf("%d guesses have no name", nameless)
					}
					b.clean()
				}},
				{"menus of a phone on its side", func(t *testing.T) {
					b := open(t, ctx, program, screen{width: 844, height: 390, touch: true, still: true}, list)
					b.wait(`document.querySelector(".ghost")`)
					for _, opener := range []string{".fileBox > button[aria-label=Menu]", ".fileBox > button[aria-label='Your lists']", ".tier:first-child .spine", ".tier:last-child .spine"} {
						b.tap(opener)
						b.wait(`document.querySelector(".menu")`)
						b.still()
						covered := eval[[]string](b, `[...document.querySelectorAll(".menu > button, .menu > a, .menu input")].filter((e) => { e.scrollIntoView({ block: "nearest" }); const r = e.getBoundingClientRect(); return !e.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)) || e.matches("button, a") && r.height < 43.5; }).map((e) => e.textContent)`)
						if entries := eval[int](b, `document.querySelectorAll(".menu > button, .menu > a").length`); entries < 5 || len(covered) > 0 {
							t.Errorf("%s: of %d entries these are covered or small: %q", opener, entries, covered)
						}
						b.tap(opener)
						b.wait(`!document.querySelector(".menu")`)
					}
					b.do(`document.querySelector(".ghost").click()`)
					b.wait(`document.querySelector(".sheet tfoot")`)
					b.still()
					if low := eval[float64](b, `document.querySelector(".sheet .actions .filled").getBoundingClientRect().bottom - innerHeight`); !(low <= 0) {
						t.Errorf("what the card offers ends %.0f px below the screen", low)
					}
					b.fits("why, on a phone on its side")
					b.clean()
				}},
				{"search is selected", func(t *testing.T) {
					b := open(t, ctx, program, desktop, list)
					b.settled()
					b.slash()
					b.wait(`document.activeElement.id === "search"`)
					b.keys("a", "b")
					b.focus(".spine")
					b.slash()
					b.wait(`document.activeElement.id === "search" && document.activeElement.value === "ab" && document.activeElement.selectionStart === 0 && document.activeElement.selectionEnd === document.activeElement.value.length`)
					b.clean()
				}},
				{"letters of new tiers", func(t *testing.T) {
					b := open(t, ctx, program, desktop, list)
					b.settled()
					b.click(".addTier .quiet")
					b.do(`document.querySelectorAll(".spine")[4].click()`)
					b.wait(`document.querySelector(".tierMenu")`)
					b.do(`[...document.querySelectorAll(".tierMenu > button")].find((e) => e.textContent === "Add above").click()`)
					b.wait(`[...document.querySelectorAll(".spine")].map((e) => e.innerText.trim().split(/\s/)[0]).join(" ") === "S A B C D+ D E"`)
					b.clean()
				}},
				{"forced colours", func(t *testing.T) {
					b := open(t, ctx, program, desktop, list)
					b.settled()
					b.focus(".trayTiles .tile")
					b.keys("2")
					b.settled()
					call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
					if chosen := eval[[]string](b, `["[aria-pressed=true]", "[aria-pressed=false]"].map((e) => getComputedStyle(document.querySelector(".density " + e)).backgroundColor)`); chosen[0] == chosen[1] {
						t.Errorf("the chosen density is drawn as the other: %s", chosen)
					}
					for _, marks := range []string{".next .row .dots .group:not(.hollow) i", ".record .ticks > :not(.empty)"} {
						if seen := eval[[]int](b, `(() => { const all = [...document.querySelectorAll(%q)]; const paper = getComputedStyle(document.querySelector(".next")).backgroundColor; return [all.length, all.filter((e) => { const c = getComputedStyle(e); return c.backgroundColor === paper && (c.borderTopStyle === "none" || c.borderTopColor === paper); }).length]; })()`, marks); seen[0] == 0 || seen[1] > 0 {
							t.Errorf("%s: %d of %d are not seen", marks, seen[1], seen[0])
						}
					}
					b.clean()
				}},
				{"landmarks and skip links", func(t *testing.T) {
					b := newTab(t, ctx, program)
					b.device(desktop)
					b.keep(list)
					for _, path := range []string{"/", "/?a#/learning", "/?b#/together", "/?c#/operator"} {
						b.visit(path)
						b.wait(`document.querySelector("main")`)
						if path == "/" {
							b.settled()
						}
						for _, fault := range eval[[]string](b, `(() => {
							const faults = [];
							const banners = [...document.querySelectorAll("header, [role=banner]")].filter((e) => e.role === "banner" || !e.parentElement.closest("main, section, article, aside, nav"));
							if (banners.length !== 1) faults.push(banners.length + " banners");
							if (document.querySelectorAll("main").length !== 1) faults.push("not one main");
							for (const skip of document.querySelectorAll(".skip")) {
								if (!document.querySelector(skip.getAttribute("href"))) faults.push(skip.textContent + " has no target");
							}
							return faults;
						})()`) {
							t.Errorf("%s: %s", path, fault)
						}
						for i := range eval[int](b, `document.querySelectorAll(".skip").length`) {
							b.do(`document.activeElement.blur(); document.querySelectorAll(".skip")[%d].click()`, i)
							b.wait(`document.activeElement.closest(document.querySelectorAll(".skip")[%d].getAttribute("href"))`, i)
						}
					}
					b.clean()
				}},
				{"guesses from before", func(t *testing.T) {
					f := through(t, program)
					b := open(t, ctx, f, desktop, list)
					b.settled()
					f.mu.Lock()
					f.status = 503
					f.mu.Unlock()
					b.focus(".board .tile")
					b.keys("5")
					b.wantText(".next", "from before your last change")
					b.wantText(".heads", "From before your change")
					if struck := eval[string](b, `getComputedStyle(document.querySelector(".ghost .percent")).textDecorationLine`); struck != "line-through" {
						t.Errorf("an old guess is drawn %q", struck)
					}
					f.mu.Lock()
					f.status = 0
					f.mu.Unlock()
					b.do(`[...document.querySelectorAll(".next button")].find((e) => e.textContent === "Retry").click()`)
					b.settled()
					b.wantText(".heads", "We'd pencil in")
					b.clean()
				}},
				{"a long board", func(t *testing.T) {
					all := itemsAt(t, program)
					var tiers []string
					for row := range 5 {
						tiers = append(tiers, strings.Join(all[row*24:row*24+24], " "))
					}
					b := open(t, ctx, program, screen{width: 1280, height: 800, still: true}, listOf("Long", tiers...))
					b.wait(`document.querySelectorAll(".board .tile").length === 120`)
					b.click(".tray .fold")
					b.wait(`document.querySelector(".tray.folded")`)
					b.do(`const first = document.querySelector(".lane"); window.scrollTo(0, first.getBoundingClientRect().bottom + scrollY - 180)`)
					time.Sleep(100 * time.Millisecond)
					if faults := eval[[]string](b, `(() => {
						const faults = [];
						const letter = document.querySelector(".spine .stick").getBoundingClientRect(), side = document.querySelector(".side").getBoundingClientRect();
						if (scrollY < 40) faults.push("the board is not long: " + scrollY);
						if (letter.top < 50 || letter.bottom > innerHeight) faults.push("the letter stands at " + letter.top);
						const heads = document.querySelector(".heads").getBoundingClientRect();
						if (heads.top < 50 || heads.bottom > letter.top) faults.push("the heads stand at " + heads.top);
						if (side.top < 40 || side.top > 120) faults.push("the side column stands at " + side.top);
						return faults;
					})()`); len(faults) > 0 {
						t.Errorf("scrolled: %q", faults)
					}
					// A tall lane says what else would stand in it, and the tray shows just that.
					b.do(`window.scrollTo(0, 0)`)
					b.rests()
					b.wait(`[...document.querySelectorAll(".others .link")].some((e) => e.getClientRects().length)`)
					more := eval[[]string](b, `(() => { const link = [...document.querySelectorAll(".others .link")].find((e) => e.getClientRects().length); const words = link.textContent.match(/^([\d,]+) more (most likely .+)$/); link.click(); return [words[1].replace(",", ""), words[2]]; })()`)
					b.wait(`document.querySelector(".tray:not(.folded) .trayTiles .tile") && [...document.querySelectorAll(".tray header .fold")].some((e) => e.textContent === %q)`, "M"+more[1][1:]+" ✕")
					count, err := strconv.Atoi(more[0])
					if err != nil {
						t.Fatal(err)
					}
					if shown := eval[int](b, `document.querySelectorAll(".trayTiles .tile").length`); shown > count || shown == 0 {
						t.Errorf("of %d the tray shows %d", count, shown)
					}
					b.axe("a tall lane", "document")
					b.clean()
				}},
				{"nobody to compare with", func(t *testing.T) {
					b := open(t, ctx, program, desktop, list)
					b.settled()
					b.do(`location.hash = "#/together"`)
					b.wantText(".together", "Where do two people differ?")
					b.axe("together, alone", "document")
					b.click(".alone button")
					b.wantText(".sheet", "Anyone with the link can look.")
					b.clean()
				}},
			} {
				t.Run(finding.name, func(t *testing.T) {
					t.Parallel()
					finding.test(t)
				})
			}
		})
	}
}
