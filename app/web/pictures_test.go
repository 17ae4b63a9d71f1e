package web_test

import "testing"

func TestPictureBoard(t *testing.T) {
	ctx, f := browser(t, "Inter"), newFake(t)
	b := open(t, ctx, f, desktop, sample)
	b.settled()
	b.picture("board-light")
	b.clean()
}
