package web_test

import (
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	arrowRight = kb.ArrowRight
	arrowLeft  = kb.ArrowLeft
	arrowUp    = kb.ArrowUp
	arrowDown  = kb.ArrowDown
)

type point struct{ X, Y float64 }

// middle is the centre of the first match, scrolled into view, once nothing slides any more.
func (b *tab) middle(selector string) point {
	b.t.Helper()
	b.wait(`document.querySelector(%q) && document.getAnimations().every((a) => a.effect.target.matches(".running"))`, selector)
	return eval[point](b, `(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: "nearest", inline: "nearest" });
		const r = e.getBoundingClientRect();
		return { X: r.left + r.width / 2, Y: r.top + r.height / 2 };
	})()`, selector)
}

func mouseAt(kind input.DispatchMouseEventType, at point, buttons int64) input.DispatchMouseEventParams {
	params := input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Buttons: buttons, ClickCount: 1}
	if kind != input.DispatchMouseEventTypeMouseMoved || buttons != 0 {
		params.Button = input.MouseButtonLeft
	}
	return params
}

func (b *tab) mouse(kind input.DispatchMouseEventType, at point, buttons int64) {
	b.t.Helper()
	call(b, input.DispatchMouseEvent, mouseAt(kind, at, buttons))
}

// lift presses and moves, and leaves the item in the air.
func (b *tab) lift(from, to point) {
	b.t.Helper()
	inTurn(b, input.DispatchMouseEvent, mouseAt(input.DispatchMouseEventTypeMouseMoved, from, 0), mouseAt(input.DispatchMouseEventTypeMousePressed, from, 1))
	for i := 1; i <= 4; i++ {
		part := float64(i) / 4
		b.mouse(input.DispatchMouseEventTypeMouseMoved, point{from.X + (to.X-from.X)*part, from.Y + (to.Y-from.Y)*part}, 1)
	}
}

func (b *tab) release(at point) {
	b.t.Helper()
	b.mouse(input.DispatchMouseEventTypeMouseReleased, at, 0)
}

// drag carries one thing to another by mouse.
func (b *tab) drag(from, to string) {
	b.t.Helper()
	target := b.middle(to)
	start := b.middle(from)
	b.lift(start, target)
	b.release(target)
}

func (b *tab) hover(selector string) {
	b.t.Helper()
	b.mouse(input.DispatchMouseEventTypeMouseMoved, b.middle(selector), 0)
}

func (b *tab) click(selector string) {
	b.t.Helper()
	at := b.middle(selector)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0)
	b.mouse(input.DispatchMouseEventTypeMousePressed, at, 1)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, at, 0)
}

func (b *tab) touch(kind input.DispatchTouchEventType, at ...point) {
	b.t.Helper()
	call(b, input.DispatchTouchEvent, touchAt(kind, at...))
}

func touchAt(kind input.DispatchTouchEventType, at ...point) input.DispatchTouchEventParams {
	points := []*input.TouchPoint{}
	for _, p := range at {
		points = append(points, &input.TouchPoint{X: p.X, Y: p.Y})
	}
	return input.DispatchTouchEventParams{Type: kind, TouchPoints: points}
}

// inTurn sends events without waiting for the answer to one before the next: a finger or a pointer that rests because
// this machine is busy would be a hold, or ask for a card.
func inTurn[P any](b *tab, dispatch cdp.Command[P, cdp.Empty], events ...P) {
	b.t.Helper()
	if err := sendInTurn(b, dispatch, events...); err != nil {
		b.t.Error(err)
	}
}

func sendInTurn[P any](b *tab, dispatch cdp.Command[P, cdp.Empty], events ...P) (err error) {
	answers := make(chan error)
	for _, each := range events {
		go func() {
			_, err := chromedp.Call(b.ctx, dispatch, each)
			answers <- err
		}()
		time.Sleep(20 * time.Millisecond) // they keep their order
	}
	for range events {
		err = errors.Join(err, <-answers)
	}
	return err
}

// tap touches what matches until the browser takes it for a click. On a busy machine the end of a touch can come so late
// that it is a hold, or overtake its beginning, and a person would tap again; a click that arrives and does nothing is the
// page's fault, and final.
func (b *tab) tap(selector string) {
	b.t.Helper()
	for range 5 {
		b.do(`window.clicked = false; window.addEventListener("click", () => { window.clicked = true; }, { capture: true, once: true })`)
		err := sendInTurn(b, input.DispatchTouchEvent, touchAt(input.DispatchTouchEventTypeTouchStart, b.middle(selector)), touchAt(input.DispatchTouchEventTypeTouchEnd))
		if err != nil { // the end came first: the finger is still down
			b.touch(input.DispatchTouchEventTypeTouchCancel)
			continue
		}
		if b.within(3*time.Second, `window.clicked`) {
			return
		}
	}
	b.t.Fatalf("no tap on %s is taken for a click", selector)
}

// carry holds a finger on one thing until it lifts, and moves it to another.
func (b *tab) carry(from, to string) {
	b.t.Helper()
	target := b.middle(to)
	start := b.middle(from)
	b.touch(input.DispatchTouchEventTypeTouchStart, start)
	b.wait(`document.querySelector(".tile.held")`)
	for i := 1; i <= 4; i++ {
		part := float64(i) / 4
		b.touch(input.DispatchTouchEventTypeTouchMove, point{start.X + (target.X-start.X)*part, start.Y + (target.Y-start.Y)*part})
		time.Sleep(16 * time.Millisecond)
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
}

// keys types; names in chromedp's kb stand for the other keys.
func (b *tab) keys(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.run(chromedp.KeyEvent(key))
	}
}

// enter and slash press keys that the page takes itself. A real keyboard sends no character after a key that was taken;
// chromedp would, and it would reach whatever has the focus by then.
func (b *tab) enter() {
	b.t.Helper()
	b.press("Enter", "Enter", 13)
}

func (b *tab) slash() {
	b.t.Helper()
	b.press("/", "Slash", 191)
}

func (b *tab) press(key, code string, number int64) {
	b.t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
		call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, Code: code, WindowsVirtualKeyCode: number})
	}
}

func (b *tab) ctrl(key string, more ...kb.Modifier) {
	b.t.Helper()
	b.run(chromedp.KeyEvent(key, chromedp.KeyModifiers(append(more, kb.ModifierCtrl)...)))
}

func (b *tab) focus(selector string) {
	b.t.Helper()
	b.wait(`document.querySelector(%q)`, selector)
	b.do(`document.querySelector(%q).focus()`, selector)
}

// tile, lane and tray are selectors.
func tile(item string) string { return `.tile[data-item="` + item + `"]` }

func lane(row int) string { return `.lane[data-row="` + string(rune('0'+row)) + `"]` }

func altKey(key string) chromedp.Action[chromedp.Void] {
	return chromedp.KeyEvent(key, chromedp.KeyModifiers(kb.ModifierAlt))
}
