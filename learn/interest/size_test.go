package interest

import (
	"fmt"
	"io"
	"testing"

	"fubini/data/modelfile"
	"fubini/data/ratings"
)

// The file of a fit to 10,000 items is far below 100 MB, by the sum of what docs/interest.md counts. Fewer items predict than by default,
// because the time of a fit, and not the number of weights kept, grows with their number; and all of the weights that are asked for are there.
func TestFileOfTenThousandItems(t *testing.T) {
	const items, people, inputs = 10_000, 250, 600
	b := ratings.NewBuilder()
	for u := range people {
		for k := range 100 {
			item := 50*u + k // every item is in a list
			if k >= 50 {
				item = (997*u + 37*k) % 1000 // and some are in many
			}
			_ = b.Add(fmt.Append(nil, u), fmt.Append(nil, item%items), float32(1+(u+item)%5), int64(1000*u+k))
		}
	}
	set, _, err := b.Build(ratings.KeepLast)
	if err != nil || set.Items().Len() != items {
		t.Fatalf("%d items, %v", set.Items().Len(), err)
	}
	o := Defaults()
	o.Inputs, o.Units = inputs, mostUnits
	m := fitted(t, set, o)
	if n := len(m.Near.Value); n < o.Neighbours*items*9/10 || n > o.Neighbours*items*5/4 {
		t.Errorf("%d weights, want about %d", n, o.Neighbours*items)
	}
	if m.Units != mostUnits || m.Next == nil || len(m.Next.Weights.Value) > followers*items {
		t.Errorf("%d units, next %v", m.Units, m.Next != nil)
	}
	f := modelfile.New()
	if err := m.Save(f); err != nil {
		t.Fatal(err)
	}
	size, err := f.WriteTo(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	const bound = items*(1.25*250*8+128*4+100*8+5*8) + 100_000 // and names and calibration
	if !(size < bound && bound < 100_000_000 && size > bound/2) {
		t.Errorf("%d bytes, want at most %.0f, and more than half of that", size, float64(bound))
	}
	t.Logf("%d bytes", size)
}
