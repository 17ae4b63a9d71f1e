package titles

import (
	"regexp"
	"strings"
)

// Other ways to write a title, for one that is found in no other way.
var (
	// owner is who shows a film, before its title: "Marvel's The Avengers", "National Lampoon's Animal House".
	owner = regexp.MustCompile(`^\S+( \S+)?['’]s (.+)$`)
	// part is the number of a film in its series, before a subtitle: "Star Trek 2: The Wrath of Khan".
	part = regexp.MustCompile(`^(.*[^0-9 ]) ([0-9]{1,2}|[IVX]+): (.+)$`)
	// umlauts are German letters as they are written without dots; fold takes the dots off.
	umlauts = strings.NewReplacer("ue", "u", "oe", "o", "ae", "a", "Ue", "U", "Oe", "O", "Ae", "A")
)

// resortScore is that of a match by another way to write the title.
const resortScore = 0.7

// resort looks for a title without the name of its owner or its number in a series, or with umlauts. What it finds is a guess.
func (x *Index) resort(q Query) Match {
	var others []string
	if found := owner.FindStringSubmatch(q.Title); found != nil {
		others = append(others, found[2])
	}
	if found := part.FindStringSubmatch(q.Title); found != nil {
		others = append(others, found[1]+": "+found[3])
	}
	if plain := umlauts.Replace(q.Title); plain != q.Title {
		others = append(others, plain)
	}
	for _, other := range others {
		for _, each := range (Query{Title: other, Year: q.Year}).readings() {
			m := x.byForms(&each)
			if m.How == None {
				m = x.close(&each)
			}
			switch m.How {
			case Ambiguous:
				return m
			case None:
			default:
				return Match{How: Guess, Item: m.Item, Score: min(m.Score, resortScore)}
			}
		}
	}
	return Match{How: None, Item: -1}
}
