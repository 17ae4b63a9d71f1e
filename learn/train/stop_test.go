package train_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"fubini/learn/train"
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
	for name, o := range map[string]train.LatentOptions{
		"slots":  with(train.LatentDefaults(), func(o *train.LatentOptions) { o.Hidden, o.Epochs, o.Batch = 2, 4, 10 }),
		"chains": with(train.Paper(2), func(o *train.LatentOptions) { o.Epochs, o.Batch = 4, 10 }),
	} {
		o.Seed, o.Jobs = 3, 1
		all := 0
		whole := must[*latent.Catalogue](t)(train.FitLatent(endsAfter{t.Context(), &all, 1 << 40}, items, lists, o))
		if all < 4*len(lists) {
			t.Fatalf("%s: in 4 epochs over %d lists it asks %d times", name, len(lists), all)
		}
		for _, after := range []int{1, 5, all / 3, all / 2, all - 1} {
			asked := 0
			var saved *train.LatentState
			stopped := o
			stopped.SaveEvery = 100 // only when it is called off
			stopped.Save = func(s *train.LatentState) error { saved = s; return nil }
			_, err := train.FitLatent(endsAfter{t.Context(), &asked, after}, items, lists, stopped)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, called off after %d of %d: %v", name, after, all, err)
			}
			if saved == nil {
				if after > 5 { // else it had not begun
					t.Errorf("%s, called off after %d of %d: nothing saved", name, after, all)
				}
				continue
			}
			again := o
			again.Resume = saved
			if end := must[*latent.Catalogue](t)(train.FitLatent(t.Context(), items, lists, again)); !reflect.DeepEqual(whole, end) {
				t.Errorf("%s, called off after %d of %d, at epoch %d: goes on to another end", name, after, all, saved.Epoch)
			}
		}
	}
}
