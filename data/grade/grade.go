// Package grade has names of tiers that say by themselves how good a tier is: S, A+, tier 2, rank 1.
package grade

import (
	"slices"
	"strconv"
	"strings"
)

// Grade is a name of a tier that says by itself how good the tier is.
type Grade struct {
	Name  string // the one way to write it: A+, tier 2
	Kind  Kind
	Order int // among its kind, the best the largest
}

// Kind is a way of naming tiers. Grades of two kinds cannot be compared.
type Kind int

// The kinds of grades.
const (
	Letters Kind = iota // S, A to F
	Tiers               // tier 1, the best
	Ranks               // rank 1, the best
)

// gradeLetters are the letters, the worst first. SS and SSS are above S.
const gradeLetters = "FEDCBAS"

// Of returns the grade that a name stands for: a letter from S, the best, or A to F, perhaps with a plus or a minus
// and the word tier (S, A+, b-, "C tier"), or a number behind the word tier or rank, 1 the best (tier 2).
func Of(name string) (g Grade, ok bool) {
	name = strings.ToUpper(strings.TrimSpace(name))
	for k, word := range []string{"TIER", "RANK"} {
		after, found := strings.CutPrefix(name, word)
		n, err := strconv.ParseUint(strings.TrimLeft(after, " -#"), 10, 31)
		if found && err == nil && n > 0 {
			return Grade{strings.ToLower(word) + " " + strconv.FormatUint(n, 10), Tiers + Kind(k), -int(n)}, true
		}
	}
	if before, found := strings.CutSuffix(name, "TIER"); found {
		name = strings.TrimRight(strings.TrimSuffix(before, "-"), " ") // S-tier is no minus
	}
	letter, sign := name, 0
	switch {
	case strings.HasSuffix(name, "+"):
		letter, sign = name[:len(name)-1], 1
	case strings.HasSuffix(name, "-"):
		letter, sign = name[:len(name)-1], -1
	case strings.HasSuffix(name, "−"):
		letter, sign = strings.TrimSuffix(name, "−"), -1
	}
	at := strings.Index(gradeLetters, letter)
	if len(letter) != 1 || at < 0 {
		if letter != "SS" && letter != "SSS" {
			return Grade{}, false
		}
		at = len(gradeLetters) - 2 + len(letter)
	}
	return Grade{letter + []string{"-", "", "+"}[sign+1], Letters, 3*at + sign}, true
}

// Sort sorts tiers by their names, the best first, if all are grades of one kind; otherwise it leaves them.
func Sort[T any](tiers []T, name func(T) string) {
	for _, t := range tiers {
		first, _ := Of(name(tiers[0]))
		if g, ok := Of(name(t)); !ok || g.Kind != first.Kind {
			return
		}
	}
	slices.SortStableFunc(tiers, func(a, b T) int {
		x, _ := Of(name(a))
		y, _ := Of(name(b))
		return y.Order - x.Order
	})
}
