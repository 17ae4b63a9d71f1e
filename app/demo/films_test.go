package demo_test

import (
	"os"
	"strings"
	"testing"

	"fubini/app/demo"
)

// The second world is MovieTweetings': as many films, people and ratings as the set has of films with ten ratings or more, with their
// titles and the numbers of IMDb.
func TestFilms(t *testing.T) {
	set, err := demo.Films()
	if err != nil {
		t.Fatal(err)
	}
	if set.Items().Len() != 1558 || set.Users().Len() != 15134 || set.Len() != 79952 {
		t.Errorf("%d films, %d people, %d ratings", set.Items().Len(), set.Users().Len(), set.Len())
	}
	if low, high := set.Range(); low != 0 || high != 10 {
		t.Errorf("ratings from %g to %g", low, high)
	}
	seen := make([]int, set.Items().Len())
	for u := range set.Users().Len() {
		for _, i := range set.Row(u).Items {
			seen[i]++
		}
	}
	for i, n := range seen {
		if n < 10 {
			t.Errorf("%s has %d ratings", set.Items().Name(uint32(i)), n)
		}
	}
	if i, there := set.Items().Find("0133093"); !there || set.Items().Name(i) != "The Matrix (1999)" {
		t.Error("the number of The Matrix at IMDb is that of another film")
	}
	if licence, err := os.ReadFile("films/LICENSE"); err != nil || !strings.Contains(string(licence), "Simon Dooms") {
		t.Error("the licence does not name its holder")
	}
}
