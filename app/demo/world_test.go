package demo

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const softHyphen = "\u00ad"

func TestItemsAreWellFormed(t *testing.T) {
	w := New()
	if n := len(w.Items); n < 110 || n > 130 {
		t.Errorf("%d foods", n)
	}
	slug := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	ids, names := map[string]bool{}, map[string]bool{}
	for _, item := range w.Items {
		plain := strings.ReplaceAll(item.Name, softHyphen, "")
		if !slug.MatchString(item.ID) || ids[item.ID] {
			t.Errorf("id %q is no slug, or there twice", item.ID)
		}
		if plain == "" || names[plain] {
			t.Errorf("name %q is empty, or there twice", plain)
		}
		ids[item.ID], names[plain] = true, true
		// One symbol, which may be followed by the sign that asks for its picture.
		emoji := []rune(strings.TrimSuffix(item.Emoji, "\ufe0f"))
		if len(emoji) != 1 || !unicode.Is(unicode.So, emoji[0]) {
			t.Errorf("%s: %q is no single emoji", item.ID, item.Emoji)
		}
	}
}

// Long words may break, at places that leave three letters or more on both sides;
// short ones may not.
func TestSoftHyphensStandInLongWordsOnly(t *testing.T) {
	const short, long = 8, 10 // a tile on the phone takes about ten letters
	for _, item := range New().Items {
		for _, word := range strings.Fields(item.Name) {
			parts := strings.Split(word, softHyphen)
			letters := utf8.RuneCountInString(strings.Join(parts, ""))
			if len(parts) == 1 && letters >= long {
				t.Errorf("%q cannot break", word)
			}
			if len(parts) > 1 && letters < short {
				t.Errorf("%q breaks and need not", word)
			}
			for _, part := range parts {
				if len(parts) > 1 && utf8.RuneCountInString(part) < 3 {
					t.Errorf("%q leaves %q on a line", word, part)
				}
			}
		}
	}
}

func TestEveryGroupAndTasteHasItems(t *testing.T) {
	w := New()
	perGroup := map[string]int{}
	distinct := map[string]bool{}
	for _, item := range w.Items {
		perGroup[item.Group]++
		distinct[item.Emoji] = true
	}
	if perGroup[""] > 0 {
		t.Errorf("%d foods are in no group", perGroup[""])
	}
	for group, n := range perGroup {
		if n < 5 {
			t.Errorf("%s has %d foods", group, n)
		}
	}
	if len(distinct) < 100 {
		t.Errorf("%d distinct emoji", len(distinct))
	}
	for k, name := range w.Tastes {
		n := 0
		for _, f := range foods {
			if f.weights[k] == 3 {
				n++
			}
		}
		if name == "" || n < 5 {
			t.Errorf("taste %d, %q, is strong in %d foods", k, name, n)
		}
	}
}

// The worth of a food is what people think of it on average.
func TestWorthIsTheMeanOverPeople(t *testing.T) {
	w := New()
	for i, f := range foods {
		mean := w.Truth.U[i]
		for k := range tastes {
			mean += w.Truth.W[i*tastes+k] * w.Truth.PriorMeans()[k]
		}
		if d := mean - worthScale*f.worth; !(d > -1e-12 && d < 1e-12) {
			t.Errorf("%s: mean %g, worth %g", f.ID, mean, worthScale*f.worth)
		}
	}
}
