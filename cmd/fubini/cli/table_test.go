package cli

import (
	"bufio"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// A table is no wider than a terminal: spare columns go first, in their order, then names are cut; one that fits stays as it is, and
// other formats have everything.
func TestTablesFit(t *testing.T) {
	long := strings.Repeat("long ", 20) + "end"
	write := func(format, name string, spare ...string) (string, []string) {
		t.Helper()
		var b strings.Builder
		w := bufio.NewWriter(&b)
		left, err := (&Program{Format: format}).WriteFitted(w, []Record{
			{{"rank", 1}, {"item", "0123456789"}, {"name", name}, {"odds", strings.Repeat("x", 40)}, {"more", strings.Repeat("y", 20)}},
			{{"rank", 2}, {"item", "1"}, {"name", "short"}, {"odds", "x"}, {"more", "y"}},
		}, spare...)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.String(), left
	}
	for _, c := range []struct {
		name  string
		spare []string
		left  []string
		cut   bool
	}{
		{"short", []string{"more", "item"}, []string{"more"}, false}, // 4+2+10+2+5+2+40 = 65
		{"one of 21 characters", []string{"more", "item"}, []string{"more"}, false},
		{"one that has 21 characters", []string{"more", "item"}, []string{"more", "item"}, false}, // 86, then 74
		{long, []string{"more", "item"}, []string{"more", "item"}, true},
	} {
		text, left := write("table", c.name, c.spare...)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > HelpWidth {
				t.Errorf("%s: a line of %d characters:\n%s", c.name, n, text)
			}
		}
		if !slices.Equal(left, c.left) || strings.Contains(text, c.name) == c.cut || strings.Contains(text, "…") != c.cut {
			t.Errorf("%s: left out %v, want %v\n%s", c.name, left, c.left, text)
		}
	}
	if text, left := write("csv", long, "more", "item"); len(left) > 0 || !strings.Contains(text, long) || !strings.Contains(text, "more") {
		t.Errorf("CSV without %v: %s", left, text)
	}
}
