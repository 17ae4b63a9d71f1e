package web_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// shareList saves a list on the server as another browser would, and gives its link.
func shareList(t *testing.T, f *fake, id, title string, tiers ...string) string {
	t.Helper()
	var rows []string
	for k, tier := range tiers {
		items := []string{}
		for _, item := range strings.Fields(tier) {
			items = append(items, fmt.Sprintf("%q", item))
		}
		rows = append(rows, fmt.Sprintf(`{"name":%q,"colour":%q,"items":[%s]}`, string("SABCD"[k]), []string{"beet", "tomato", "apricot", "sage", "stone"}[k], strings.Join(items, ",")))
	}
	request, err := http.NewRequest("PUT", f.URL+"/v1/lists/"+id, strings.NewReader(fmt.Sprintf(`{"title":%q,"tiers":[%s]}`, title, strings.Join(rows, ","))))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-List-Secret", "a-secret-of-some-length")
	request.Header.Set("If-None-Match", "*")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusCreated && answer.StatusCode != http.StatusPreconditionFailed { // made by an earlier run
		said, _ := io.ReadAll(answer.Body)
		t.Fatalf("%s: %s", answer.Status, said)
	}
	return f.URL + "/list/" + id
}

// fetched is an answer of the server, with its kind.
func fetched(t *testing.T, address string) (kind, text string) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 {
		t.Fatalf("%s: %s %v", address, answer.Status, err)
	}
	return answer.Header.Get("Content-Type"), string(body)
}

// A shared link has what other sites show of it. Its visitor compares the list with their own: what both placed adds up, one
// list of both has what each said, and what would please both is sorted by its number. A second friend comes in by a link.
func compareLists(t *testing.T, f *fake, name string, mine, theirs, third []string, on screen) {
	t.Helper()
	link := shareList(t, f, "the-list-of-a-friend-"+name, "Friend's <list>", theirs...)
	kind, document := fetched(t, link)
	if !strings.HasPrefix(kind, "text/html") || !strings.Contains(document, `property="og:title" content="Friend&#39;s &lt;list&gt;"`) || !strings.Contains(document, `property="og:image" content="`+link+`/picture.png"`) || !strings.Contains(document, `src="/app.js"`) {
		t.Errorf("the link shows %s", document[:min(len(document), 1500)])
	}
	if kind, image := fetched(t, link+"/picture.png"); kind != "image/png" || !strings.HasPrefix(image, "\x89PNG") || len(image) < 4000 {
		t.Errorf("the picture is %s of %d bytes", kind, len(image))
	}
	b := newTab(t, chromium(t), f)
	b.device(on)
	b.keep(listOf("Mine", mine...))
	b.visit("/list/the-list-of-a-friend-" + name)
	b.wait(`document.querySelector(".copy") && location.hash === "#/list/the-list-of-a-friend-%s"`, name)
	b.do(`[...document.querySelectorAll("a")].find((e) => e.textContent === "Compare with mine").click()`)
	b.wantText(".summary h2", "You and Friend's <list> placed")
	shares := eval[[]int](b, `[...document.querySelectorAll(".shares b")].map((e) => Number(e.textContent))`)
	table := eval[int](b, `[...document.querySelectorAll(".tiersTable td")].reduce((n, e) => n + (Number(e.textContent) || 0), 0)`)
	of := eval[int](b, `Number(/placed (\d+) of/.exec(document.querySelector(".summary h2").textContent)[1])`)
	sum := 0
	for _, n := range shares {
		sum += n
	}
	if sum != of || table != of || of < 5 {
		t.Errorf("%d in common, %v in the bar, %d in the table", of, shares, table)
	}
	b.wait(`document.querySelectorAll(".common tbody tr").length > 5 && document.querySelectorAll(".please li").length === 6`)
	if all := eval[[]int](b, `[...document.querySelectorAll(".please li > b:last-child")].map((e) => parseInt(e.textContent.replace("<", "")))`); all[0] < all[5] {
		t.Errorf("what would please all is sorted %v", all)
	}
	b.axe("together", "document")
	b.fits("together")
	b.picture(fmt.Sprintf("together-%s-%d", name, on.width))
	second := shareList(t, f, "the-list-of-a-guest-"+name, "Guest", third...)
	b.focus(".addFriend input")
	b.do(`const field = document.querySelector(".addFriend input"); field.value = "no link"; field.form.requestSubmit()`)
	b.wantText(".addFriend", "That is no link of a list")
	b.do(`const field = document.querySelector(".addFriend input"); field.value = %q; field.form.requestSubmit()`, second)
	b.wantText(".common h2", "All 3, one list")
	b.wait(`document.querySelectorAll(".person").length === 3`)
	b.do(`[...document.querySelectorAll(".person")].at(-1).click()`)
	b.wantText(".few", "Too few to compare: 1 of the same.")
	b.do(`document.querySelector(".few button").click()`)
	b.wait(`document.querySelector(".board") && document.querySelectorAll(".trayTiles .tile").length === %d`, len(strings.Fields(strings.Join(third, " ")))-1)
	b.visit("/?again#/together")
	b.wantText(".common h2", "All 3, one list") // friends are remembered
	b.do(`[...document.querySelectorAll(".common button")].find((e) => e.textContent === "Make it a board").click()`)
	b.wait(`document.querySelectorAll(".board .tile").length > 5`)
	if kept := eval[int](b, `Object.keys(localStorage).filter((key) => key.startsWith("fubini.list.")).length`); kept != 2 {
		t.Errorf("%d lists after making one of all, want two: one's own stays", kept)
	}
	b.clean()
}

func TestTogetherFoods(t *testing.T) {
	compareLists(t, demo(t).fake, "foods",
		[]string{"ramen pizza", "sushi mango", "broccoli chips", "croissant", "olives lemonade"},
		[]string{"pizza mango", "ramen", "olives chips", "croissant sushi", "broccoli cheesecake"},
		[]string{"", "burger", "pho ramen", "", "bagel"}, desktop)
}

func TestTogetherFilms(t *testing.T) {
	t.Parallel()
	server, numbers := films(t)
	named := func(tiers ...string) (out []string) {
		for _, tier := range tiers {
			var ids []string
			for title := range strings.SplitSeq(tier, "|") {
				if title != "" && numbers[title] == "" {
					t.Fatalf("%q is no film of the world", title)
				}
				ids = append(ids, numbers[title])
			}
			out = append(out, strings.Join(ids, " "))
		}
		return out
	}
	compareLists(t, server.fake, "films", named(seen...), named("The Matrix|Alien", "Titanic|Heat|Speed", "Fargo|Die Hard", "The Godfather|Skyfall", "Armageddon|Goodfellas"),
		named("", "Up", "Toy Story|Alien", "", "Se7en"), phone)
}
