package web_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// running is the Chromium that all tests share, once one has asked for it, and stops ends it.
var (
	starting sync.Mutex
	running  context.Context
	stops    []func()
)

// together is how many tests share the browsers at a time: more than there are cores, for most of a test is waiting.
const together = "6"

func TestMain(m *testing.M) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		if err := flag.Set("test.parallel", together); err != nil {
			panic(err) // the flag is the testing package's own
		}
	}
	code := m.Run()
	for _, stop := range slices.Backward(stops) {
		stop()
	}
	os.Exit(code)
}

// chromium is a running Chromium; without one the test is skipped, by name.
func chromium(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser test: left out by -short")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no chromium here: install Debian's package of that name")
	}
	starting.Lock()
	defer starting.Unlock()
	if running != nil {
		return running
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("font-render-hinting", "none"), chromedp.Flag("disable-lcd-text", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	stops = append(stops, stop)
	ctx, cancel := chromedp.NewContext(allocator)
	stops = append(stops, cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	running = ctx
	return ctx
}

// patience is how long something may take to show on a machine that does much else.
const patience = 2 * time.Minute

// tab is one page open in the browser, with what it asked for and complained about.
type tab struct {
	t   *testing.T
	ctx context.Context
	*fake
	mu       sync.Mutex
	asked    []string // addresses of all requests
	problems []string // exceptions, console errors, refusals of the CSP
}

// screen is what a device has.
type screen struct {
	width, height int
	density       float64
	touch, dark   bool
	still         bool // reduced motion
}

// Most tests ask for no motion: they are about where things end up, and what slides is drawn sixty times a second.
var (
	desktop = screen{width: 1440, height: 1000, density: 1, still: true}
	phone   = screen{width: 390, height: 844, density: 2, touch: true, still: true}
)

// lively is the same screen with motion.
func (s screen) lively() screen {
	s.still = false
	return s
}

// open shows the page, with a list in the device's storage if there is one.
func open(t *testing.T, ctx context.Context, f *fake, on screen, list string) *tab {
	t.Helper()
	b := newTab(t, ctx, f)
	b.device(on)
	if list != "" {
		b.keep(list)
	} else {
		b.skipFirst()
	}
	b.visit("/")
	b.wait(`document.querySelector(".next .row, .next.folded, .dock .tile, .message") !== null`)
	return b
}

// skipFirst makes a newcomer begin at the board: first_test.go has the first minute.
func (b *tab) skipFirst() {
	b.t.Helper()
	b.before(`try { localStorage.setItem("fubini.skipped", "true"); } catch {}`)
}

// newTab is an empty tab in a profile of its own.
func newTab(t *testing.T, ctx context.Context, f *fake) *tab {
	t.Helper()
	return tabIn(t, ctx, f, chromedp.WithNewBrowserContext())
}

// sameProfile is one more tab beside another.
func sameProfile(b *tab) *tab {
	b.t.Helper()
	return tabIn(b.t, b.ctx, b.fake)
}

func tabIn(t *testing.T, ctx context.Context, f *fake, options ...chromedp.ContextOption) *tab {
	t.Helper()
	inner, cancel := chromedp.NewContext(ctx, options...)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: inner, fake: f}
	note := func(format string, args ...any) {
		b.mu.Lock()
		b.problems = append(b.problems, fmt.Sprintf(format, args...))
		b.mu.Unlock()
	}
	sent, thrown, console := chromedp.Events(inner, network.RequestWillBeSent), chromedp.Events(inner, runtime.ExceptionThrown), chromedp.Events(inner, runtime.ConsoleAPICalled)
	go func() {
		for e, err := range sent {
			if err != nil {
				return
			}
			b.mu.Lock()
			b.asked = append(b.asked, e.Request.URL)
			b.mu.Unlock()
		}
	}()
	go func() {
		for e, err := range thrown {
			if err != nil {
				return
			}
			text := e.ExceptionDetails.Text
			if e.ExceptionDetails.Exception != nil {
				text += " " + e.ExceptionDetails.Exception.Description
			}
			note("exception: %s", text)
		}
	}()
	go func() {
		for e, err := range console {
			if err != nil {
				return
			}
			if e.Type == runtime.ConsoleAPICalledTypeError {
				note("console: %s", e.Args[0].Value)
			}
		}
	}()
	call(b, network.Enable, network.EnableParams{})
	call(b, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}) // whatever the other tabs do
	b.before(`addEventListener("storage", (e) => window.isDeaf && e.stopImmediatePropagation()); // ahead of the page's own: see deaf`)
	b.before(`addEventListener("securitypolicyviolation", (e) => { throw new Error("CSP: " + e.violatedDirective + " " + e.blockedURI + " " + e.sample); });`)
	return b
}

// call sends one command of the protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, command, params)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// device makes the tab look like a screen.
func (b *tab) device(on screen) {
	b.t.Helper()
	scheme, motion := "light", "no-preference"
	if on.dark {
		scheme = "dark"
	}
	if on.still {
		motion = "reduce"
	}
	if os.Getenv("FUBINI_PICTURES") == "" {
		on.density = 1 // nobody looks: boxes are the same, and drawing takes a fraction
	}
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(on.width), Height: int64(on.height), DeviceScaleFactor: max(on.density, 1), Mobile: on.touch})
	call(b, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: on.touch})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion}}})
}

// before runs a script in every new document, ahead of the page's own.
func (b *tab) before(script string) {
	b.t.Helper()
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// keep puts a list into the device's storage before the page's first start.
func (b *tab) keep(list string) {
	b.t.Helper()
	b.before(fmt.Sprintf(`if (!localStorage.getItem("fubini.list.main")) localStorage.setItem("fubini.list.main", JSON.stringify({rev: "r0", list: %s, share: null}));`, list))
}

func (b *tab) visit(path string) {
	b.t.Helper()
	b.run(chromedp.Navigate(b.URL + path))
}

// eval gives the value of an expression.
func eval[T any](b *tab, script string, args ...any) (value T) {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](fmt.Sprintf(script, args...), chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%v\nin %s", err, fmt.Sprintf(script, args...))
	}
	return value
}

// do runs a script for its effect.
func (b *tab) do(script string, args ...any) {
	b.t.Helper()
	eval[any](b, "(() => {"+script+"; return null})()", args...)
}

// reloads runs a script after which the page loads itself anew, and waits for the new one: a
// question asked meanwhile is lost with the old one.
func (b *tab) reloads(script string) {
	b.t.Helper()
	b.do(`window.before = true`)
	_, _ = chromedp.Run(b.ctx, chromedp.Evaluate[any]("(() => {"+script+"; return null})()"))
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		fresh, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`!window.before && document.readyState === "complete"`))
		if err == nil && fresh {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("the page did not load anew after %s: %v", script, err)
		}
	}
}

// within lets the page look again and again until an expression holds, or the time is over.
func (b *tab) within(limit time.Duration, expression string) bool {
	b.t.Helper()
	return eval[bool](b, "%s", fmt.Sprintf(`new Promise((done, failed) => {
		const end = performance.now() + %d;
		const look = () => {
			try {
				if (%s) done(true);
				else if (performance.now() > end) done(false);
				else setTimeout(look, 10);
			} catch (error) { failed(error); }
		};
		look();
	})`, limit.Milliseconds(), expression))
}

// wait lets the page look until an expression holds, or fails the test.
func (b *tab) wait(script string, args ...any) {
	b.t.Helper()
	if expression := fmt.Sprintf(script, args...); !b.within(patience, expression) {
		b.t.Fatalf("never true: %s\npage: %s", expression, b.text("body"))
	}
}

// text is what a person reads inside the first match, or "" without one.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, `document.querySelector(%q)?.innerText ?? ""`, selector)
}

// wantText waits until the words stand inside the selector.
func (b *tab) wantText(selector, words string) {
	b.t.Helper()
	b.wait(`(document.querySelector(%q)?.innerText ?? "").replaceAll("\u00ad", "").includes(%q)`, selector, words)
}

// list is the list as the device keeps it.
func (b *tab) list() string {
	b.t.Helper()
	return eval[string](b, `JSON.stringify(JSON.parse(localStorage.getItem("fubini.list." + (sessionStorage.getItem("fubini.current") || "main")) ?? "{}").list ?? null)`)
}

// settled waits until the recommendations answer the list on screen, and the rest of the page has followed.
func (b *tab) settled() {
	b.t.Helper()
	b.wait(`document.querySelector(".next[aria-busy=false] .row") && !document.querySelector(".next .running, .next .notice, [data-behind]")`)
}

// still waits until nothing moves any more, and what was changed is drawn.
func (b *tab) still() {
	b.t.Helper()
	b.wait(`document.getAnimations().every((a) => a.effect.target.matches(".running"))`)
	eval[bool](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// clean fails the test if the page complained, or asked anybody but its own server.
func (b *tab) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, problem := range b.problems {
		b.t.Errorf("the page complained: %s", problem)
	}
	for _, address := range b.asked {
		if !strings.HasPrefix(address, b.URL) && !strings.HasPrefix(address, "blob:"+b.URL) && !strings.HasPrefix(address, "data:") { // data: asks nobody
			b.t.Errorf("a request left the origin: %s", address)
		}
	}
}

// picture saves what is seen into the folder of FUBINI_PICTURES, if there is one. A relative path begins at the repository's
// root, where go test is called, and not at this package.
func (b *tab) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("FUBINI_PICTURES")
	if folder == "" {
		return
	}
	if !filepath.IsAbs(folder) {
		folder = filepath.Join("..", "..", folder)
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	file := filepath.Join(folder, name+".png")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(file, png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// listOf writes a list as the page keeps it, from tiers of ids.
func listOf(title string, tiers ...string) string {
	names := []string{"S Every day", "A Gladly", "B Fine", "C If I must", "D No thanks"}
	colours := []string{"beet", "tomato", "apricot", "sage", "stone"}
	type tier struct {
		ID     string   `json:"id"`
		Name   string   `json:"name"`
		Colour string   `json:"colour"`
		Items  []string `json:"items"`
	}
	list := struct {
		Title  string   `json:"title"`
		Tiers  []tier   `json:"tiers"`
		Never  []string `json:"never"`
		Hidden []string `json:"hidden"`
	}{Title: title, Never: []string{}, Hidden: []string{}}
	for i := range names {
		items := []string{}
		if i < len(tiers) {
			items = strings.Fields(tiers[i])
		}
		list.Tiers = append(list.Tiers, tier{fmt.Sprint("t", i+1), names[i], colours[i], items})
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// sample is the list of the design's pictures.
var sample = listOf("What I'd eat", "ramen gyoza sushi tacos green-curry", "pizza paella carbonara naan mango tempura",
	"burger greek-salad falafel sourdough strawberries pancakes", "ice-cream bagel potato", "blue-cheese doughnut olives")

// opens waits until an expression holds after the page went elsewhere by itself: a question asked on the way is lost.
func (b *tab) opens(expression string) {
	b.t.Helper()
	for deadline := time.Now().Add(2 * patience); ; time.Sleep(100 * time.Millisecond) {
		there, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		if err == nil && there {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("never true: %s (%v)\npage: %s", expression, err, b.text("body"))
		}
	}
}
