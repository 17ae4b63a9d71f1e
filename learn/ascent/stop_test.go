package ascent_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"fubini/learn/ascent"
	"fubini/learn/chains"
	"fubini/learn/slots"
	"fubini/model/latent"
)

// endsAfter is a context that ends when it was asked so many times whether it has.
type endsAfter struct {
	context.Context
	asked *int
	after int
}

func (e endsAfter) Err() error {
	if *e.asked++; *e.asked > e.after {
		return context.Canceled
	}
	return nil
}

// Training asks its context before every list. Called off within an epoch it saves the state
// after the last whole one, from which a run ends where the unbroken run ends.
func TestStopsWithinAnEpoch(t *testing.T) {
	lists, items := tastes(t, 60)
	for name, v := range map[string]func() trainer{
		"slots":  bySlots(func(o *slots.Options) { o.Hidden, o.Epochs, o.Batch = 2, 4, 10 }),
		"chains": byChains(func(o *chains.Options) { *o = chains.Paper(2); o.Epochs, o.Batch = 4, 10 }),
	} {
		fit := func(ctx context.Context, change func(o *ascent.Options)) (*latent.Catalogue, error) {
			return fitted(ctx, v, items, lists, func(o *ascent.Options) { o.Seed, o.Jobs = 3, 1; change(o) })
		}
		all := 0
		whole := must[*latent.Catalogue](t)(fit(endsAfter{t.Context(), &all, 1 << 40}, func(*ascent.Options) {}))
		if all < 4*len(lists) {
			t.Fatalf("%s: in 4 epochs over %d lists it asks %d times", name, len(lists), all)
		}
		for _, after := range []int{1, 5, all / 3, all / 2, all - 1} {
			asked := 0
			var saved *ascent.State
			_, err := fit(endsAfter{t.Context(), &asked, after}, func(o *ascent.Options) {
				o.SaveEvery = 100 // only when it is called off
				o.Save = func(s *ascent.State) error { saved = s; return nil }
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, called off after %d of %d: %v", name, after, all, err)
			}
			if saved == nil {
				if after > 5 { // else it had not begun
					t.Errorf("%s, called off after %d of %d: nothing saved", name, after, all)
				}
				continue
			}
			if end := must[*latent.Catalogue](t)(fit(t.Context(), func(o *ascent.Options) { o.Resume = saved })); !reflect.DeepEqual(whole, end) {
				t.Errorf("%s, called off after %d of %d, at epoch %d: goes on to another end", name, after, all, saved.Epoch)
			}
		}
	}
}
