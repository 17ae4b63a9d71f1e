package web_test

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// itemsOf is the ids of a list, tier by tier, empty tiers left out.
func itemsOf(t *testing.T, list string) string {
	t.Helper()
	var parsed struct{ Tiers []struct{ Items []string } }
	if err := json.Unmarshal([]byte(list), &parsed); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, tier := range parsed.Tiers {
		if len(tier.Items) > 0 {
			rows = append(rows, strings.Join(tier.Items, " "))
		}
	}
	return strings.Join(rows, " | ")
}

func checkPNG(t *testing.T, name string, width int) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := picture.Bounds().Dx(); got != width {
		t.Errorf("the picture is %d px wide, want %d", got, width)
	}
}

// downloads lets the page save files into a folder.
func (b *tab) downloads(folder string) {
	b.t.Helper()
	params := browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID, DownloadPath: folder}
	if _, err := chromedp.CallBrowser(b.ctx, browser.SetDownloadBehavior, params); err != nil {
		b.t.Fatal(err)
	}
}

// importFile chooses a file as a person would.
func (b *tab) importFile(name string) {
	b.t.Helper()
	b.do(`HTMLInputElement.prototype.click = function () { if (this.type !== "file") HTMLElement.prototype.click.call(this); }`) // no system dialog
	b.click(".fileBox > button")
	b.wait(`document.querySelector(".menu")`)
	b.do(`[...document.querySelectorAll(".menu > button")].find((e) => e.textContent === "Import a list…").click()`)
	b.wait(`document.querySelector("#file-input")`)
	b.run(chromedp.SetUploadFiles("#file-input", []string{name}, chromedp.NodeReady))
}

func TestBadInputFiles(t *testing.T) {
	t.Parallel()
	b := open(t, chromium(t), newFake(t), desktop, sample)
	b.settled()
	before := b.list()
	folder := t.TempDir()
	for _, bad := range []struct{ name, text, want string }{
		{"broken.json", "{\"tiers\": [\n[\"ramen\",\n}", "broken.json, line 3: this is not JSON"},
		{"empty.csv", "", "empty.csv is empty"},
		{"other.csv", "colour,size\nred,3\n", "no form has the columns colour, size; understood are letterboxd"},
		{"odd.csv", "item,rating\nramen,best\n", `"best" is no number`},
		{"picture.png", "\x89PNG\r\n\x1a\n\x00\x00\xff\xfe", "picture.png: no format that is known"},
		{"films.zip", "PK\x03\x04 and nothing more", "films.zip: zip: not a valid zip file"},
		{"huge.csv", "item,tier\n" + strings.Repeat("ramen,1\n", 2_600_000), "huge.csv has 21 MB; a list has at most 16 MB"},
	} {
		file := filepath.Join(folder, bad.name)
		if err := os.WriteFile(file, []byte(bad.text), 0o644); err != nil {
			t.Fatal(err)
		}
		b.importFile(file)
		b.wantText(".sheet", bad.want)
		b.wantText(".sheet", "Nothing was changed.")
		b.click(".sheet .actions button")
	}
	if after := b.list(); after != before {
		t.Error("a bad file changed the list")
	}
	// A good one with strangers in it: they are named, and the rest comes in.
	file := filepath.Join(folder, "mixed.json")
	if err := os.WriteFile(file, []byte(`{"tiers":[{"name":"S","items":["cookie","<img src=x onerror=alert(1)>","ramen"]}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	b.importFile(file)
	b.wantText(".sheet", "3 read, 2 known, 1 not in this catalogue")
	b.wantText(".missing", "<img src=x onerror=alert(1)>")
	b.do(`[...document.querySelectorAll(".sheet button")].find((e) => e.textContent === "Cancel").click()`)
	if after := b.list(); after != before {
		t.Error("cancel changed the list")
	}
	b.clean()
}

// Names are text, whatever they look like.
func TestBadInputNames(t *testing.T) {
	t.Parallel()
	eachFont(t, func(t *testing.T, font string) {
		foods := readFoods(t)
		foods[0].Name = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
		foods[1].Name = "שווארמה \u202eevil"
		foods[2].Name = "كبسة"
		list := strings.Replace(strings.Replace(listOf("x", "ramen gyoza sushi", "pizza"), `"x"`, `"<b onmouseover=alert(1)>title</b>"`, 1), "S Every day", "<i>S<i> شاورما", 1)
		b := open(t, chromium(t), serveFoods(t, foods).in(font), desktop, list)
		b.settled()
		b.wantText(".board .tile", "<img src=x")
		b.wantText(".title", "<b onmouseover=alert(1)>title</b>")
		b.focus(".board .tile")
		b.keys("2")
		b.settled()
		b.click(".next .row")
		b.wantText(".whyCard", "Score")
		b.fits("odd names")
		if eval[bool](b, `window.hacked === 1 || document.querySelector("main img, main script, main b[onmouseover]") !== null`) {
			t.Error("a name was taken for markup")
		}
		b.picture("odd-names-" + font)
		b.clean()
	})
}

func TestBadInputStorageForbidden(t *testing.T) {
	t.Parallel()
	b := newTab(t, chromium(t), newFake(t))
	b.device(desktop)
	b.before(`for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });`)
	b.visit("/")
	b.settled()
	b.drag(".tray "+tile("ramen"), lane(0))
	b.wait(`document.querySelector(".lane[data-row='0'] [data-item=ramen]")`)
	b.wantText(".saved", "Not saved")
	b.ctrl("z")
	b.wait(`!document.querySelector(".board .tile")`)
	b.clean()
}

func TestBadInputStorageFull(t *testing.T) {
	t.Parallel()
	b := open(t, chromium(t), newFake(t), desktop, sample)
	b.settled()
	b.do(`let n = 1 << 20; while (n > 0) { try { localStorage.setItem("filler" + n, "x".repeat(n)); localStorage.setItem("more" + Math.random(), "x".repeat(n)); } catch { n >>= 1; } }`)
	b.drag(".tray "+tile("cookie"), lane(0))
	b.wait(`document.querySelector(".board [data-item=cookie]")`)
	b.wantText(".saved", "Not saved")
	b.do(`localStorage.clear()`) // room again: the next change saves everything
	b.drag(".tray "+tile("peach"), lane(0))
	b.wantText(".saved", "Saved on this device")
	if list := b.list(); !strings.Contains(list, "cookie") || !strings.Contains(list, "peach") {
		t.Errorf("lost: %s", list)
	}
	b.clean()
}

// One list in two tabs. What one does the other shows, without a question: it has nothing to lose. Only a tab that did
// something without having heard of the other is asked, and nothing is overwritten.
func TestBadInputTwoTabs(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"Keep mine", "Take theirs", "Save as copy"} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			b := open(t, chromium(t), newFake(t), desktop, sample)
			b.settled()
			other := sameProfile(b)
			other.device(desktop)
			other.visit("/")
			other.settled()
			other.place("apple", 1)
			b.wait(`document.querySelector(".board [data-item=apple]") && !document.querySelector(".conflict")`)
			b.place("banana", 1) // goes on from there
			other.wait(`document.querySelector(".board [data-item=banana]") && !document.querySelector(".conflict")`)
			b.deaf()
			other.place("cookie", 0)
			theirs := other.list()
			b.place("peach", 4)
			b.wantText(".conflict", "Changed in another tab")
			b.wantText(".saved", "Not saved")
			if now := b.list(); now != theirs {
				t.Errorf("their list was overwritten: %s", now)
			}
			b.do(`[...document.querySelectorAll(".conflict button")].find((e) => e.textContent === %q).click()`, answer)
			b.wait(`!document.querySelector(".conflict")`)
			b.wantText(".saved", "Saved on this device")
			mine := b.list()
			switch answer {
			case "Keep mine":
				if !strings.Contains(mine, "peach") || strings.Contains(mine, "cookie") {
					t.Errorf("keep mine kept %s", mine)
				}
				other.wantText(".conflict", "Changed in another tab")
			case "Take theirs":
				if strings.Contains(mine, "peach") || !strings.Contains(mine, "cookie") {
					t.Errorf("take theirs took %s", mine)
				}
				b.ctrl("z") // and mine is one undo away
				b.wait(`document.querySelector(".board [data-item=peach]")`)
			case "Save as copy":
				if now := other.list(); now != theirs || !strings.Contains(mine, "peach") || !strings.Contains(mine, "(copy)") {
					t.Errorf("save as copy gave %s beside %s", mine, now)
				}
				b.click(`[aria-label="Your lists"]`) // and both are in the switcher
				b.wait(`document.querySelectorAll(".menu .own-list").length === 2`)
			}
			b.clean()
		})
	}
}
