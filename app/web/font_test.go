package web_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"

	"fubini/app/web"
)

// fonts are the two that layouts are tested in: the page's own, and one a fifth wider where that is blocked. The widest
// of the fonts that stand in for it, DejaVu Sans, takes 7 % more room than ours as it is, and 17 % in bold (tools/pagefont).
var fonts = []string{"carried", "wide"}

// eachFont runs a test of a layout in both fonts.
func eachFont(t *testing.T, test func(t *testing.T, font string)) {
	t.Helper()
	for _, font := range fonts {
		t.Run(font, func(t *testing.T) {
			t.Parallel()
			test(t, font)
		})
	}
}

// in chooses the font that the page is shown in.
func (f *fake) in(font string) *fake {
	f.font = font
	return f
}

// wideStyle puts a font into the place of the page's own, the same for every machine: ours, a fifth larger in its widths.
const wideStyle = `@font-face { font-family: "Wide"; font-weight: 400 700; src: url("wide.woff2") format("woff2"); size-adjust: 120%; } :root { --font: "Inter", "Wide", sans-serif; }`

// wideFirst is the wide font until the page's own is there.
const wideFirst = "wide first"

// wideThere holds when the wide font is loaded.
const wideThere = `[...document.fonts].some((face) => face.family.replaceAll('"', "") === "Wide" && face.status === "loaded")`

// standIn is what the machine has in the measures of the page's font, where that is blocked.
const standIn = "stand-in"

// file sends a file of the page. Where the font is "wide" or a stand-in, the page's own are not to be had.
func (f *fake) file(w http.ResponseWriter, r *http.Request) {
	own := path.Ext(r.URL.Path) == ".woff2" && r.URL.Path != "/wide.woff2"
	if own && f.fontHold != nil {
		<-f.fontHold
	}
	switch {
	case r.URL.Path == "/wide.woff2":
		latin, err := latinFont()
		if err != nil {
			problem(w, http.StatusInternalServerError, err.Error())
			return
		}
		http.ServeFileFS(w, r, web.Files(), latin)
	case own && (f.font == "wide" || f.font == standIn):
		http.NotFound(w, r)
	case path.Ext(r.URL.Path) == ".css" && (f.font == "wide" || f.font == wideFirst):
		text, err := fs.ReadFile(web.Files(), r.URL.Path[1:])
		if err != nil {
			problem(w, http.StatusInternalServerError, err.Error())
			return
		}
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write(append(text, wideStyle...))
	case r.URL.Path == "/" && f.votes != nil:
		http.ServeFileFS(w, r, web.Files(), "votes.html")
	default:
		http.FileServerFS(web.Files()).ServeHTTP(w, r)
	}
}

// latinFont is the name of the file that every visitor loads: the one that index.html names.
func latinFont() (string, error) {
	html, err := fs.ReadFile(web.Files(), "index.html")
	if err != nil {
		return "", err
	}
	_, after, found := bytes.Cut(html, []byte(`<link rel="preload" href="`))
	name, _, closed := bytes.Cut(after, []byte(`"`))
	if !found || !closed {
		return "", fmt.Errorf("index.html preloads no font: %s", html)
	}
	return string(name), nil
}

// lettered waits until the font that the test asked for is the one that letters are drawn in.
func (b *tab) lettered() {
	b.t.Helper()
	there := strings.Replace(wideThere, "Wide", "Inter", 1)
	switch b.font {
	case "wide":
		there = wideThere
	case standIn:
		there = `[...document.fonts].some((face) => face.family.includes("Inter ") && face.status === "loaded")`
	}
	b.wait(`document.fonts.status === "loaded" && %s`, there)
}

// Letters of four alphabets come from the page's font, in every part of the page and at every weight, and only the files
// that a page needs are fetched.
func TestFontIsTheOneCarried(t *testing.T) {
	t.Parallel()
	latin, err := latinFont()
	if err != nil {
		t.Fatal(err)
	}
	f := newFake(t)
	b := open(t, chromium(t), f, desktop, sample)
	b.settled()
	b.click(".next .row")
	b.wantText(".whyCard tfoot", "Score")
	b.lettered()
	for _, selector := range []string{".brand", ".title h1", ".spine .big", ".spine .rest", ".tile .name", ".ghost .percent", ".ghost .name", ".row .itemName", ".row .percent", ".tray h2",
		"#search", ".select select", ".chips button", ".whyCard h2", ".whyCard .filled", ".odds .place", ".reasons tfoot th", ".record h2", "kbd"} {
		b.drawnIn(selector)
	}
	for _, file := range f.fontsSent() {
		if file != latin {
			t.Errorf("a page in English fetched %s", file)
		}
	}
	b.clean()

	foods := readFoods(t)
	foods[0].Name, foods[1].Name, foods[2].Name = "Żurek śląski", "Пельмени", "Μουσακάς"
	other := serveFoods(t, foods)
	b = open(t, chromium(t), other, desktop, listOf("Abroad", "ramen gyoza sushi", "pizza"))
	b.settled()
	b.lettered()
	for _, item := range []string{"ramen", "gyoza", "sushi"} {
		b.drawnIn(".board " + tile(item) + " .name")
	}
	if sent := other.fontsSent(); len(sent) != 4 {
		t.Errorf("Latin, its extension, Cyrillic and Greek are four files, fetched were %v", sent)
	}
	b.clean()
}

// drawnIn fails where a text is not drawn in the page's font alone.
func (b *tab) drawnIn(selector string) {
	b.t.Helper()
	call(b, dom.Enable, dom.EnableParams{})
	call(b, css.Enable, cdp.Empty{})
	root := call(b, dom.GetDocument, dom.GetDocumentParams{})
	node := call(b, dom.QuerySelector, dom.QuerySelectorParams{NodeID: root.Root.NodeID, Selector: selector})
	if node.NodeID == 0 {
		b.t.Errorf("nothing is %s", selector)
		return
	}
	drawn := call(b, css.GetPlatformFontsForNode, css.GetPlatformFontsForNodeParams{NodeID: node.NodeID})
	if len(drawn.Fonts) == 0 {
		b.t.Errorf("%s has no letters", selector)
	}
	for _, font := range drawn.Fonts {
		if !font.IsCustomFont || !strings.HasPrefix(font.FamilyName, "Inter") {
			b.t.Errorf("%s: %.0f letters are drawn in %s", selector, font.GlyphCount, font.FamilyName)
		}
	}
}

// fontsSent is the names of the font files that were asked for, each once.
func (f *fake) fontsSent() (names []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, request := range f.requests {
		if name := path.Base(request); path.Ext(name) == ".woff2" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// shifts sums up what moved on the page by itself: the score of the browser, 0.1 of which counts as good.
const shifts = `window.shifted = 0; window.shiftedBy = []; new PerformanceObserver((list) => {
	for (const entry of list.getEntries()) {
		shifted += entry.value;
		for (const { node, previousRect: a, currentRect: b } of entry.sources) shiftedBy.push((node?.className ?? node?.textContent) + " " + [a.x - b.x, a.y - b.y, a.width - b.width, a.height - b.height].map(Math.round));
	}
}).observe({ type: "layout-shift", buffered: true })`

// When the font arrives late, what stood in for it has its measures, and next to nothing moves.
func TestFontArrivesQuietly(t *testing.T) {
	t.Parallel()
	late := func(on screen, font string) (score float64, moved []string) {
		f := newFake(t).in(font)
		f.fontHold = make(chan struct{})
		arrive := sync.OnceFunc(func() { close(f.fontHold) })
		t.Cleanup(arrive)
		b := newTab(t, chromium(t), f)
		b.device(on)
		b.keep(sample)
		b.before(`window.addEventListener("DOMContentLoaded", () => { ` + shifts + ` })`)
		call(b, page.Navigate, page.NavigateParams{URL: b.URL}) // and do not wait: the page is not whole without its font
		b.wait(`document.querySelector(".ghost") && document.querySelector(".tray .tile")`)
		b.still()
		if font == wideFirst {
			b.do(`document.fonts.load("14px Wide")`) // while one font is awaited, the browser asks for no second one
			b.wait(wideThere)
			b.still()
		}
		b.do(`window.shifted = 0; window.shiftedBy = []`)
		if eval[bool](b, `[...document.fonts].some((face) => face.family === "Inter" && face.status === "loaded")`) {
			t.Error("the font was not late")
		}
		arrive()
		b.lettered()
		b.still()
		b.still() // entries come a frame later
		return eval[float64](b, `shifted`), eval[[]string](b, `shiftedBy`)
	}
	for _, on := range []screen{desktop, {width: 1024, height: 900, still: true}, phone} {
		score, moved := late(on, "carried")
		t.Logf("%d px: %.4f", on.width, score)
		if !(score <= 0.001) { // a hundredth of what counts as good
			t.Errorf("%d px: the font's arrival moves the page by %.4f: %s", on.width, score, moved)
		}
	}
	// The broken twin: what stands in has other measures.
	score, _ := late(desktop, wideFirst)
	t.Logf("from a wider font: %.4f", score)
	if !(score > 0.001) {
		t.Errorf("a font of other measures leaves, and the page moves by %.4f: the test sees nothing", score)
	}
}

// The picture of a list is lettered as the page is.
func TestFontOfThePicture(t *testing.T) {
	t.Parallel()
	foods := readFoods(t)
	foods[0].Name = "Żurek śląski"
	b := newTab(t, chromium(t), serveFoods(t, foods))
	b.device(desktop)
	b.keep(listOf("Abroad", "ramen gyoza", "pizza"))
	b.before(`window.drawn = []; const draw = CanvasRenderingContext2D.prototype.fillText;
		CanvasRenderingContext2D.prototype.fillText = function (words, ...at) { drawn.push([words, this.font, document.fonts.check(this.font.replace(/px.*/, "px Inter"), words)]); return draw.call(this, words, ...at); }`)
	b.downloads(t.TempDir())
	b.visit("/")
	b.settled()
	b.click(".fileBox > button")
	b.wait(`document.querySelector(".menu")`)
	b.do(`[...document.querySelectorAll(".menu > button")].find((e) => e.textContent === "Export as picture…").click()`)
	b.wantText(".sheet", "Export as picture")
	b.click(".sheet .filled")
	b.wait(`drawn.some(([words]) => words === "Żurek śląski")`)
	for _, words := range eval[[]string](b, `drawn.filter(([, font, ready]) => !/px "?Inter"?,/.test(font) || !ready).map(String)`) {
		t.Errorf("not in the page's font: %s", words)
	}
	b.clean()
}
