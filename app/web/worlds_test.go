package web_test

import (
	"strings"
	"testing"
)

// The first screen of the demonstration offers foods and films. Films are trained when somebody asks for them, open by
// themselves at an address of their own, and neither world has a list of the other. Through a proxy, where the other address is not
// reached, nothing is offered.
func TestWorlds(t *testing.T) {
	behind := firstVisit(t, through(t, demo(t).fake), screen{width: 1280, height: 720, still: true}) // another port than the server's own
	behind.wait(`document.querySelector(".dealt")`)
	behind.wait(`performance.getEntriesByType("resource").some(({ name, responseEnd }) => name.endsWith("/v1/worlds") && responseEnd > 0 && performance.now() > responseEnd + 500)`)
	if n := eval[int](behind, `document.querySelectorAll(".worlds").length`); n > 0 {
		t.Errorf("through a proxy another world is offered, which is not reached")
	}
	b := firstVisit(t, demo(t).fake, screen{width: 1280, height: 720, still: true})
	b.wait(`document.querySelectorAll(".worlds button").length === 2 && document.querySelector(".worlds [aria-pressed=true]").textContent === "Foods"`)
	b.axe("choice of a world", `".worlds"`)
	b.picture("worlds")
	b.keys("1")
	b.wait(`document.querySelectorAll(".ownRow li").length === 1`)
	b.wait(`document.querySelector(".dealt")`)
	b.do(`[...document.querySelectorAll(".worlds button")].find((e) => e.textContent === "Films").click()`)
	b.wantText(".worlds", "Learning from the ratings")
	b.opens(`document.querySelector(".worlds [aria-pressed=true]")?.textContent === "Films" && document.querySelector(".dealt .year")`)
	if kept := eval[[]string](b, `Object.keys(localStorage).filter((key) => key.startsWith("fubini.list."))`); len(kept) > 0 {
		t.Errorf("films begin with the lists %v", kept)
	}
	b.keys("2")
	b.wait(`document.querySelectorAll(".ownRow li").length === 1`)
	b.do(`[...document.querySelectorAll(".worlds button")].find((e) => e.textContent === "Foods").click()`)
	b.opens(`document.querySelectorAll(".board .tile").length === 1 && document.querySelector(".board .tile .emoji")`)
	if list := b.list(); strings.Count(list, `"items":[""`) > 0 || !strings.Contains(list, `"items":["`) {
		t.Errorf("the list of foods is %s", list)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, problem := range b.problems {
		t.Errorf("the page complained: %s", problem)
	}
}
