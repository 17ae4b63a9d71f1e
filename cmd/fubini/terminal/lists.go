package terminal

import (
	"fmt"
	"io"
	"time"
)

// Lists shows how far annealing of all lists has come. The time goes with their items.
type Lists struct{ liveLine }

// WatchLists shows annealing on a stream; nil shows nothing.
func WatchLists(to io.Writer, items int) *Lists {
	return newLists(to, IsTerminal(to), time.Now, items)
}

func newLists(to io.Writer, live bool, clock func() time.Time, items int) *Lists {
	v := &Lists{newLiveLine(to, live, clock, "items", items)}
	v.pause, v.next = 200*time.Millisecond, clock().Add(time.Second)
	return v
}

// At says how many items are done, and how many users.
func (v *Lists) At(items float64, users, all int) {
	v.line.done = items
	if v.due() {
		v.show(fmt.Sprintf("%s, %d of %d users", &v.line, users, all))
	}
}
