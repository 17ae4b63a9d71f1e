package web_test

import (
	"strings"
	"testing"
)

// An item of the person's own with a picture of their own: placed, kept over a reload, never sent to the model, undone,
// found in the tray, and called by its name in a shared list, whose visitor has no picture of it.
func TestOwnItems(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	b := open(t, ctx, newFake(t), desktop, sample)
	b.settled()
	b.before(`window.asked = []; const plainFetch = window.fetch; window.fetch = (path, init) => { asked.push(path + " " + (init?.body ?? "")); return plainFetch(path, init); };`)
	b.visit("/")
	b.settled()
	add := func() {
		b.do(`[...document.querySelectorAll("header button")].find((e) => e.textContent.trim() === "File").click()`)
		b.wait(`[...document.querySelectorAll("button")].some((e) => e.textContent === "Add an item of your own…")`)
		b.do(`[...document.querySelectorAll("button")].find((e) => e.textContent === "Add an item of your own…").click()`)
		b.wait(`document.querySelector(".ownForm")`)
	}
	add()
	b.axe("own item", `".sheet"`)
	b.do(`document.querySelector(".sheet .choice").click()`)
	b.wantText(".sheet", "Give it a name first.")
	b.do(`const d = new DataTransfer(); d.items.add(new File(["no picture"], "x.png", { type: "image/png" })); const f = document.querySelector(".ownForm input[type=file]"); f.files = d.files; f.dispatchEvent(new Event("change", { bubbles: true }))`)
	b.wantText(".sheet", "This file is no picture")
	eval[bool](b, `(async () => {
		const c = document.createElement("canvas"); c.width = 900; c.height = 400; const g = c.getContext("2d"); g.fillStyle = "rgb(200, 30, 60)"; g.fillRect(0, 0, 900, 400);
		const blob = await new Promise((done) => c.toBlob(done, "image/png"));
		const d = new DataTransfer(); d.items.add(new File([blob], "soup.png", { type: "image/png" }));
		const f = document.querySelector(".ownForm input[type=file]"); f.files = d.files; f.dispatchEvent(new Event("change", { bubbles: true }));
		const n = document.querySelector(".ownForm input:not([type])"); n.value = "Grandma's soup"; n.dispatchEvent(new Event("input", { bubbles: true }));
		return true;
	})()`)
	b.wait(`document.querySelector("img.ownPicture")`)
	b.picture("own-item")
	b.do(`document.querySelector(".sheet .choice").click()`)
	const soup = `.tile[data-item="own:Grandma's soup"]`
	b.wait(`document.querySelector(%q)`, ".tier:nth-of-type(1) "+soup)
	b.wait(`document.querySelector(%q)?.naturalWidth === 140`, ".board "+soup+" img.photo")
	b.settled()
	b.visit("/")
	b.settled()
	b.wait(`document.querySelector(%q)?.naturalWidth === 140`, ".board "+soup+" img.photo")
	if sent := eval[string](b, `asked.filter((text) => text.startsWith("/v1/recommend") || text.startsWith("/v1/embed")).join("\n")`); strings.Contains(sent, "own:") || !strings.Contains(sent, "ramen") {
		t.Errorf("the model was asked about an own item: %s", sent)
	}
	// Back in the tray, where it is found, and undone.
	b.focus(".board " + soup)
	b.keys("0")
	b.wait(`document.querySelector(%q)`, ".trayTiles "+soup)
	b.ctrl("z")
	b.wait(`document.querySelector(%q)`, ".board "+soup)
	// Shared: the visitor reads its name.
	b.click("header .share")
	b.wait(`document.querySelector(".sheet .filled:not(:disabled)")`)
	b.do(`document.querySelector(".sheet .filled").click()`)
	b.wait(`document.querySelector("#share-link")`)
	link := eval[string](b, `document.querySelector("#share-link").value`)
	v := newTab(t, ctx, b.fake)
	v.device(desktop)
	v.visit(strings.TrimPrefix(link, b.URL))
	v.wantText(".board", "Grandma's soup")
	if eval[bool](v, `document.querySelector(%q) !== null`, ".board "+soup+" img") {
		t.Error("the picture has left the device")
	}
	v.clean()
	b.clean()
}
