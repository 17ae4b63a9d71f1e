package measure_test

import (
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"fubini/app/measure"
	"fubini/data/format"
	"fubini/learn/modelstore"
)

// The ratings are a table like any other: as many people as were asked for, each with as many
// items of the catalogue and none twice, on all five levels, however it is read.
func TestRatings(t *testing.T) {
	saved := measure.Model(1)
	for _, people := range []int{1, 99, 250} { // fewer and more than one read makes
		checkRatings(t, saved, people)
	}
}

// The model of both has interest and taste, and recommends by both.
func TestWhole(t *testing.T) {
	saved := measure.Whole(1)
	aim, err := saved.Resolve(modelstore.AimAuto)
	if err != nil || aim != modelstore.AimBalanced || saved.Interest.Items() != measure.Items {
		t.Errorf("recommends by %s, %v", aim, err)
	}
}

func checkRatings(t *testing.T, saved *modelstore.Saved, people int) {
	t.Helper()
	reader, err := format.NewUserReader(iotest.HalfReader(measure.Ratings(people)), "people", format.Options{Format: "csv"})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	users, levels := map[string]bool{}, map[float32]bool{}
	for len(users) <= people {
		var user format.User
		if err := reader.Next(&user); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		placed := map[string]bool{}
		for k, id := range user.Items {
			if _, known := saved.Find(string(id)); !known {
				t.Fatalf("%s rated %s, which is in no catalogue", user.ID, id)
			}
			placed[string(id)], levels[user.Values[k]] = true, true
		}
		if users[user.ID] || len(user.Items) != measure.Placed || len(placed) != measure.Placed {
			t.Errorf("%s has %d ratings of %d items", user.ID, len(user.Items), len(placed))
		}
		users[user.ID] = true
	}
	if len(users) != people || len(levels) != 5 {
		t.Errorf("%d people, levels %v", len(users), levels)
	}
}
