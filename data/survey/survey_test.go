package survey

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fubini/core/rng"
	"fubini/data/ratings"
)

// setOf makes a set of lines of user, item and value.
func setOf(t *testing.T, lines ...string) *ratings.Set {
	t.Helper()
	b := ratings.NewBuilder()
	for _, line := range lines {
		var user, item string
		var value float32
		when := int64(ratings.NoTime)
		if n, err := fmt.Sscan(line, &user, &item, &value, &when); n < 3 {
			t.Fatal(line, err)
		}
		if err := b.Add([]byte(user), []byte(strings.ReplaceAll(item, "_", " ")), value, when); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// people draws the ratings of n users of 12 items each, from low to high.
func people(name string, n, low, high int) (lines []string) {
	r := rng.Stream(1, name)
	for u := range n {
		for i := range 12 {
			value := low + r.IntN(high-low+1)
			if i == 0 {
				value = high // most people have a favourite
			}
			lines = append(lines, fmt.Sprintf("%s%d item%d %d", name, u, i, value))
		}
	}
	return lines
}

func TestOf(t *testing.T) {
	v := Of(setOf(t, "ann a 0.5 946684800", "ann b 3 978307200", "bob a 3", "bob b 3", "cat c 4.5"))
	want := Survey{
		Scale: "0.5 to 4.5 in steps of 0.5", Histogram: []Bar{{0.5, "0.5", 1}, {3, "3", 3}, {4.5, "4.5", 1}}, First: 946684800, Last: 978307200,
		OneLevelUsers: 2, OneRatingUsers: 1, OneRatingItems: 1, Paper: []Kept{{10, 0, 0}, {20, 0, 0}, {50, 0, 0}},
		Warnings: []string{"users who rate all of their items the same: 1 of 3; nothing is learned of their taste", "users with a single rating: 1 of 3; nothing is learned of their taste"},
	}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("got %+v\nwant %+v", v, want)
	}
}

// The paper's protocol compares people: of one person's ratings it keeps nothing, and nothing is said of it.
func TestPaperNeedsPeople(t *testing.T) {
	if one := Of(setOf(t, people("ann", 1, 1, 5)...)); one.Paper != nil {
		t.Errorf("of one person: %+v", one.Paper)
	}
	if two := Of(setOf(t, people("ann", 2, 1, 5)...)); len(two.Paper) != len(Given) {
		t.Errorf("of two: %+v", two.Paper)
	}
}

func TestScales(t *testing.T) {
	for want, lines := range map[string][]string{
		"1 to 5 in steps of 1":       {"a x 1", "a y 5"},
		"one value, 3":               {"a x 3"},
		"1 to 1000":                  {"a x 1", "a y 1000"},
		"0.7 to 1.5 in steps of 0.1": {"a x 0.7", "a y 1.5"},
		"1 to 2.333":                 {"a x 1", "a y 2.333"},
		"0.25 to 1 in steps of 0.25": {"a x 0.25", "a y 1"},
		"0.1 to 10.1 in steps of 1":  {"a x 0.1", "a y 10.1"},
		"1 to 100 in steps of 1":     {"a x 1", "a y 100"},
		"1 to 51.5":                  {"a x 1", "a y 51.5"},
		"1 to 5 in steps of 0.5":     {"a x 1", "a y 5", "a z 2.5"},
		"-1.5 to 2 in steps of 0.5":  {"a x -1.5", "a y 2"},
		"0 to 101":                   {"a x 0", "a y 101"},
	} {
		if got := Of(setOf(t, lines...)).Scale; got != want {
			t.Errorf("%v: %q, want %q", lines, got, want)
		}
	}
	b := ratings.NewBuilder()
	names := []string{"F", "A", "S"}
	for k, item := range []string{"x", "y"} {
		if err := b.Place([]byte("ann"), []byte(item), names, 1+2*k, ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	if v := Of(s); v.Scale != "tiers S, A, F" || v.Histogram[0].Name != "F" || v.Histogram[1].Name != "S" {
		t.Errorf("%+v", v)
	}
}

// Every fault has its warning, and honest data have none.
func TestWarnings(t *testing.T) {
	honest := people("ann", 20, 1, 5)
	if found := Of(setOf(t, honest...)).Warnings; found != nil {
		t.Errorf("honest ratings: %q", found)
	}
	zeroed := slices.Clone(honest)
	for u := range 20 {
		for i := range 5 {
			zeroed = append(zeroed, fmt.Sprintf("ann%d unread%d 0", u, i))
		}
	}
	var spelled []string
	for k, item := range []string{"Matrix,_The_(1999)", "The_Matrix_(1999)", "Amélie", "amelie!", "Heat", "42", "43"} {
		spelled = append(spelled, fmt.Sprintf("ann %s %d", item, 1+k%2))
	}
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"zeros":      {zeroed, "100 ratings are 0 and 42 are 1, the next value: if 0 stands for unrated"},
		"two scales": {slices.Concat(honest, people("bob", 20, 1, 10)), "20 of 40 users with 10 ratings or more never rate above 5, the others up to 10"},
		"twins":      {spelled, `2 items have the name of another up to its spelling, such as "Matrix, The (1999)" and "The Matrix (1999)", "Amélie" and "amelie!": `},
		"times":      {[]string{"ann a 1 978307", "ann b 2 978309"}, "times go from 1970-01-12 to 1970-01-12"},
		"one level":  {append(slices.Clone(honest), "bob item1 3", "bob item2 3"), "users who rate all of their items the same: 1 of 21"},
		"one rating": {append(slices.Clone(honest), "bob item1 3"), "users with a single rating: 1 of 21"},
	} {
		if found := Of(setOf(t, c.lines...)).Warnings; len(found) != 1 || !strings.HasPrefix(found[0], c.want) {
			t.Errorf("%s: %q", name, found)
		}
	}
	for name, lines := range map[string][]string{
		"a scale from 0":    people("ann", 20, 0, 5),
		"likes":             {"ann a 0", "ann b 0", "ann c 1"},
		"below zero":        people("ann", 20, -10, 10),
		"an uncommon grump": slices.Concat(people("ann", 40, 1, 10), people("bob", 1, 1, 4)),
	} {
		if found := Of(setOf(t, lines...)).Warnings; found != nil {
			t.Errorf("%s: %q", name, found)
		}
	}
}

// What the paper's protocol keeps is what its split keeps.
func TestPaperIsTheSplit(t *testing.T) {
	var lines []string
	r := rng.Stream(2, "paper")
	for u := range 60 {
		for i := range 10 + r.IntN(60) {
			lines = append(lines, fmt.Sprintf("u%d i%d %d", u, i, 1+r.IntN(5)))
		}
	}
	s := setOf(t, lines...)
	low, high := s.Range()
	levels, err := s.Levelled(ratings.Scale{Min: low, Max: high})
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range Of(s).Paper {
		users, items := 0, 0
		if split, err := levels.Paper(kept.Given, minTest, 1); err == nil {
			users, items = split.Training.Set().Users().Len(), split.Training.Set().Items().Len()
		}
		if kept.Users != users || kept.Items != items {
			t.Errorf("given %d: %d users and %d items, the split has %d and %d", kept.Given, kept.Users, kept.Items, users, items)
		}
	}
}

func TestManyValuesShareBars(t *testing.T) {
	var lines []string
	for k := range 1000 {
		lines = append(lines, fmt.Sprintf("ann i%d %d.25", k, k))
	}
	v := Of(setOf(t, lines...))
	total := 0
	for _, bar := range v.Histogram {
		total += bar.Count
		if bar.Count < 49 || bar.Count > 51 {
			t.Errorf("%+v", bar)
		}
	}
	if len(v.Histogram) != 20 || total != 1000 {
		t.Errorf("%d bars of %d ratings", len(v.Histogram), total)
	}
}
