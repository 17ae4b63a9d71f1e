package web_test

import "testing"

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
					b.wantText(".heads", "From before your last change")
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
			} {
				t.Run(finding.name, func(t *testing.T) {
					t.Parallel()
					finding.test(t)
				})
			}
		})
	}
}
