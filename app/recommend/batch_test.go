package recommend_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"fubini/app/measure"
	"fubini/app/recommend"
	"fubini/data/format"
)

// people gives users that rated the items after their number, one after the other.
func people(users ...[]string) func(*format.User) error {
	at := 0
	return func(u *format.User) error {
		if at == len(users) {
			return io.EOF
		}
		*u = format.User{ID: fmt.Sprint("u", at)}
		for k, id := range users[at] {
			u.Items, u.Values = append(u.Items, []byte(id)), append(u.Values, float32(5-k))
		}
		at++
		return nil
	}
}

// without leaves items out of what is read.
func without(first, second string, next func(*format.User) error) func(*format.User) error {
	return func(u *format.User) error {
		err := next(u)
		for k := len(u.Items) - 1; k >= 0; k-- {
			if id := string(u.Items[k]); id == first || id == second {
				u.Items, u.Values = slices.Delete(u.Items, k, k+1), slices.Delete(u.Values, k, k+1)
			}
		}
		return err
	}
}

func batch(t *testing.T) *recommend.Batch {
	t.Helper()
	r, err := recommend.New(measure.Model(1), recommend.Rules{Count: 3})
	if err != nil {
		t.Fatal(err)
	}
	return &recommend.Batch{Recommender: r, Form: recommend.JSONLForm(r), Name: "people", Rated: true}
}

// An item that the model does not know is passed over and counted, and the ratings behind it are read all the same.
func TestUnknownItemsArePassedOver(t *testing.T) {
	answers := func(b *recommend.Batch, next func(*format.User) error) (text string) {
		err := b.Run(context.Background(), 2, next, func(a *recommend.Answered) error {
			text += a.Text.String()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	b := batch(t)
	got := answers(b, people([]string{"7", "nowhere", "9", "11"}, []string{"7"}, []string{"nowhere", "nobody"}))
	plain := answers(batch(t), without("nowhere", "nobody", people([]string{"7", "nowhere", "9", "11"}, []string{"7"}, nil)))
	if got != plain {
		t.Errorf("with unknown items:\n%swithout:\n%s", got, plain)
	}
	if b.Users != 3 || b.Rows != 9 || b.Placed != 7 || b.Missing != 3 || b.Affected != 2 || b.Strangers != 1 || !slices.Equal(b.Examples, []string{"nowhere", "nobody"}) {
		t.Errorf("%d users, %d rows, %d placed, %d missing of %d users, %d strangers, such as %v", b.Users, b.Rows, b.Placed, b.Missing, b.Affected, b.Strangers, b.Examples)
	}
	b = batch(t)
	b.Refuse = true
	err := b.Run(context.Background(), 1, people([]string{"7", "nowhere"}), func(*recommend.Answered) error { return nil })
	if err == nil || !strings.Contains(err.Error(), `no item "nowhere"`) {
		t.Errorf("an unknown item that is to be refused: %v", err)
	}
}

// registry is a context that knows who still waits for its end.
type registry struct {
	context.Context
	waiting *int
}

func (r registry) Done() <-chan struct{} { return make(chan struct{}) } // it never ends

func (r registry) AfterFunc(func()) func() bool {
	*r.waiting++
	return func() bool { *r.waiting--; return true }
}

// A batch leaves nothing behind with its context, however it ends: a server that lives for months would keep it all.
func TestBatchLeavesNothingBehind(t *testing.T) {
	wrong := errors.New("wrong")
	for name, c := range map[string]struct {
		next func(*format.User) error
		put  error
		want error
	}{
		"end":            {people([]string{"7"}), nil, nil},
		"reading fails":  {func(*format.User) error { return wrong }, nil, wrong},
		"writing fails":  {people([]string{"7"}), wrong, wrong},
		"nobody is read": {people(), nil, nil},
	} {
		waiting := 0
		err := batch(t).Run(registry{context.Background(), &waiting}, 1, c.next, func(*recommend.Answered) error { return c.put })
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if waiting != 0 {
			t.Errorf("%s: %d still wait for the end of the context", name, waiting)
		}
	}
}
