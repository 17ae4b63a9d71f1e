package board

import (
	"fmt"
	"strings"
)

// Words says in a sentence whether the raters have one taste, so that one board is enough.
func (t *Tastes) Words() string {
	gain := fmt.Sprintf("%.4f nats a vote (standard error %.4f), held out", t.Gain, t.StdError)
	if t.Enough {
		return fmt.Sprintf("One board is enough: tastes gain %s.", gain)
	}
	counts := []string{"No tastes", "One taste", "Two tastes", "Three tastes", "Four tastes", "Five tastes", "Six tastes", "Seven tastes", "Eight tastes"}
	tastes := fmt.Sprintf("%d tastes", len(t.Groups))
	if len(t.Groups) < len(counts) {
		tastes = counts[len(t.Groups)]
	}
	return fmt.Sprintf("%s explain the votes better than one board: %s.", tastes, gain)
}

// On is the tastes with all worths on another scale: times scale, plus mean.
func (t Tastes) On(scale, mean float64) *Tastes {
	groups := make([]Taste, len(t.Groups))
	for k, g := range t.Groups {
		groups[k] = Taste{Share: g.Share, Raters: g.Raters, Worths: make([]Worth, len(g.Worths))}
		for i, w := range g.Worths {
			groups[k].Worths[i] = Worth{mean + scale*w.Worth, scale * w.StdError, w.Apart}
		}
	}
	t.Groups, t.Units = groups, coefficientsOn(t.Units, scale)
	return &t
}

// Words says in a sentence, with the names of the first two items, how many votes their order rests on.
func (i *Influence) Words(first, second string) string {
	turned := fmt.Sprintf("No number of votes for %s was found whose removal makes %s and %s change places", first, first, second)
	if i.Votes != nil {
		removed := fmt.Sprintf("about %.0f votes for %s are removed", *i.Votes, first)
		switch {
		case i.Fewest && *i.Votes > 1:
			removed = fmt.Sprintf("the %.0f most influential votes for %s are removed, and not if one fewer is", *i.Votes, first)
		case i.Fewest:
			removed = fmt.Sprintf("the most influential vote for %s is removed", first)
		case *i.Votes <= 1:
			removed = fmt.Sprintf("about one vote for %s is removed", first)
		}
		turned = fmt.Sprintf("%s and %s change places if %s", first, second, removed)
	}
	ranks := fmt.Sprintf("%d of the first %d ranks change", i.Moved, i.Top)
	if i.Moved < 2 {
		ranks = fmt.Sprintf("%s of the first %d ranks changes", []string{"none", "one"}[i.Moved], i.Top)
	}
	return fmt.Sprintf("%s. Without the most influential votes (1 %%, at least one), %s.", turned, ranks)
}

// Words names in sentences the groups of items whose order or distance the votes do not determine; name returns the name of an item.
func (o *Undecided) Words(name func(id string) string) string {
	var sentences []string
	if len(o.Apart) > 0 {
		sentences = append(sentences, fmt.Sprintf("No vote compares items of one of these groups with those of another: %s. Their order against one another comes from the prior alone.", groupsOf(o.Apart, name)))
	}
	if len(o.OneSided) > 0 {
		sentences = append(sentences, fmt.Sprintf("Between any two of these groups one side always won: %s. How far they are apart comes from the prior.", groupsOf(o.OneSided, name)))
	}
	return strings.Join(sentences, " ")
}

// groupsOf names a few items of a few groups; the report has all.
func groupsOf(groups [][]string, name func(id string) string) string {
	const mostGroups, mostItems = 6, 4
	var texts []string
	for k, group := range groups {
		if k == mostGroups && len(groups) > mostGroups+1 {
			texts = append(texts, fmt.Sprintf("and %d more groups", len(groups)-k))
			break
		}
		var names []string
		for i, id := range group {
			if i == mostItems && len(group) > mostItems+1 {
				names = append(names, fmt.Sprintf("and %d more", len(group)-i))
				break
			}
			names = append(names, name(id))
		}
		texts = append(texts, strings.Join(names, ", "))
	}
	return strings.Join(texts, "; ")
}

// Words describes in a sentence how much raters differ in reliability.
func (s *Spread) Words() string {
	words := fmt.Sprintf("Log reliabilities have a standard deviation of %.2f (%.2f to %.2f)", s.Value, s.Low, s.High)
	switch {
	case s.P == nil:
		return words + "."
	case *s.P < 0.05:
		return words + fmt.Sprintf(": raters differ (p %.2g).", *s.P)
	}
	return words + fmt.Sprintf("; that raters are alike is not ruled out (p %.2g).", *s.P)
}
