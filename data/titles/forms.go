package titles

import (
	"slices"
	"strings"
)

// kind is how a form is made from a name, from the surest to the least sure.
type kind uint8

const (
	whole    kind = iota // the title
	other                // a title in brackets
	numbered             // without the word "part" before a number
	bare                 // without its article
	leet                 // with letters in place of digits within words
	piece                // what stands before or behind a colon
	loose                // without a first word that may be an article of another language
)

// costs order the kinds: of two items the one with the smaller sum, of its kind and that of the query, is meant.
var costs = [...]float32{whole: 0, other: 1, numbered: 1, bare: 2, leet: 2, piece: 3, loose: 4}

// form is one way to write a title. Two titles are the same if they have a form with the same key.
type form struct {
	key   string // words without spaces, numbers in digits
	kind  kind
	head  bool // of a piece: it is the beginning of the title
	cost  float32
	words uint8  // number of words, at most 255
	exact uint32 // checksum of the folded title before numbers were unified and spaces removed
}

// breaks are the texts between the parts of a title.
var breaks = []string{": ", " - ", " – ", " — ", "; ", " / ", "... ", " or: ", ", or "}

// eachBreak calls cut with the parts of a title before and behind each break.
func eachBreak(text string, cut func(before, behind string)) {
	if !strings.ContainsAny(text, ":-–—;/.") && !strings.Contains(text, " or") {
		return
	}
	for _, between := range breaks {
		for from := 0; ; {
			at := strings.Index(text[from:], between)
			if at < 0 {
				break
			}
			at += from
			from = at + len(between)
			if at > 0 && from < len(text) {
				cut(strings.TrimRight(text[:at], " ,"), strings.TrimLeft(text[from:], " "))
			}
		}
	}
}

func formOf(folded string, k kind) form {
	sum := uint32(2166136261) // FNV-1a
	for n := range len(folded) {
		sum = (sum ^ uint32(folded[n])) * 16777619
	}
	return form{key: squash(unified(folded)), kind: k, cost: costs[k], words: uint8(min(255, 1+strings.Count(folded, " "))), exact: sum}
}

// forms returns the forms of a name, each key once, in its surest kind.
func (p *parsed) forms() []form {
	list := make([]form, 0, 8)
	add := func(f form) {
		if f.key != "" && !slices.ContainsFunc(list, func(g form) bool { return g.key == f.key && g.kind <= f.kind }) {
			list = append(list, f)
		}
	}
	each := func(t title, k kind) {
		if t.text == "" {
			return
		}
		folded := fold(t.text)
		add(formOf(folded, k))
		words := unified(folded)
		if without := withoutParts(words); without != words {
			add(formOf(without, max(k, numbered)))
			addBare(add, without, t)
		}
		addBare(add, folded, t)
		for _, text := range spelled(folded) {
			add(formOf(text, leet))
		}
	}
	each(p.main, whole)
	for _, t := range p.others {
		each(t, other)
	}
	each(p.full, other)
	pieces(p.main, add)
	for _, t := range p.others {
		pieces(t, add)
	}
	return list
}

// pieces adds the parts of a title. One costs more the less of the title it is.
func pieces(t title, add func(form)) {
	eachBreak(t.text, func(before, behind string) {
		for n, text := range []string{before, behind} {
			part := turned(text)
			folded := fold(part.text)
			if !tells(folded) {
				continue
			}
			put := func(f form) {
				if f.kind == loose {
					return
				}
				f.kind, f.head = piece, n == 0
				f.cost = costs[piece] + 1 - float32(len(text))/float32(len(t.text))
				add(f)
			}
			put(formOf(folded, piece))
			addBare(put, folded, part)
		}
	})
}

// addBare adds a title without its first word, where that is an article, or looks like one.
func addBare(add func(form), folded string, t title) {
	article, rest, more := strings.Cut(folded, " ")
	switch {
	case t.proved && strings.HasPrefix(folded, "l") && (strings.HasPrefix(t.text[1:], "'") || strings.HasPrefix(t.text[1:], "’")): // l'avventura is one word
		add(formOf(folded[1:], bare))
	case !more:
	case t.proved || slices.Contains(english, article):
		add(formOf(rest, bare))
	case slices.Contains(foreign, article) && len(rest) > 3:
		add(formOf(rest, loose))
	}
}

// tells reports whether a piece of a title says which title it is: "episode 4" does not.
func tells(folded string) bool {
	letters := 0
	for word := range strings.SplitSeq(unified(folded), " ") {
		if !isNumber(word) && !slices.Contains(parts, word) && !slices.Contains(english, word) {
			letters += len(word)
		}
	}
	return letters >= 1
}
