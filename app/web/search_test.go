package web_test

import (
	"strings"
	"testing"
)

// seek types into the search from anywhere, goes to the best match by Enter, and waits until it has the focus.
func (b *tab) seek(text, item string) {
	b.t.Helper()
	b.do(`document.activeElement?.blur()`)
	b.keys("/")
	b.wait(`document.activeElement.id === "search"`)
	b.do(`document.activeElement.select()`)
	b.keys(strings.Split(text, "")...)
	b.wait(`document.querySelector("#search").value === %q`, text)
	b.enter()
	b.wait(`document.activeElement.matches(".trayTiles .tile") && document.activeElement.dataset.item === %q`, item)
}

// One search over everything, by keys alone: Enter goes to the best match and a digit places it, typing errors are forgiven,
// and what is placed is found with the tier that it is in, and can be moved.
func searchByKeys(t *testing.T, b *tab, title, misspelt, item, part, other string) {
	t.Helper()
	b.seek(title, item)
	b.keys("2")
	b.wait(`document.activeElement.matches(".board .tier:nth-of-type(2) .tile") && document.activeElement.dataset.item === %q`, item)
	b.seek(misspelt, item)
	b.wantText(".trayTiles [role=status]", "Nothing is called \""+misspelt+"\". These come closest:")
	b.wait(`document.querySelector(%q).dataset.tag === "A"`, ".trayTiles "+tile(item)+" .inTier")
	b.wait(`document.activeElement.ariaLabel.endsWith("placed in A, " + %q)`, "Great")
	b.axe("search", `".tray"`)
	b.picture("search-" + item)
	b.keys("1")
	b.wait(`document.activeElement.matches(".board .tier:nth-of-type(1) .tile") && document.activeElement.dataset.item === %q`, item)
	b.wait(`document.querySelector(%q).dataset.tag === "S"`, ".trayTiles "+tile(item)+" .inTier")
	b.seek(part, other)
	b.keys("5")
	b.wait(`document.activeElement.matches(".board .tier:nth-of-type(5) .tile") && document.activeElement.dataset.item === %q`, other)
	b.ctrl("z")
	b.wait(`!document.querySelector(".board " + %q)`, tile(other))
	b.do(`document.querySelector("#search").focus()`)
	b.do(`const field = document.querySelector("#search"); field.value = "qqzzxx"; field.dispatchEvent(new Event("input", { bubbles: true }))`)
	b.wantText(".trayTiles", `Nothing here is called "qqzzxx".`)
	b.enter() // leads nowhere
	b.do(`const field = document.querySelector("#search"); field.value = ""; field.dispatchEvent(new Event("input", { bubbles: true }))`)
	b.wait(`document.querySelector("#tray-title").textContent.startsWith("Not placed") && !document.querySelector(".trayTiles " + %q)`, tile(item))
	b.clean()
}

func TestSearchFoods(t *testing.T) {
	b := open(t, chromium(t), demo(t).fake, desktop, "")
	b.settled()
	searchByKeys(t, b, "ramen", "rahmen", "ramen", "green te", "green-tea")
}

func TestSearchFilms(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	server, numbers := films(t)
	b := open(t, ctx, server.fake, desktop, "")
	b.settled()
	searchByKeys(t, b, "the godfather", "teh godfahter", numbers["The Godfather"], "Alien", numbers["Alien"])
}
