package web_test

import (
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	leaderboard "fubini/use/board"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// openVotes shows the page of a fit.
func openVotes(t *testing.T, v *votes, on screen, path string) *tab {
	t.Helper()
	b := newTab(t, chromium(t), serveVotes(t, v))
	b.device(on)
	b.visit(path)
	b.wait(`document.querySelector(".votes:not([aria-busy=true]) .panel")`)
	return b
}

// laptop is the window of the design's picture.
var laptop = screen{width: 1280, height: 900, density: 1, still: true}

// drawnRow is a row as a person reads it.
type drawnRow struct {
	Item     string
	Tier     int
	Low      int
	High     int
	At, From float64 // the point and the left end of the interval, in pixels
	To       float64
}

const drawnRows = `(() => {
	let tier = 0;
	return [...document.querySelectorAll(".voteRow")].map((row) => {
		const cell = row.querySelector(".tierCell");
		if (cell) tier = Number(cell.textContent);
		const [low, high = low] = row.querySelector(".rankCell").textContent.split("–").map(Number);
		const dot = row.querySelector(".worthDot").getBoundingClientRect(), line = row.querySelector(".plot > .whisker").getBoundingClientRect();
		return { Item: row.dataset.item, Tier: tier, Low: low, High: high, At: dot.left + dot.width / 2, From: line.left, To: line.right };
	});
})()`

// The rules of the design, on the rows that are drawn: no two of a tier are told apart, and a rank's interval leaves out
// exactly the items told apart. The places on the axis are in proportion to the worths.
func TestBoardRules(t *testing.T) {
	t.Parallel()
	v := arena()
	b := openVotes(t, v, laptop, "/")
	if n := eval[int](b, `document.querySelectorAll(".voteRow").length`); n != 19 {
		t.Errorf("%d rows at first, want the whole tiers of the design's 19", n)
	}
	b.wantText(".voteFoot", "19 of 129. Show all")
	b.click(".voteFoot .link")
	b.wait(`document.querySelectorAll(".voteRow").length === 129`)
	for _, level := range []float64{0.95, 0.8} {
		if level != 0.95 {
			b.do(`const e = document.querySelectorAll(".voteBar select")[0]; e.value = "%g"; e.dispatchEvent(new Event("change", { bubbles: true }))`, level)
			b.wantText(".voteTitle", "80% certainty")
			b.wait(`location.hash.includes("level=0.8")`)
		}
		truth, err := v.board(level)
		if err != nil {
			t.Fatal(err)
		}
		rows := eval[[]drawnRow](b, "%s", drawnRows)
		number := map[string]int{}
		for i, name := range v.names {
			number[name] = i
		}
		for k, row := range rows {
			i := number[row.Item]
			above, below := 1, len(rows)
			for l, other := range rows {
				apart := truth.Apart(i, number[other.Item])
				if apart && other.Tier == row.Tier {
					t.Errorf("level %g: %s and %s are told apart and stand in tier %d", level, row.Item, other.Item, row.Tier)
				}
				if apart && l < k {
					above++
				} else if apart {
					below--
				}
			}
			if row.Low != above || row.High != below {
				t.Errorf("level %g: rank of %s is drawn %d to %d, want %d to %d", level, row.Item, row.Low, row.High, above, below)
			}
			if k > 0 && (row.Tier < rows[k-1].Tier || v.worths[i] > v.worths[number[rows[k-1].Item]]) {
				t.Errorf("%s stands below %s", row.Item, rows[k-1].Item)
			}
		}
		scale := (rows[0].At - rows[128].At) / (truth.Rows[0].Worth - truth.Rows[128].Worth) // pixels a unit of worth
		for k, row := range rows {
			r := truth.Rows[k]
			for _, c := range []struct{ got, want float64 }{{row.At - rows[0].At, r.Worth - truth.Rows[0].Worth}, {row.To - row.From, r.High - r.Low}} {
				if !(math.Abs(c.got-scale*c.want) <= 1) { // pixels; a stroke has square ends
					t.Errorf("%s: drawn %.2f px, want %.2f", row.Item, c.got, scale*c.want)
				}
			}
		}
	}
	b.clean()
}

// Enter marks A, then B; Shift and Enter swap; the address has the pair, and a link to it shows the same.
func TestBoardPairByKeys(t *testing.T) {
	t.Parallel()
	b := openVotes(t, arena(), laptop, "/")
	b.wantText(".onePair", "claude-3-5-sonnet") // the first two, at first
	b.focus(`[data-stop="gpt-4o-2024-05-13"]`)
	b.keys(kb.ArrowDown, kb.ArrowDown)
	b.keys(kb.Enter)
	b.wait(`document.querySelectorAll(".voteRow.marked").length === 1`)
	b.wantText("#live", "gemini-1.5-pro-0514 is A. Choose B.")
	b.keys(kb.End)
	b.keys(kb.Enter)
	b.wantText("#live", "gemini-1.5-pro-0514 is A, mixtral-8x22b-instruct is B.")
	b.wantText(".pairFacts", "Difference of worths\n0.64 ± ")
	before := eval[[]int](b, `[...document.querySelectorAll(".fitted .segments span")].map((e) => Number(e.dataset.percent))`)
	call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Modifiers: 8}) // Shift; as in enter, no character follows
	b.wantText("#live", "Swapped: mixtral-8x22b-instruct is A, gemini-1.5-pro-0514 is B.")
	b.wantText(".pairFacts", "Difference of worths\n−0.64 ± ")
	after := eval[[]int](b, `[...document.querySelectorAll(".fitted .segments span")].map((e) => Number(e.dataset.percent))`)
	slices.Reverse(after)
	if !slices.Equal(before, after) {
		t.Errorf("swapped, %v became %v read backwards", before, after)
	}
	if focus := eval[string](b, `document.activeElement.dataset.stop`); focus != "mixtral-8x22b-instruct" {
		t.Errorf("focus is on %q", focus)
	}
	b.keys(kb.Tab) // leaves the rows: they are one stop
	if inside := eval[bool](b, `document.activeElement.closest(".voteRow") !== null`); inside {
		t.Error("Tab goes from row to row")
	}
	link := eval[string](b, `location.hash`)
	b.visit("/#/fit")
	b.visit("/")
	b.visit("/" + link)
	b.wantText(".onePair", "mixtral-8x22b-instruct")
	b.wantText(".pairFacts", "yes, tiers")
	b.clean()
}

// Shares add up to 100, in both bars; the pair that is off says so; who never met has the fit alone.
func TestBoardPair(t *testing.T) {
	t.Parallel()
	v := arena()
	v.met = func(i, j int) int {
		if i == 0 && j == 2 {
			return 0
		}
		return 500
	}
	b := openVotes(t, v, laptop, "/")
	for _, other := range []int{1, 3, 9, 60, 128} {
		b.do(`location.hash = "#/?a=%s&b=%s"`, v.names[0], v.names[other])
		b.wait(`document.querySelector(".onePair").innerText.includes(%q) && document.querySelector(".pairFacts dd")`, v.names[other])
		for _, kind := range []string{"counted", "fitted"} {
			parts := eval[[]int](b, `[...document.querySelectorAll(".onePair .%s .segments span")].map((e) => Number(e.dataset.percent))`, kind)
			if len(parts) != 3 || parts[0]+parts[1]+parts[2] != 100 {
				t.Errorf("%s against %s, %s: %v", v.names[0], v.names[other], kind, parts)
			}
			said := b.text(".onePair ." + kind)
			for _, part := range parts {
				if want := fmt.Sprintf("%d%%", part); !strings.Contains(said, want) && !(kind == "fitted" && part == 0 && strings.Contains(said, "<1%")) {
					t.Errorf("%s: %q does not have %s", kind, said, want)
				}
			}
		}
		want := "as expected, p 0.42"
		if other == v.off[1] {
			want = "further off than chance, p below 0.001"
		}
		b.wantText(".onePair", want)
	}
	b.do(`location.hash = "#/?a=%s&b=%s"`, v.names[0], v.names[2])
	b.wantText(".onePair", "Never met. Fitted only.")
	if eval[bool](b, `document.querySelector(".onePair .counted") !== null || document.querySelector(".onePair").innerText.includes("Counted votes")`) {
		t.Error("a pair that never met has counts")
	}
	b.clean()
}

// Where votes are longer lists, counts stand beside what is expected in the same votes, and a vote on the two alone below.
func TestBoardPairOfLists(t *testing.T) {
	t.Parallel()
	v := arena()
	v.longer = true
	b := openVotes(t, v, laptop, "/")
	b.do(`location.hash = "#/?a=%s&b=%s"`, v.names[9], v.names[2]) // from the side of the second
	b.wait(`document.querySelector(".pairFacts dd")`)
	b.wantText(".onePair", "Expected, in the same votes")
	b.wantText(".onePair", "Fitted, in a vote on the two alone")
	first := eval[[]int](b, `[...document.querySelectorAll(".onePair .fitted")].map((e) => Number(e.querySelector(".segments span").dataset.percent))`)
	p, e := v.pair(9, 2), v.expected(9, 2)
	if n := e[0] + e[1] + e[2]; len(first) != 2 || math.Abs(float64(first[0])-100*e[0]/n) > 1 || math.Abs(float64(first[1])-100*p[0]) > 1 {
		t.Errorf("bars begin with %v %%, expected %g of %g, fitted %g", first, e[0], n, p[0])
	}
	b.do(`location.hash = "#/pairs"`)
	b.wait(`document.querySelector(".matrixBox, .pictureBox")`)
	b.do(`[...document.querySelectorAll(".pairsPanel button")].find((e) => e.textContent === "Show as table").click()`)
	b.wantText(".pairsPanel", "Expected in these votes")
	b.clean()
}

func TestBoardRaters(t *testing.T) {
	t.Parallel()
	none := openVotes(t, arena(), laptop, "/")
	none.wantText(".voteSide", "Fitted without raters")
	if eval[bool](none, `document.querySelector("[role=switch], .diamond") !== null`) {
		t.Error("a second taste without raters")
	}
	none.clean()

	v := arena()
	v.change = twoTastes
	b := openVotes(t, v, laptop, "/")
	b.wantText(".voteSide", "Two tastes explain the votes better than one board")
	b.wantText(".voteSide", "First taste 71%")
	b.wantText(".voteSide", "Second taste 29%")
	b.wantText(".voteSide", "claude-3-5-sonnet\n+0.13")
	b.wantText(".voteSide", "Without the 1% most telling, 1 of 8 ranks changes.")
	b.wantText(".voteSide", "The loss of about 1,234 votes would put")
	if n := eval[int](b, `document.querySelectorAll(".voteRow .diamond").length`); n != 8 {
		t.Errorf("%d diamonds, want one for each of the 8 items that differ", n)
	}
	b.click("[role=switch]")
	b.wait(`document.querySelector("[role=switch][aria-checked=false]") && !document.querySelector(".diamond")`)
	b.clean()

	v = arena()
	v.change = func(r *leaderboard.Report) {
		twoTastes(r)
		r.Tastes.Gain, r.Tastes.Enough = -0.001, true
		r.Influence.Fewest = true
	}
	enough := openVotes(t, v, laptop, "/")
	enough.wantText(".voteSide", "One board is enough")
	enough.wantText(".voteSide", "The loss of 1,234 votes would put")
	enough.wantText(".voteSide", "; one vote less would not.")
	enough.wait(`document.querySelector("[role=switch][aria-checked=false]") && !document.querySelector(".diamond")`)
}

// Search marks and scrolls; nothing is left out.
func TestBoardSearch(t *testing.T) {
	t.Parallel()
	b := openVotes(t, arena(), laptop, "/")
	b.do(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true }))`) // without the character, which a real keyboard does not send either
	b.wait(`document.activeElement.id === "search"`)
	b.keys("CLAUDE")
	b.wait(`document.querySelectorAll(".voteRow.hit").length === 4 && document.querySelectorAll(".voteRow").length === 19`)
	b.wantText("#live", "4 found. claude-3-5-sonnet, rank")
	b.wait(`document.querySelector(".voteRow.here")?.dataset.item === "claude-3-5-sonnet"`)
	b.enter()
	b.wait(`document.querySelector(".voteRow.here")?.dataset.item === "claude-3-opus"`)
	b.keys(kb.Escape)
	b.wait(`!document.querySelector(".voteRow.hit")`)
	b.keys("model-77")
	b.wait(`document.querySelectorAll(".voteRow").length === 129`) // it is further down
	b.still()
	b.wait(`(() => { const r = document.querySelector(".voteRow.here").getBoundingClientRect(); return r.top > 90 && r.bottom < innerHeight; })()`)
	if top := eval[float64](b, `document.querySelector(".voteTable thead th").getBoundingClientRect().top`); !(math.Abs(top-56) <= 1) {
		t.Errorf("the axis is at %.0f px, want below the header", top)
	}
	b.keys(kb.Escape, "nothing of this name")
	b.wantText("#live", "Nothing found.")
	b.clean()
}

func TestBoardScales(t *testing.T) {
	t.Parallel()
	b := openVotes(t, arena(), laptop, "/")
	for name, want := range map[string]string{"elo": "1264 ±3", "chance": "82.1% ±0.2", "worth": "1.52 ±0.02"} { // 1000 + 400 log10(e) 1.52; 1 / (1 + exp(-1.52))
		b.do(`const e = document.querySelectorAll(".voteBar select")[1]; e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true }))`, name)
		b.wantText(".voteRow .worthCell", want)
	}
	b.clean()
}

// Votes that leave the scale open are said in place of the facts, with the remedy.
func TestBoardWarning(t *testing.T) {
	t.Parallel()
	v := arena()
	v.met = func(i, j int) int {
		if (i < 100) != (j < 100) {
			return 0
		}
		return 500
	}
	prior := 0.5
	v.change = func(r *leaderboard.Report) { r.Prior = &prior }
	b := openVotes(t, v, laptop, "/")
	b.wantText(".voteWarning", "No vote compares these groups: gpt-4o-2024-05-13, claude-3-5-sonnet and 98 more; older-model-")
	b.wantText(".voteWarning", "Remedy: votes between the groups")
	if eval[bool](b, `document.querySelector(".voteFacts") !== null`) {
		t.Error("the strip is there beside the warning")
	}
	b.axe("warning", "document")
	b.clean()
}

func TestBoardMatrix(t *testing.T) {
	t.Parallel()
	v := arena()
	b := openVotes(t, v, laptop, "/#/pairs")
	b.wait(`document.querySelectorAll(".matrix td").length === 19 * 19`)
	for _, pair := range [][2]int{{0, 1}, {1, 0}, {3, 17}} {
		got := eval[string](b, `document.querySelector(".matrix [data-stop='%d %d']").textContent`, pair[0], pair[1])
		if want := fmt.Sprint(math.Round(100 * v.pair(pair[0], pair[1])[0])); got != want {
			t.Errorf("cell %v is %s, want %s", pair, got, want)
		}
	}
	b.focus(".matrix [data-stop='0 0']")
	b.keys(kb.ArrowDown, kb.ArrowRight, kb.ArrowRight)
	b.keys(kb.Enter)
	b.wantText(".onePair", "gemini-1.5-pro-0514")
	b.wait(`document.querySelector(".matrix [aria-pressed=true]")?.dataset.stop === "1 2"`)
	b.picture("votes-pairs")
	b.axe("matrix", "document")
	b.click(".voteFoot .link")
	b.wait(`document.querySelector("canvas")?.width > 300`)
	b.focus("canvas")
	b.keys(kb.ArrowDown, kb.ArrowRight)
	b.wantText(".readout", "claude-3-5-sonnet wins against gemini-1.5-pro-0514: ")
	b.wantText("#live", "claude-3-5-sonnet wins against")
	b.still()
	b.picture("votes-pairs-all")
	b.axe("picture", "document")
	b.do(`document.querySelector(".pairsPanel > header .link").click()`)
	b.wait(`document.querySelectorAll(".plainTable tbody tr").length === 128`)
	b.axe("table", "document")
	b.clean()
}

func TestBoardFit(t *testing.T) {
	t.Parallel()
	b := openVotes(t, arena(), screen{width: 1280, height: 1500, still: true}, "/#/fit")
	b.wait(`document.querySelector(".chart.square .ringMark")`)
	b.wantText(".fitGrid", "14,504 on 6,663 degrees")
	b.wantText(".fitGrid", "nu")
	b.wantText(".fitGrid", "20.4%")
	first := b.text(".fitGrid .panel:last-child tbody tr")
	if !strings.Contains(first, "gpt-4o-2024-05-13") || !strings.Contains(first, "gpt-4-turbo-2024-04-09") {
		t.Errorf("the pair that is off is not the first of the residuals: %s", first)
	}
	b.still()
	b.picture("votes-fit")
	b.axe("fit", "document")
	b.clean()
}

// Light, dark and on a phone: nothing serious for axe, no sideways scroll, no text on another; the pictures.
func TestBoardLooks(t *testing.T) {
	t.Parallel()
	for _, on := range []struct {
		name string
		screen
	}{
		{"votes-board", laptop}, {"votes-dark", screen{width: 1280, height: 900, dark: true, still: true}}, {"votes-1024", screen{width: 1024, height: 900, still: true}},
		{"votes-768", screen{width: 768, height: 900, still: true}}, {"votes-phone", screen{width: 375, height: 812, density: 2, touch: true, still: true}},
		{"votes-phone-dark", screen{width: 375, height: 812, density: 2, touch: true, dark: true, still: true}}, {"votes-320", screen{width: 320, height: 640, touch: true, still: true}},
		{"votes-landscape", screen{width: 740, height: 360, touch: true, still: true}},
	} {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			v := arena()
			v.change = twoTastes
			b := openVotes(t, v, on.screen, "/#/?a=claude-3-5-sonnet&b=llama-3-70b-instruct")
			b.wait(`document.querySelector(".onePair .fitted")`)
			b.fits(on.name)
			b.axe(on.name, "document")
			b.picture(on.name)
			if rows := eval[int](b, `[...document.querySelectorAll(".voteRow")].filter((e) => { const r = e.getBoundingClientRect(); return r.bottom <= innerHeight && document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)?.closest(".voteRow") === e; }).length`); rows < 3 {
				t.Errorf("%d rows of the board are in view", rows)
			}
			if on.width < 400 {
				b.tap(".pairBar button")
				b.wait(`document.activeElement.id === "pair" && document.activeElement.getBoundingClientRect().top < 120`)
				b.still()
				b.picture(on.name + "-pair")
			}
			for _, view := range []string{"pairs", "fit"} {
				b.visit("/#/" + view)
				b.wait(`document.querySelector(".matrix, .chart.square")`)
				b.fits(on.name + " " + view)
				if on.dark {
					b.axe(on.name+" "+view, "document")
				}
			}
			b.clean()
		})
	}
}

// The layout bears a wider font, and the names and worths of a board whose numbers are long.
func TestBoardInAWideFont(t *testing.T) {
	t.Parallel()
	v := arena()
	v.change = twoTastes
	b := newTab(t, chromium(t), serveVotes(t, v).in("wide"))
	on := laptop
	for _, on.width = range []int{1280, 1024, 768, 375, 320} {
		on.touch = on.width < 768
		b.device(on)
		for _, view := range []string{"", "pairs", "fit"} {
			b.visit("/#/" + view + "?scale=chance&a=gemini-1.5-flash-0514&b=mixtral-8x22b-instruct")
			b.wait(`document.querySelector(%q)`, map[string]string{"": ".onePair .fitted", "pairs": ".matrix", "fit": ".chart.square"}[view])
			b.fits(fmt.Sprint(view, " ", on.width))
		}
		b.picture(fmt.Sprint("votes-wide-", on.width))
	}
	b.clean()
}

// Files and the link: what is downloaded is what the server sent.
func TestBoardFiles(t *testing.T) {
	t.Parallel()
	b := openVotes(t, arena(), laptop, "/")
	b.do(`window.saved = {}; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved[blob.type] = text; }); return make(blob); }; HTMLAnchorElement.prototype.click = function () { window.saved.name = this.download; }`)
	for _, c := range []struct{ entry, kind, name string }{{".menu button:nth-child(1)", "text/csv", "votes-board.csv"}, {".menu button:nth-child(2)", "application/json", "votes-board.json"}} {
		b.click(".fileBox > button")
		b.click(c.entry)
		b.wait(`window.saved[%q] && window.saved.name === %q`, c.kind, c.name)
	}
	lines := strings.Split(eval[string](b, `window.saved["text/csv"]`), "\r\n")
	if len(lines) != 131 || lines[0] != "item,name,worth,std_err,low,high,quasi,rank,rank_low,rank_high,tier" || !strings.HasPrefix(lines[1], "gpt-4o-2024-05-13,,1.52,0.008,") {
		t.Errorf("%d lines of CSV: %q, %q", len(lines), lines[0], lines[1])
	}
	if n := eval[int](b, `JSON.parse(window.saved["application/json"]).items.length`); n != 129 {
		t.Errorf("%d items in JSON", n)
	}
	b.do(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	b.click(".share")
	b.wait(`window.copied === location.href`)
	b.wantText(".toast", "Link copied.")
	b.clean()
}

// A server that is gone leaves what is shown, and the page says so.
func TestBoardWithoutItsServer(t *testing.T) {
	t.Parallel()
	b := openVotes(t, arena(), laptop, "/")
	b.wantText(".onePair", "Told apart")
	b.Close()
	b.do(`const e = document.querySelectorAll(".voteBar select")[0]; e.value = "0.8"; e.dispatchEvent(new Event("change", { bubbles: true }))`)
	b.wantText(".toast", "The server does not answer. What you see is from before.")
	b.wait(`document.querySelectorAll(".voteBar select")[0].value === "0.95" && document.querySelectorAll(".voteRow").length === 19`)
	b.click(".voteRow:nth-child(4)")
	b.click(".voteRow:nth-child(5)")
	b.wantText(".onePair", "The server does not answer.")
}

// A server that asks for a key gets one; one without a board says so.
func TestBoardKeyAndNone(t *testing.T) {
	t.Parallel()
	f := serveVotes(t, arena())
	f.key = "good-key"
	b := newTab(t, chromium(t), f)
	b.device(laptop)
	b.visit("/")
	b.wantText(".sheet", "This server asks for an API key")
	b.focus("#api-key")
	b.keys("bad-key", kb.Enter)
	b.wantText(".sheet", "does not accept this key")
	b.focus("#api-key")
	b.do(`document.querySelector("#api-key").select()`)
	b.keys("good-key", kb.Enter)
	b.wantText(".voteFoot", "19 of 129")

	none := newTab(t, chromium(t), newFake(t))
	none.device(laptop)
	none.visit("/votes.html")
	none.wantText(".message", "This server has no votes")
	none.clean()
}

// With the real program: what fit prints is what the page of the kept fit draws, and votes that leave the scale open are
// said on it.
func TestBoardOfAFit(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	folder := t.TempDir()
	file, model := filepath.Join(folder, "ciders.csv"), filepath.Join(folder, "ciders.safetensors")
	serve := func(votes string, flags ...string) (*tab, string) {
		if err := os.WriteFile(file, []byte("model_a,model_b,winner,votes\n"+votes), 0o600); err != nil {
			t.Fatal(err)
		}
		printed := fubini(t, append([]string{"fit", file, "--save", model, "--format", "csv", "--quiet"}, flags...)...)
		p := start(t, "serve", model, "--addr", "127.0.0.1:0", "--db", "sqlite:"+filepath.Join(t.TempDir(), "lists.db"))
		b := newTab(t, ctx, p.fake)
		b.device(laptop)
		b.visit("/")
		b.wait(`document.querySelector(".voteRow")`)
		return b, printed
	}
	joined := "Ashmead,Bramley,model_a,240\nAshmead,Bramley,model_b,130\nAshmead,Bramley,tie,80\nBramley,Cox,Bramley,150\nBramley,Cox,Cox,140\nBramley,Cox,tie,60\n"
	b, printed := serve(joined, "--ties", "common")
	b.wantText("h1", "Ciders, ranked by votes")
	b.wantText(".voteFacts > :nth-child(1)", "800")
	b.wantText(".voteFacts > :nth-child(2)", "items, all connected")
	want := []string{}
	for line := range strings.Lines(printed) {
		if cells := strings.Split(line, ","); cells[0] != "item" {
			worth, err := strconv.ParseFloat(cells[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, strings.Replace(fmt.Sprintf("%s %.2f", cells[0], worth), "-", "−", 1))
		}
	}
	got := eval[[]string](b, `[...document.querySelectorAll(".voteRow")].map((row) => row.dataset.item + " " + row.querySelector(".worth b").textContent)`)
	if !slices.Equal(got, want) {
		t.Errorf("drawn %q, printed %q", got, want)
	}
	b.wantText(".onePair", "Counted, 450 votes") // Ashmead and Bramley
	b.do(`location.hash = "#/?a=Ashmead&b=Cox"`)
	b.wantText(".onePair", "Never met. Fitted only.")
	for _, view := range []string{"pairs", "fit"} {
		b.do(`location.hash = "#/%s"`, view)
		b.wait(`document.querySelector(".matrix, .chart.square")`)
	}
	b.clean()

	b, _ = serve(joined+"Dabinett,Egremont,model_a,60\nDabinett,Egremont,model_b,50\n", "--prior", "1")
	b.wantText(".voteWarning", "No vote compares these groups: ")
	b.wantText(".voteWarning", "Dabinett, Egremont")
	b.clean()
}

// The picture of docs/votes-serving.md is made from a running server of a fit:
//
//	FUBINI_BOARD=http://127.0.0.1:8080 FUBINI_PICTURES=docs/pictures go test ./app/web -count=1 -run PictureOfABoard
func TestPictureOfABoard(t *testing.T) {
	address := os.Getenv("FUBINI_BOARD")
	if address == "" {
		t.Skip("FUBINI_BOARD names no running server of a fit")
	}
	b := newTab(t, chromium(t), &fake{Server: &httptest.Server{URL: strings.TrimSuffix(address, "/")}})
	on := laptop
	on.density = 1.5
	b.device(on)
	b.visit("/")
	b.wait(`document.querySelector(".onePair .fitted")`)
	b.fits("board")
	b.picture("votes")
	b.clean()
}
