package web_test

import (
	"fmt"
	"testing"
)

// The learning page of both worlds: rings by tenths with their intervals, a bar and a count that can be read for each,
// tastes called after items with their pictures, and nothing serious for axe.
func TestLearningPage(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	server, _ := films(t)
	for name, f := range map[string]*fake{"films": server.fake, "foods": newFake(t)} {
		for _, on := range []screen{desktop, {width: 1280, height: 800, still: true}, {width: 1024, height: 768, still: true}, {width: 390, height: 844, touch: true, still: true, dark: true, density: 2}} {
			b := newTab(t, ctx, f)
			b.device(on)
			b.visit("/#/learning")
			b.wait(`document.querySelector(".calibration .chart") && document.querySelectorAll(".units tbody tr").length === 8`)
			faults := eval[[]string](b, `(() => {
				const faults = [];
				const rings = [...document.querySelectorAll(".calibration .ringMark")].map((e) => (Number(e.getAttribute("cx")) - 46) / 440);
				const tenths = rings.map((p) => Math.min(9, Math.floor(p * 10 + 1e-9)));
				if (rings.length < 6 || new Set(tenths).size !== tenths.length) faults.push("rings at " + rings);
				if (document.querySelectorAll(".calibration .interval").length !== rings.length || document.querySelectorAll(".calibration .countBar").length !== rings.length) faults.push("intervals or bars are missing");
				const counts = [...document.querySelectorAll(".calibration .tick.small")].map((e) => e.getBoundingClientRect()).sort((a, b) => a.left - b.left);
				counts.forEach((r, i) => { if (i > 0 && r.left < counts[i - 1].right) faults.push("counts overprint"); });
				for (const cell of document.querySelectorAll(".units td:not(.share)")) {
					if (cell.querySelectorAll(".unitPictures li").length < 3) faults.push("few pictures: " + cell.innerText);
					if (cell.querySelector(".unitName").innerText.length < 3 || /\(\d{4}\)/.test(cell.innerText)) faults.push("called " + cell.innerText);
				}
				const above = document.querySelector(".calibration").getBoundingClientRect();
				const below = [...document.querySelectorAll(".curves, .learnGrid > .unknown, .tastes")].map((e) => e.getBoundingClientRect()).filter((r) => r.left < above.right && r.top > above.top);
				const hole = Math.min(...below.map((r) => r.top)) - above.bottom;
				if (!(hole >= 8 && hole <= 32)) faults.push("below calibration there is a hole of " + hole);
				if (document.documentElement.scrollWidth > innerWidth) faults.push("wide " + document.documentElement.scrollWidth);
				return faults;
			})()`)
			for _, fault := range faults {
				t.Errorf("%s, %d wide: %s", name, on.width, fault)
			}
			for _, missing := range eval[[]string](b, `fetch("/v1/model").then((answer) => answer.json()).then(({ calibration: { even } }) => [["Below 50%%", (p) => p < 0.5], ["From 50%% up", (p) => p >= 0.5]].flatMap(([name, side]) => {
				const bins = even.filter(({ p }) => side(p)), count = bins.reduce((n, bin) => n + bin.count, 0);
				if (!count) return [];
				const percent = (of) => Math.round(100 * bins.reduce((sum, bin) => sum + of(bin) * bin.count, 0) / count) + "%%";
				const words = name + " we said " + percent((bin) => bin.p) + " on average and it happened " + percent((bin) => bin.observed) + " of the time, over " + count.toLocaleString("en-GB") + ": ";
				return document.querySelector(".halves").textContent.includes(words) ? [] : [words + " not in " + document.querySelector(".halves").textContent];
			}))`) {
				t.Errorf("%s, %d wide: %s", name, on.width, missing)
			}
			b.axe("learning "+name, "document")
			b.picture(fmt.Sprintf("learning-%s-%d", name, on.width))
			b.clean()
		}
	}
}
