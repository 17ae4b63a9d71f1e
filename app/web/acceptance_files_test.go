package web_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// The acceptance list of the design, point by point; this file: undo, files, links.

func TestAcceptance09UndoEveryAct(t *testing.T) {
	t.Parallel()
	eachWorld(t, undoEveryAct)
}

func undoEveryAct(t *testing.T, w world) {
	b := open(t, chromium(t), w.serve(t), desktop, w.list)
	b.settled()
	best := w.tiers[0][0]
	menu := func(words string) func() {
		return func() {
			b.click(".spine")
			b.wait(`document.querySelector(".tierMenu")`)
			b.do(`[...document.querySelectorAll(".tierMenu > button")].find((e) => e.textContent === %q).click()`, words)
		}
	}
	file := func(words string) func() {
		return func() {
			b.click(".fileBox > button")
			b.wait(`document.querySelector(".menu")`)
			b.do(`[...document.querySelectorAll(".menu > button")].find((e) => e.textContent === %q).click()`, words)
		}
	}
	for _, act := range []struct {
		name string
		do   func()
	}{
		{"drop", func() { b.place(w.loose[0], 1) }},
		{"reorder", func() { b.focus(".board " + tile(best)); b.keys(" ", arrowRight, " ") }},
		{"back to the tray", func() { b.focus(".board " + tile(best)); b.keys("0") }},
		{"new tier", func() { b.focus(".board " + tile(best)); b.keys(" ", arrowUp, " ") }},
		{"hide", func() { b.focus(".next .row"); b.keys("h") }},
		{"add tier", func() { b.click(".addTier .quiet") }},
		{"move up", menu("Move down")},
		{"add above", menu("Add above")},
		{"send all to tray", menu("Send all to tray")},
		{"remove", menu("Remove")},
		{"colour", func() { b.click(".spine"); b.click(".swatch:nth-child(6)"); b.keys(kb.Escape) }},
		{"rename", func() {
			b.focus(".spine")
			b.keys(kb.F2)
			b.wait(`document.activeElement.matches(".tierMenu input")`)
			b.keys("X", "\r")
		}},
		{"title", func() {
			b.click(".title h1 button")
			b.wait(`document.activeElement.matches(".titleInput")`)
			b.keys("Y", "\r")
		}},
		{"clear", file("Clear the list")},
	} {
		b.settled() // an answer to the act before would draw anew what this one holds
		b.still()
		before := b.list()
		act.do()
		b.wait(`JSON.stringify(JSON.parse(localStorage.getItem("fubini.list.main")).list) !== %q /* %s */`, before, act.name)
		b.do(`document.activeElement.blur()`)
		b.ctrl("z")
		b.wait(`JSON.stringify(JSON.parse(localStorage.getItem("fubini.list.main")).list) === %q`, before)
		b.ctrl("z", kb.ModifierShift)
		b.wait(`JSON.stringify(JSON.parse(localStorage.getItem("fubini.list.main")).list) !== %q`, before)
		b.ctrl("z")
		b.wait(`JSON.stringify(JSON.parse(localStorage.getItem("fubini.list.main")).list) === %q`, before)
	}
	b.clean()
}

func TestAcceptance09ExportAndImport(t *testing.T) {
	t.Parallel()
	eachWorld(t, exportAndImport)
}

func exportAndImport(t *testing.T, w world) {
	b := open(t, chromium(t), w.serve(t), desktop, w.list)
	b.settled()
	name, table, placed := "films-i-have-seen", "csv", w.placed()
	if w.name == "foods" { // its people are made up, and every file says so
		name, table = "what-i-d-eat", "demo-world-synthetic-people.csv"
	}
	folder := t.TempDir()
	b.downloads(folder)
	export := func(words, name string) string {
		t.Helper()
		b.click(".fileBox > button")
		b.wait(`document.querySelector(".menu")`)
		b.do(`[...document.querySelectorAll(".menu > button")].find((e) => e.textContent === %q).click()`, words)
		if strings.HasSuffix(name, "png") {
			b.wantText(".sheet", "Export as picture")
			b.click(".sheet .filled")
		}
		file := filepath.Join(folder, name)
		for range 100 {
			if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
				return file
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("%s was never written", name)
		return ""
	}
	before := b.list()
	for _, file := range []string{export("Export as JSON", name+".json"), export("Export as CSV", name+"."+table)} {
		b.click(".fileBox > button")
		b.do(`[...document.querySelectorAll(".menu > button")].find((e) => e.textContent === "Clear the list").click()`)
		b.wait(`document.querySelectorAll(".board .tile").length === 0`)
		b.importFile(file)
		b.wantText(".sheet", fmt.Sprintf("%[1]d read, %[1]d known, 0 not in this catalogue", placed))
		b.click(".sheet .filled")
		b.wait(`document.querySelectorAll(".board .tile").length === %d`, placed)
		after := b.list()
		if strings.HasSuffix(file, ".json") && after != before {
			t.Errorf("export then import gives\n%s\nwant\n%s", after, before)
		}
		if got, want := itemsOf(t, after), itemsOf(t, before); got != want {
			t.Errorf("%s: export then import gives %s, want %s", file, got, want)
		}
		b.ctrl("z") // one step takes the import back
		b.wait(`document.querySelectorAll(".board .tile").length === 0`)
		b.ctrl("z")
		b.wait(`document.querySelectorAll(".board .tile").length === %d`, placed)
	}
	text, err := os.ReadFile(filepath.Join(folder, name+".json"))
	if err != nil || strings.Contains(string(text), "Demo world: synthetic people") != (w.name == "foods") {
		t.Errorf("the JSON of %s has the demo label, or lacks it: %v", w.name, err)
	}
	png := export("Export as picture…", name+".png")
	checkPNG(t, png, 2400)
	if folder := os.Getenv("FUBINI_PICTURES"); folder != "" {
		data, _ := os.ReadFile(png)
		_ = os.WriteFile(filepath.Join(folder, "export-"+w.name+".png"), data, 0o644)
	}
	b.clean()
}

// The zip of Letterboxd, with titles as Letterboxd writes them, in a large catalogue that writes them otherwise.
func TestImportLetterboxd(t *testing.T) {
	t.Parallel()
	films := manyFoods(700)
	for i, name := range []string{"Piano, The (1993)", "Seven (a.k.a. Se7en) (1995)", "Amélie (2001)", "Heat (1995)"} {
		films[690-i].Name = name // on the last page of the catalogue
	}
	file := filepath.Join(t.TempDir(), "letterboxd-me.zip")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	packed := zip.NewWriter(out)
	for name, text := range map[string]string{
		"profile.csv":         "Date Joined,Username\n2020-01-01,me\n",
		"deleted/ratings.csv": "Date,Name,Year,Letterboxd URI,Rating\n2024-01-01,Film number 3,,https://boxd.it/z,1\n",
		"ratings.csv": "Date,Name,Year,Letterboxd URI,Rating\n2024-01-01,The Piano,1993,https://boxd.it/a,5\n2024-01-02,Seven,1995,https://boxd.it/b,4.5\n2024-01-03,Amélie,2001,https://boxd.it/c,5\n" +
			"2024-01-04,Heat,1986,https://boxd.it/d,3\n2024-01-05,Heat,1995,https://boxd.it/e,2\n",
	} {
		w, err := packed.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(packed.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	b := open(t, chromium(t), serveFoods(t, films), desktop, "")
	b.settled()
	b.importFile(file)
	b.wantText(".sheet", "5 read, 4 known, 1 not in this catalogue")
	b.wantText(".missing", "Heat (1986)")
	b.picture("import")
	b.click(".sheet .filled")
	b.wait(`document.querySelectorAll(".board .tile").length === 4`)
	if got := itemsOf(t, b.list()); got != "film-690 film-688 | film-689 | film-687" {
		t.Errorf("imported %s", got)
	}
	b.wantText(".spine[data-tier=t2]", "4½")
	b.settled()
	b.picture("imported")
	b.ctrl("z")
	b.wait(`!document.querySelector(".board .tile")`)
	b.clean()
}

// A list that is pasted, and a file that is dropped; a name that several items fit is asked for.
func TestPasteAndDrop(t *testing.T) {
	t.Parallel()
	films := manyFoods(60)
	for i, name := range []string{"Sabrina (1954)", "Sabrina (1995)", "Matrix, The (1999)", "Alien (1979)", "Heat (1995)"} {
		films[i].Name = name
	}
	b := open(t, chromium(t), serveFoods(t, films), desktop, "")
	b.settled()
	b.click(".fileBox > button")
	b.do(`[...document.querySelectorAll(".menu > button")].find((e) => e.textContent === "Paste a list…").click()`)
	b.wait(`document.querySelector("textarea.pasted")`)
	b.focus("textarea.pasted")
	b.do(`(() => { const e = document.querySelector("textarea.pasted"); e.value = "S: the matrix, Sabrina\nA: Alein (1979), Zardoz"; e.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	b.do(`[...document.querySelectorAll(".sheet button")].find((e) => e.textContent === "Read").click()`)
	b.wantText(".sheet .counts", "4 read, 2 known (1 guessed), 1 not in this catalogue, 1 to choose")
	b.wantText(".choices", "Sabrina")
	b.wantText(".sheet", "Alein (1979) is Alien (1979)")
	b.picture("import-choices")
	b.do(`(() => { const e = document.querySelector(".choices select"); e.value = "film-1"; e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	b.wantText(".preview", "Sabrina (1995)")
	b.click(".sheet .filled")
	b.wait(`document.querySelectorAll(".board .tile").length === 3`)
	if got := itemsOf(t, b.list()); got != "film-2 film-1 | film-3" {
		t.Errorf("imported %s", got)
	}
	b.ctrl("z")
	b.wait(`!document.querySelector(".board .tile")`)

	// A drop anywhere, of an export from IMDb.
	const export = "Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors\\n" +
		"tt0133093,10,2021-03-04,The Matrix,The Matrix,,Movie,8.7,136,1999,Action,1,1999-03-31,X\\ntt0113277,7,2021-03-04,Heat,Heat,,Movie,8.3,170,1995,Crime,1,1995-12-15,Y\\ntt0000001,3,2021-03-04,Nothing at all,,,Movie,1,1,1950,,1,,\\n"
	b.do(`(() => { const data = new DataTransfer(); data.items.add(new File(["` + export + `"], "ratings.csv", { type: "text/csv" })); document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data })); })()`)
	b.wantText(".sheet .counts", "3 read, 2 known, 1 not in this catalogue")
	b.click(".sheet .filled")
	b.wait(`document.querySelectorAll(".board .tile").length === 2`)
	if got := itemsOf(t, b.list()); got != "film-2 | film-4" {
		t.Errorf("imported %s", got)
	}
	b.wait(`document.querySelectorAll(".next .tile, .next li").length > 0`)
	b.settled()
	b.picture("import-dropped")

	// Text pasted on the page itself.
	b.do(`(() => { const data = new DataTransfer(); data.setData("text/plain", "Heat\nAlien\n"); document.body.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, clipboardData: data })); })()`)
	b.wantText(".sheet .counts", "2 read, 2 known, 0 not in this catalogue")
	b.clean()
}

func TestAcceptance09ShareAndVisit(t *testing.T) {
	t.Parallel()
	eachWorld(t, shareAndVisit)
}

func shareAndVisit(t *testing.T, w world) {
	f := w.serve(t)
	b := open(t, chromium(t), f, desktop, w.list)
	b.settled()
	b.click(".share")
	b.wantText(".sheet", "Anyone with the link can look. Only this browser can change it.")
	b.click(".sheet .filled")
	b.wait(`document.querySelector("#share-link")?.value.includes("/list/")`)
	link := eval[string](b, `document.querySelector("#share-link").value`)
	b.keys(kb.Escape)
	b.wantText(".saved", "Saved with a link")
	mine := eval[string](b, "%s", board)

	visitor := newTab(t, chromium(t), f) // a clean profile
	visitor.device(desktop)
	visitor.visit(strings.TrimPrefix(link, f.URL))
	visitor.wantText(".title", w.title)
	visitor.wait(`document.querySelectorAll(".board .tile :is(.emoji, .year)").length === %d`, w.placed())
	if theirs := eval[string](visitor, "%s", board); theirs != mine {
		t.Errorf("the visitor sees\n%s\nwant\n%s", theirs, mine)
	}
	if eval[bool](visitor, `document.querySelector(".ghost, .tray, .addTier, .share") !== null`) {
		t.Error("the visitor sees more than the list")
	}
	visitor.lift(visitor.middle(".board "+tile(w.tiers[0][0])), visitor.middle(lane(3)))
	if eval[bool](visitor, `document.querySelector(".tile.held") !== null`) {
		t.Error("the visitor can lift a tile")
	}
	visitor.release(point{5, 5})
	visitor.axe("visitor", "document")
	visitor.picture("visitor-" + w.name)
	visitor.click(".copy")
	visitor.wait(`document.querySelectorAll(".board .tile").length === %d && document.querySelector(".tray")`, w.placed())

	// A change goes to the link by itself; one made elsewhere is never written over.
	b.place(w.loose[0], 0)
	b.wait(`document.querySelector(".saved").innerText === "Saving…"`)
	b.wantText(".saved", "Saved with a link")
	id := link[strings.LastIndex(link, "/")+1:]
	etag := f.changeList(t, id, eval[string](b, `JSON.parse(localStorage.getItem("fubini.list.main")).share.secret`), w.title, "Changed elsewhere")
	b.place(w.loose[1], 0)
	b.wantText(".conflict", "Changed in another tab")
	b.axe("conflict", "document")
	b.picture("state-conflict-" + w.name)
	if _, now, _ := f.readList(t, id); now != etag {
		t.Error("the other version was written over")
	}
	b.do(`[...document.querySelectorAll(".conflict button")].find((e) => e.textContent === "Take theirs").click()`)
	b.wantText(".title", "Changed elsewhere")
	b.click(".share")
	b.wait(`document.querySelector(".sheet .danger")`)
	b.click(".sheet .danger")
	b.wantText(".sheet", "Make a link")
	if status, _, _ := f.readList(t, id); status != http.StatusNotFound {
		t.Errorf("sharing has stopped, and the list is still there: %d", status)
	}
	b.clean()
}

// readList asks the server for a shared list.
func (f *fake) readList(t *testing.T, id string) (status int, etag, text string) {
	t.Helper()
	answer, err := http.Get(f.URL + "/v1/lists/" + id)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("ETag"), string(body)
}

// changeList gives a shared list another title, as its owner does from another device, and gives the new version.
func (f *fake) changeList(t *testing.T, id, secret, old, words string) string {
	t.Helper()
	_, etag, text := f.readList(t, id)
	var list map[string]any
	if err := json.Unmarshal([]byte(text), &list); err != nil || list["title"] != old {
		t.Fatalf("the title is not %q: %s %v", old, text, err)
	}
	list["title"] = words
	delete(list, "updated") // the server's own
	changed, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, f.URL+"/v1/lists/"+id, bytes.NewReader(changed))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "X-List-Secret": secret, "If-Match": etag} {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 || answer.Header.Get("ETag") == etag {
		t.Fatalf("the list was not changed: %s", answer.Status)
	}
	return answer.Header.Get("ETag")
}
