package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// firefox is a Firefox of its own, spoken to by WebDriver BiDi: one tab.
type firefox struct {
	t    *testing.T
	line *wire
	last int
	tab  string
}

// startFirefox runs Debian's firefox-esr without a window.
func startFirefox(t *testing.T) *firefox {
	t.Helper()
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("a second engine takes a while: set FUBINI_LONG")
	}
	path, err := exec.LookPath("firefox-esr")
	if err != nil {
		t.Skip("no firefox-esr here: install Debian's package of that name")
	}
	ctx, stop := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, path, "--headless", "--no-remote", "--profile", t.TempDir(), "--remote-debugging-port", "0")
	command.Env = append(os.Environ(), "HOME="+t.TempDir(), "MOZ_DISABLE_CONTENT_SANDBOX=1")
	said, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = command.Wait() })
	address := ""
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if found := regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`).FindStringSubmatch(lines.Text()); found != nil {
			address = found[1]
			break
		}
	}
	if address == "" {
		t.Fatal("firefox told no address")
	}
	go func() { // or it waits for a reader
		for lines := bufio.NewScanner(said); lines.Scan(); {
		}
	}()
	line, err := dial(address + "/session")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = line.Close() })
	f := &firefox{t: t, line: line}
	f.call("session.new", map[string]any{"capabilities": map[string]any{}})
	var tabs struct {
		Contexts []struct{ Context string }
	}
	f.read(f.call("browsingContext.getTree", map[string]any{}), &tabs)
	f.tab = tabs.Contexts[0].Context
	return f
}

func (f *firefox) read(text json.RawMessage, to any) {
	f.t.Helper()
	if err := json.Unmarshal(text, to); err != nil {
		f.t.Fatal(err)
	}
}

// call sends a command and waits for its answer; events in between are let go.
func (f *firefox) call(method string, params any) json.RawMessage {
	f.t.Helper()
	f.last++
	text, err := json.Marshal(map[string]any{"id": f.last, "method": method, "params": params})
	if err != nil {
		f.t.Fatal(err)
	}
	if err := f.line.send(text); err != nil {
		f.t.Fatal(err)
	}
	for {
		var answer struct {
			ID             int
			Type           string
			Result         json.RawMessage
			Error, Message string
		}
		text, err := f.line.receive(patience)
		if err != nil {
			f.t.Fatalf("%s: %v", method, err)
		}
		f.read(text, &answer)
		if answer.ID == f.last {
			if answer.Type == "error" {
				f.t.Fatalf("%s: %s: %s", method, answer.Error, answer.Message)
			}
			return answer.Result
		}
	}
}

// eval gives the value of an expression as text.
func (f *firefox) eval(script string, args ...any) string {
	f.t.Helper()
	var got struct {
		Type   string
		Result struct{ Value any }
		Detail struct{ Text string } `json:"exceptionDetails"`
	}
	f.read(f.call("script.evaluate", map[string]any{"expression": "String(" + fmt.Sprintf(script, args...) + ")", "target": map[string]any{"context": f.tab}, "awaitPromise": true}), &got)
	if got.Type != "success" {
		f.t.Fatalf("%s: %s", fmt.Sprintf(script, args...), got.Detail.Text)
	}
	return fmt.Sprint(got.Result.Value)
}

func (f *firefox) wait(script string, args ...any) {
	f.t.Helper()
	for deadline := time.Now().Add(patience); f.eval(script, args...) != "true"; time.Sleep(30 * time.Millisecond) {
		if time.Now().After(deadline) {
			f.t.Fatalf("never true: %s\npage: %s", fmt.Sprintf(script, args...), f.eval("document.body.innerText"))
		}
	}
}

func (f *firefox) visit(address string) {
	f.t.Helper()
	f.call("browsingContext.navigate", map[string]any{"context": f.tab, "url": address, "wait": "complete"})
}

// keys presses keys, one after the other.
func (f *firefox) keys(keys ...string) {
	f.t.Helper()
	var acts []map[string]any
	for _, key := range keys {
		acts = append(acts, map[string]any{"type": "keyDown", "value": key}, map[string]any{"type": "keyUp", "value": key})
	}
	f.call("input.performActions", map[string]any{"context": f.tab, "actions": []any{map[string]any{"type": "key", "id": "keys", "actions": acts}}})
}

// drag takes what one selector finds to the middle of what another does.
func (f *firefox) drag(from, to string) {
	f.t.Helper()
	middle := func(selector string) (x, y int) {
		f.wait(`document.querySelector(%q) !== null`, selector)
		text := f.eval(`(() => { const e = document.querySelector(%q); e.scrollIntoView({ block: "nearest" }); const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2].map(Math.round).join(" "); })()`, selector)
		if _, err := fmt.Sscan(text, &x, &y); err != nil {
			f.t.Fatal(err)
		}
		return x, y
	}
	fx, fy := middle(from)
	tx, ty := middle(to)
	move := func(x, y int) map[string]any {
		return map[string]any{"type": "pointerMove", "x": x, "y": y, "duration": 60}
	}
	f.call("input.performActions", map[string]any{"context": f.tab, "actions": []any{map[string]any{"type": "pointer", "id": "mouse", "parameters": map[string]any{"pointerType": "mouse"}, "actions": []map[string]any{
		move(fx, fy), {"type": "pointerDown", "button": 0}, move(fx+8, fy+8), move(tx, ty), move(tx+2, ty), {"type": "pointerUp", "button": 0},
	}}}})
}

// The main acts in a second engine, on foods: sorting by mouse and by keyboard, guesses that add up, undo, a reload, the map
// under the pointer, the learning page, a shared list.
func TestFirefox(t *testing.T) {
	f := startFirefox(t)
	server := newFake(t)
	f.call("browsingContext.setViewport", map[string]any{"context": f.tab, "viewport": map[string]any{"width": 1440, "height": 1000}})
	f.visit(server.URL + "/")
	f.wait(`document.querySelector(".next .row") !== null && document.querySelector(".trayTiles .tile") !== null`)
	f.eval(`window.faults = [], addEventListener("error", (e) => faults.push(e.message)), addEventListener("securitypolicyviolation", (e) => faults.push("CSP " + e.violatedDirective))`)

	// By mouse, then by keys.
	for i, item := range []string{"ramen", "sushi", "pizza"} {
		f.drag(`.tray [data-item="`+item+`"]`, fmt.Sprintf(`.tier:nth-of-type(%d) .lane`, 1+i%2))
		f.wait(`document.querySelector(".board [data-item=%s]") !== null`, item)
	}
	f.eval(`document.querySelector(".tray [data-item=bagel]").focus()`)
	f.keys("4")
	f.wait(`document.querySelector(".tier:nth-of-type(4) [data-item=bagel]") !== null`)
	f.wait(`document.querySelector(".next[aria-busy=false] .row .dots") !== null && document.querySelectorAll(".ghost").length > 0`)
	if faults := f.eval(`[...document.querySelectorAll(".next .row")].filter((row) => row.querySelectorAll(".dots i").length !== 20 || [...row.querySelector(".unseen").textContent.matchAll(/(\d+)%%/g)].reduce((n, m) => n + Number(m[1]), 0) !== 100).length`); faults != "0" {
		t.Errorf("%s rows do not add up", faults)
	}

	// Held by keys: up a place, dropped; then undone.
	f.eval(`document.querySelector(".board [data-item=bagel]").focus()`)
	f.keys(" ", "\uE013", "\uE013", " ")
	f.wait(`document.querySelector(".tier:nth-of-type(3) [data-item=bagel]") !== null`)
	f.eval(`document.querySelector("[aria-label=Undo]").click()`)
	f.wait(`document.querySelector(".tier:nth-of-type(4) [data-item=bagel]") !== null`)

	// The map under the pointer, and enlarged.
	f.wait(`document.querySelector(".mapBox .nearText") !== null`)
	f.eval(`document.querySelector(".zooms button").click()`)
	f.wait(`document.querySelector(".mapBox.near") !== null`)

	// Kept over a reload.
	board := f.eval(`[...document.querySelectorAll(".board .tile")].map((e) => e.dataset.item).join()`)
	f.visit(server.URL + "/")
	f.wait(`document.querySelector(".next .row") !== null`)
	if again := f.eval(`[...document.querySelectorAll(".board .tile")].map((e) => e.dataset.item).join()`); again != board || !strings.Contains(board, "bagel") {
		t.Errorf("after a reload the board has %q, before %q", again, board)
	}

	// Shared, and seen by a visitor.
	f.eval(`document.querySelector("[aria-label=Share]").click()`)
	f.wait(`document.querySelector(".sheet .filled:not(:disabled)") !== null`)
	f.eval(`document.querySelector(".sheet .filled").click()`)
	f.wait(`document.querySelector(".sheet input[readonly]")?.value.includes("/list/") ?? false`)
	link := f.eval(`document.querySelector(".sheet input[readonly]").value`)
	f.visit(link)
	f.wait(`document.querySelector(".copy") !== null && document.querySelectorAll(".board .tile").length === 4`)

	f.visit(server.URL + "/#/learning")
	f.wait(`document.querySelectorAll(".calibration .ringMark").length === 10 && document.querySelectorAll(".units tbody tr").length === 8`)
	if faults := f.eval(`(window.faults ?? []).join("; ")`); faults != "" {
		t.Errorf("the page complained: %s", faults)
	}
}

// The same engine on films, by the real program: the first minute by keys, sorting by mouse and by keys, undo, a reload, a
// shared list, and nothing wider than the window on four screens.
func TestFirefoxFilms(t *testing.T) {
	f := startFirefox(t)
	server, _ := films(t)
	size := func(width, height int) {
		f.call("browsingContext.setViewport", map[string]any{"context": f.tab, "viewport": map[string]any{"width": width, "height": height}})
	}
	size(1280, 800)
	f.visit(server.URL + "/")
	f.wait(`document.querySelector(".dealt h2") !== null`)
	for i := range 4 {
		card := f.eval(`document.querySelector(".dealt h2").textContent`)
		if i > 0 {
			f.wait(`document.activeElement.matches(".dealt")`)
		}
		f.keys(fmt.Sprint(1 + i))
		f.wait(`document.querySelector(".dealt h2") !== null && document.querySelector(".dealt h2").textContent !== %q`, card)
	}
	f.wait(`document.querySelectorAll(".soFar li").length > 0 && /We had said/.test(document.querySelector(".soFar .just").textContent)`)
	f.eval(`document.querySelector(".firstHead .link").click()`)
	f.wait(`document.querySelectorAll(".board .tile").length === 4 && document.querySelector(".next[aria-busy=false] .row .dots") !== null`)

	item := func(n int) string { return f.eval(`document.querySelectorAll(".trayTiles .tile")[%d].dataset.item`, n) }
	dragged, typed := item(1), item(3)
	f.drag(fmt.Sprintf(`.tray [data-item="%s"]`, dragged), `.tier:nth-of-type(2) .lane`)
	f.wait(`document.querySelector(".tier:nth-of-type(2) [data-item='%s']") !== null`, dragged)
	f.eval(`document.querySelector(".tray [data-item='%s']").focus()`, typed)
	f.keys("3")
	f.wait(`document.querySelector(".tier:nth-of-type(3) [data-item='%s']") !== null`, typed)
	f.eval(`document.querySelector("[aria-label=Undo]").click()`)
	f.wait(`document.querySelector(".board [data-item='%s']") === null && document.querySelector(".board [data-item='%s']") !== null`, typed, dragged)
	f.wait(`document.querySelector(".next[aria-busy=false]") !== null && !document.querySelector("[data-behind]")`)

	const wider = `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".strip, .unseen, .lane, svg")).map((e) => e.className).slice(0, 5).join()`
	for _, on := range [][2]int{{1280, 800}, {1024, 768}, {768, 1024}, {390, 844}} {
		size(on[0], on[1])
		f.wait(`document.querySelector(%q) !== null`, map[bool]string{true: ".dock .tile", false: ".tray .tile"}[on[0] < 768])
		if got := f.eval("%s", wider); got != "" || f.eval(`document.documentElement.scrollWidth <= innerWidth`) != "true" {
			t.Errorf("%d px: wider than the window: %s", on[0], got)
		}
	}
	size(1280, 800)

	f.visit(server.URL + "/")
	f.wait(`document.querySelectorAll(".board .tile").length === 5 && document.querySelector(".next .row") !== null`)
	f.eval(`document.querySelector("[aria-label=Share]").click()`)
	f.wait(`document.querySelector(".sheet .filled:not(:disabled)") !== null`)
	f.eval(`document.querySelector(".sheet .filled").click()`)
	f.wait(`document.querySelector(".sheet input[readonly]")?.value.includes("/list/") ?? false`)
	f.visit(f.eval(`document.querySelector(".sheet input[readonly]").value`))
	f.wait(`document.querySelector(".copy") !== null && document.querySelectorAll(".board .tile").length === 5`)
}
