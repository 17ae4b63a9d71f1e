package titles

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// edits is the number of letters that may differ in a guess, by the length of a title. A short title needs a year that
// agrees.
func edits(length int, dated bool) int {
	switch {
	case length >= 15:
		return 3
	case length >= 9:
		return 2
	case length >= 6, length >= 4 && dated:
		return 1
	}
	return 0
}

// surely is the score above which no better one is looked for.
const surely = 0.85

// close finds the entry whose title is close to the query: by letters, or by words.
func (x *Index) close(p *parsed) Match {
	x.nearOnce.Do(func() { x.near = x.buildNear() })
	scores := map[int]float64{}
	best := 0.0
	put := func(item int, score float64) {
		scores[item] = max(score, scores[item])
		best = max(best, score)
	}
	for _, t := range append([]title{p.main}, p.others...) {
		words := bareWords(t)
		if key := squash(words); len(key) <= maxKey-4 {
			x.byLetters(p, key, put)
		}
		if best < surely { // words say less than letters
			x.byWords(p, words, put)
		}
	}
	none := Match{How: None, Item: -1}
	if best == 0 {
		return none
	}
	// Scores that differ by less than this say nothing about which title is meant.
	const margin = 0.02
	var items []int
	for item, score := range scores {
		if score > best-margin {
			items = append(items, item)
		}
	}
	if len(items) > 1 {
		return Match{How: Ambiguous, Item: -1, Candidates: x.byFame(items), Score: best}
	}
	return Match{How: Guess, Item: items[0], Score: best}
}

// byLetters puts entries with a title a few edits away. The score is the share of letters that agree.
func (x *Index) byLetters(p *parsed, key string, put func(item int, score float64)) {
	most := edits(len(key), p.year != 0)
	if most == 0 {
		return
	}
	x.near.within(key, most, p.year, func(found *nearKey, d int) {
		gap, dated := x.gap(p.year, int(found.item))
		if dated && gap > nearYears || d > edits(min(len(key), len(found.text)), dated && gap == 0) {
			return
		}
		score := 1 - float64(max(d, 1))/float64(max(len(key), len(found.text)))
		if dated && gap == 0 {
			score += (1 - score) / 2
		}
		put(int(found.item), min(score, 0.99))
	})
}

// byWords puts entries whose title has all words of the query, or the query all words of theirs. The score grows with the
// share of the words that both have, in which rare words count more.
func (x *Index) byWords(p *parsed, words string, put func(item int, score float64)) {
	const longest = 3000 // keys with a word; more words are too common to start from
	n := x.near
	own := n.numbers(words, false)
	unknown := 0 // words that no title has
	for word := range strings.SplitSeq(words, " ") {
		if _, known := n.number[word]; !known && !slices.Contains(small, word) {
			unknown++
		}
	}
	c := n.scratch.Get().(*counter)
	defer n.scratch.Put(c)
	defer c.clear()
	rare := 0
	for _, word := range own {
		if keys := n.words.of(word); len(keys) <= longest {
			c.add(keys)
			rare++
		}
	}
	if rare == 0 {
		return
	}
	inner := map[int]float64{} // entries whose title has all words of the query, and some more, with the share
	ownWeight := n.weight(own) + float64(unknown)*math.Log(1+float64(len(n.keys)))
	numbers, common := numbersIn(words), len(own)-rare
	for _, k := range c.seen {
		count := int(c.count[k])
		if inside, around := unknown == 0 && count == rare, count+common >= int(n.counts[k]); !inside && !around || !n.fits(k, p.year) {
			continue
		}
		x.weigh(p, &n.keys[k], own, unknown, ownWeight, numbers, inner, put)
	}
	if len(inner) == 1 && len(squash(words)) > 1 { // nothing else can be meant
		for item, share := range inner {
			put(item, 0.5+0.2*share)
		}
	}
}

// weigh puts the entry of a key that has all words of the query, or all of whose words the query has.
func (x *Index) weigh(p *parsed, key *nearKey, own []uint32, unknown int, ownWeight float64, numbers []string, inner map[int]float64, put func(item int, score float64)) {
	gap, dated := x.gap(p.year, int(key.item))
	shared, count := 0.0, 0
	for _, n := range key.words {
		if _, there := slices.BinarySearch(own, n); there {
			shared += x.near.weights[n]
			count++
		}
	}
	inside := count == len(own) && unknown == 0
	around := count == len(key.words)
	if !inside && !around {
		return
	}
	share := shared / max(ownWeight, x.near.weight(key.words))
	agrees := dated && gap == 0
	// Without a year most of the title must be there, and in any case its numbers.
	least := 0.6
	switch {
	case agrees && count > 1:
		least = 0.3
	case agrees:
		least = 0.5
	case count > 1 && around && !inside:
		least = 0.45
	}
	if around && !inside && !subset(numbers, key.text) {
		return
	}
	if share < least || count < 2 && !agrees {
		if inside {
			inner[int(key.item)] = max(inner[int(key.item)], share)
		}
		return
	}
	score := 0.5 + 0.4*share
	if agrees {
		score += 0.05
	}
	put(int(key.item), score)
}

// weight is the sum of the weights of words.
func (n *near) weight(words []uint32) (sum float64) {
	for _, word := range words {
		sum += n.weights[word]
	}
	return sum
}

// numbersIn are the words that are numbers.
func numbersIn(words string) (list []string) {
	for word := range strings.SplitSeq(words, " ") {
		if isNumber(word) {
			list = append(list, word)
		}
	}
	return list
}

// subset reports whether all numbers are in a key.
func subset(numbers []string, key string) bool {
	return !slices.ContainsFunc(numbers, func(n string) bool { return !strings.Contains(key, n) })
}

// Closest returns up to n entries whose titles have at least a quarter of their trigrams in common with a text, the closest first.
func (x *Index) Closest(title string, n int) []int {
	return x.nearest(title, n, 0.25, func(common, text, name int) float64 { return 2 * float64(common) / float64(text+name) })
}

// Having returns up to n entries whose titles have at least a given share of the trigrams of a text, the largest share first: a text
// may be a small part of a title.
func (x *Index) Having(title string, n int, least float64) []int {
	return x.nearest(title, n, least, func(common, text, _ int) float64 { return float64(common) / float64(text) })
}

// nearest returns up to n entries by a score of their titles, where it is at least a given one: a function of the number of trigrams in
// common with a text, that of the text and that of the title. Of the same score the larger weight comes first.
func (x *Index) nearest(title string, n int, least float64, score func(common, text, name int) float64) []int {
	x.nearOnce.Do(func() { x.near = x.buildNear() })
	p := parse(title)
	key := squash(bareWords(p.main))
	c := x.near.scratch.Get().(*counter)
	defer x.near.scratch.Put(c)
	defer c.clear()
	grams := gramsOf(key[:min(len(key), maxKey)], nil)
	for _, gram := range grams {
		c.add(x.near.grams.of(gram))
	}
	type scored struct {
		item  int
		score float64
	}
	order := func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(x.entries[b.item].Weight, x.entries[a.item].Weight), cmp.Compare(a.item, b.item))
	}
	var best []scored // the closest so far, in order, each item once
	for _, k := range c.seen {
		found := &x.near.keys[k]
		new := scored{int(found.item), score(int(c.count[k]), len(grams), int(found.grams))}
		if new.score < least || len(best) == n && order(new, best[n-1]) >= 0 {
			continue
		}
		if before := slices.IndexFunc(best, func(s scored) bool { return s.item == new.item }); before >= 0 {
			if best[before].score >= new.score {
				continue
			}
			best = slices.Delete(best, before, before+1)
		}
		at, _ := slices.BinarySearchFunc(best, new, order)
		best = slices.Insert(best, at, new)
		best = best[:min(len(best), n)]
	}
	items := make([]int, len(best))
	for k, s := range best {
		items[k] = s.item
	}
	return items
}
