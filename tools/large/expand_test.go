package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"fubini/data/format"
)

// A set that is expanded keeps who likes what, and how often values are.
func TestExpandKeepsTastesAndValues(t *testing.T) {
	var text strings.Builder
	text.WriteString("user,item,rating\n")
	for u := range 40 { // even users like even items
		for i := range 10 {
			value := "2"
			if (u+i)%2 == 0 {
				value = "5"
			}
			text.WriteString(string(rune('a'+u/20)) + string(rune('a'+u%20)) + "," + string(rune('0'+i)) + "," + value + "\n")
		}
	}
	real, _, err := format.ReadStream(strings.NewReader(text.String()), "x.csv", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out, again bytes.Buffer
	size := Size{Users: 500, Items: 25, Ratings: 4000, Seed: 3}
	written, err := expand(&out, real, size)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := expand(&again, real, size); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Errorf("a second run gives other bytes (%v)", err)
	}
	again.Reset()
	set, _, err := format.ReadStream(&out, "x.csv", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if set.Users().Len() != 500 || set.Items().Len() != 25 || set.Len() != written.ratings || math.Abs(float64(written.ratings)-4000) > 200 {
		t.Errorf("%d users, %d items, %d ratings of %d", set.Users().Len(), set.Items().Len(), set.Len(), written.ratings)
	}
	// Ten ratings of a user are held back where there are twenty or more, and none of them is written.
	long, err := expand(&again, real, Size{Users: 50, Items: 60, Ratings: 1500, Seed: 3})
	if err != nil || len(long.back)%heldEach != 0 || len(long.back) < 40*heldEach || len(written.back) != 0 {
		t.Errorf("%d and %d ratings held back: %v", len(written.back), len(long.back), err)
	}
	text.Reset()
	text.Write(again.Bytes())
	for _, h := range long.back {
		if strings.Contains(text.String(), fmt.Sprintf("\n%d,%d,", h.user, h.item)) {
			t.Fatalf("%+v is in the file", h)
		}
	}
	// Of a user's items most of one parity are liked, and few of the other.
	var same, all float64
	for u := range set.Users().Len() {
		row := set.Row(u)
		var even, odd, evens, odds float64
		for k, i := range row.Items {
			liked := 0.0
			if row.Values[k] == 5 {
				liked = 1
			}
			id := set.Items().ID(i)
			number := 0
			for _, d := range id {
				number = 10*number + int(d-'0')
			}
			if (number-1)%10%2 == 0 {
				even, evens = even+liked, evens+1
			} else {
				odd, odds = odd+liked, odds+1
			}
		}
		if evens > 0 && odds > 0 {
			all++
			same += math.Abs(even/evens - odd/odds)
		}
	}
	if !(same/all > 0.5) { // 1 in the real set, 0.2 where values are drawn at random
		t.Errorf("tastes differ by %.2f in the mean", same/all)
	}
	for _, bad := range []Size{{Users: 0, Items: 25, Ratings: 10}, {Users: 5, Items: 9, Ratings: 10}, {Users: 20, Items: 25, Ratings: 10}} {
		if _, err := expand(&again, real, bad); err == nil {
			t.Errorf("%+v was made", bad)
		}
	}
}
