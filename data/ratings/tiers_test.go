package ratings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// placed builds a set of lines: a user, the names of the tiers, best first, with their items, as in "ann S:a,b A:c"; a tier
// without a name has only the colon. A line "ann a=4" is a rating.
func placed(t *testing.T, lines ...string) (*Set, Report) {
	t.Helper()
	b := NewBuilder()
	for _, line := range lines {
		fields := strings.Fields(line)
		var names []string
		for _, tier := range fields[1:] {
			if item, value, rating := strings.Cut(tier, "="); rating {
				var v float32
				if _, err := fmt.Sscan(value, &v); err != nil {
					t.Fatal(err)
				}
				if err := b.Add([]byte(fields[0]), []byte(item), v, NoTime); err != nil {
					t.Fatal(err)
				}
				continue
			}
			name, _, _ := strings.Cut(tier, ":")
			names = append(names, strings.ReplaceAll(name, "_", " "))
		}
		slices.Reverse(names)
		for k, tier := range fields[1:] {
			_, items, is := strings.Cut(tier, ":")
			for item := range strings.SplitSeq(items, ",") {
				if is && item != "" {
					if err := b.Place([]byte(fields[0]), []byte(item), names, len(names)-k, NoTime); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	s, report, err := b.Build(Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return s, report
}

func spelled(s *Set) string {
	var out []string
	for u := range s.users.Len() {
		row := s.Row(u)
		for k, i := range row.Items {
			out = append(out, fmt.Sprintf("%s/%s=%g", s.users.ID(uint32(u)), s.items.ID(i), row.Values[k]))
		}
	}
	return strings.Join(out, " ")
}

func TestTiersBecomeValues(t *testing.T) {
	for _, c := range []struct {
		lines  string
		want   string
		names  string
		own    bool
		spread bool
	}{
		{"ann S:a B:b|bob A+:a b-:b F:c", "ann/a=5 ann/b=3 bob/a=4 bob/b=2 bob/c=1", "F B- B A+ S", false, false},
		{"ann tier_1:a tier_3:b|bob Tier_2:a", "ann/a=3 ann/b=1 bob/a=2", "tier 3|tier 2|tier 1", false, false},
		{"ann S:a A:b|bob A:a S:b", "ann/a=2 ann/b=1 bob/a=2 bob/b=1", "", true, false}, // A above S is no grade
		{"ann love:a like:b meh:c|bob love:a meh:b", "ann/a=3 ann/b=2 ann/c=1 bob/a=3 bob/b=1", "meh like love", false, false},
		{"ann love:a like:b|bob like:a love:b", "ann/a=2 ann/b=1 bob/a=2 bob/b=1", "", true, false},
		{"ann love:a like:b|bob yes:a no:b", "ann/a=2 ann/b=1 bob/a=2 bob/b=1", "", true, false},
		{"ann :a :b :c|bob :a :b", "ann/a=3 ann/b=2 ann/c=1 bob/a=2 bob/b=1", "", true, false},
		{"ann S:a :b|bob S:a A:b", "ann/a=2 ann/b=1 bob/a=2 bob/b=1", "", true, false},
		{"ann 4.5:a 1:b|bob 3:b", "ann/a=4.5 ann/b=1 bob/b=3", "", false, false},
		{"ann 1:a 2:b|bob 1:a 2:b 3:c", "ann/a=3 ann/b=2 bob/a=3 bob/b=2 bob/c=1", "3 2 1", false, false}, // 1 is the best: names like others
		{"ann rank_1:a rank_2:b|bob rank_1:a", "ann/a=2 ann/b=1 bob/a=2", "", true, false},
		{"ann a=5 b=1|bob S:a A:b B:c", "ann/a=5 ann/b=1 bob/a=5 bob/b=3 bob/c=1", "", false, true},
		{"bob :a :b|ann a=10 b=2|cat :c", "ann/a=10 ann/b=2 bob/a=10 bob/b=2 cat/c=6", "", false, true},
		{"ann 5:a 2:b|bob a=1", "ann/a=5 ann/b=2 bob/a=1", "", false, false},
	} {
		s, report := placed(t, strings.Split(c.lines, "|")...)
		names := strings.Join(s.LevelNames(), " ")
		if strings.Contains(c.names, "|") {
			names = strings.Join(s.LevelNames(), "|")
		}
		if got := spelled(s); got != c.want || names != c.names || s.Own() != c.own || report.Spread != c.spread {
			t.Errorf("%s: %s, names %q, own %v, spread %v", c.lines, got, names, s.Own(), report.Spread)
		}
		if want := strings.Count(c.want, "=") - strings.Count(c.lines, "="); report.Placed != want {
			t.Errorf("%s: %d placed, want %d", c.lines, report.Placed, want)
		}
	}
}

func TestSpread(t *testing.T) {
	s, _ := placed(t, "ann :a :b :c :d :e", "bob :a :b,c", "cat :a,b", "dan :a :b :c")
	const want = "ann/a=5 ann/b=4 ann/c=3 ann/d=2 ann/e=1 bob/a=5 bob/b=1 bob/c=1 cat/a=3 cat/b=3 dan/a=5 dan/b=3 dan/c=1"
	spread := s.Spread()
	if got := spelled(spread); got != want || spread.Own() {
		t.Errorf("%s", got)
	}
	if spelled(s) == want {
		t.Error("spreading changed the set itself")
	}
	if again := spread.Spread(); again != spread {
		t.Error("a common scale is spread again")
	}
	split, err := s.Given(1, 1, 1)
	if err != nil || !split.Training.Set().Own() || !split.Holdout.Set().Own() {
		t.Errorf("parts of a set forget that tiers are each user's own: %v", err)
	}
}

// The order and the ties of every user stay, whatever the names.
func TestTiersKeepOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBuilder()
		type place struct{ user, item string }
		level := map[place]int{}
		for u := range rapid.IntRange(1, 5).Draw(t, "users") {
			names := make([]string, rapid.IntRange(1, 5).Draw(t, "tiers"))
			pool := rapid.SampledFrom([][]string{{""}, {"F", "D", "C-", "B", "S"}, {"1", "2", "2.5", "4", "9"}, {"5", "4", "3", "2", "1"}, {"no", "so", "yes", "x", "y"}}).Draw(t, "names")
			for k := range names {
				names[k] = pool[min(k, len(pool)-1)]
			}
			for i := range rapid.IntRange(1, 6).Draw(t, "items") {
				p := place{fmt.Sprint("u", u), fmt.Sprint("i", i)}
				level[p] = rapid.IntRange(1, len(names)).Draw(t, "level")
				if err := b.Place([]byte(p.user), []byte(p.item), names, level[p], NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		if rapid.Bool().Draw(t, "rated") {
			for i, v := range []float32{-2, 7} {
				if err := b.Add([]byte("rater"), []byte(fmt.Sprint("i", i)), v, NoTime); err != nil {
					t.Fatal(err)
				}
			}
		}
		s, _, err := b.Build(Refuse)
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range []*Set{s, s.Spread()} {
			for u := range set.Users().Len() {
				row := set.Row(u)
				for a, i := range row.Items {
					for b, j := range row.Items {
						user := set.Users().ID(uint32(u))
						if user == "rater" {
							continue
						}
						x, y := level[place{user, set.Items().ID(i)}], level[place{user, set.Items().ID(j)}]
						if (x < y) != (row.Values[a] < row.Values[b]) {
							t.Fatalf("user %s: levels %d and %d have the values %g and %g", user, x, y, row.Values[a], row.Values[b])
						}
					}
				}
			}
		}
	})
}
