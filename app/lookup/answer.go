package lookup

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"time"

	"fubini/core/parallel"
	"fubini/data/personal"
)

// Answer is the result of reading a file: people with tiers of the model's items, and a report.
type Answer struct {
	Form   string         `json:"form" doc:"The form that the file was read as: letterboxd, imdb, goodreads and so on"`
	People []AnswerPerson `json:"people"`
	Report AnswerReport   `json:"report"`
}

// AnswerPerson is one person of a file.
type AnswerPerson struct {
	Person string               `json:"person" doc:"Id of the person in the file; me where the file has one person"`
	Tiers  []AnswerTier         `json:"tiers" doc:"Best first; more than 20 levels are put together into 20 tiers"`
	Seen   []string             `json:"seen" doc:"Items that were seen, read or played, and not rated"`
	Times  map[string]time.Time `json:"times,omitempty" doc:"When items of the tiers were rated, by id, where the file says it"`
}

// AnswerTier is a tier with the ids of its items.
type AnswerTier struct {
	Name  string   `json:"name"`
	Items []string `json:"items"`
}

// AnswerReport counts and lists the entries of the file by what was done with them. Lists are cut after 1,000; counts are whole.
type AnswerReport struct {
	Read       int             `json:"read" doc:"Records of the file"`
	Matched    map[string]int  `json:"matched" doc:"Names that are an item for sure, by how: id, exact, folded, alternative"`
	Guessed    []AnswerGuess   `json:"guessed" doc:"Names that are close to an item, which is taken"`
	Ambiguous  []AnswerChoice  `json:"ambiguous" doc:"Names that several items fit; none is taken"`
	NotMatched []AnswerMissing `json:"not_matched" doc:"Names that no item fits"`
	Skipped    []AnswerSkipped `json:"skipped" doc:"Records that were left out"`
	Counts     AnswerCounts    `json:"counts"`
}

// AnswerCounts are the lengths of the lists before they were cut.
type AnswerCounts struct {
	Matched    int `json:"matched"`
	Guessed    int `json:"guessed"`
	Ambiguous  int `json:"ambiguous"`
	NotMatched int `json:"not_matched"`
	Twice      int `json:"twice" doc:"Names of an item that another name of the file is of"`
	Skipped    int `json:"skipped"`
}

// AnswerItem is an item with its name.
type AnswerItem struct {
	Item string `json:"item"`
	Name string `json:"name"`
}

// AnswerGuess is a name that is close to that of an item.
type AnswerGuess struct {
	Text  string  `json:"text" doc:"As the file has it"`
	Line  int     `json:"line" doc:"In the file, or the number of a record in JSON; 0 where it is not known"`
	Item  string  `json:"item"`
	Name  string  `json:"name"`
	Score float64 `json:"score" doc:"How close the names are, below 1"`
}

// AnswerChoice is a name that several items fit.
type AnswerChoice struct {
	Text   string       `json:"text"`
	Line   int          `json:"line"`
	Person string       `json:"person"`
	Tier   int          `json:"tier" doc:"The person's tier that it belongs in, counted from 0; -1 for one that was only seen"`
	Items  []AnswerItem `json:"items" doc:"The most rated first"`
	Time   time.Time    `json:"time,omitzero" doc:"When it was rated, where the file says it"`
}

// AnswerMissing is a name that no item fits.
type AnswerMissing struct {
	Text    string       `json:"text"`
	Line    int          `json:"line"`
	Closest []AnswerItem `json:"closest" doc:"Items with the closest names, for the first 100 names"`
}

// AnswerSkipped is a record that was left out.
type AnswerSkipped struct {
	Text string `json:"text"`
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// Limits of an answer.
const (
	mostTiers   = 20
	mostListed  = 1000
	mostClosest = 100
	MostPeople  = 1000
)

// Import finds the items of an export, for everybody in it.
func (f *Finder) Import(x *personal.Export) *Answer {
	a := &Answer{Form: x.Form, People: []AnswerPerson{}}
	r := &a.Report
	*r = AnswerReport{Read: x.Read, Matched: map[string]int{}, Guessed: []AnswerGuess{}, Ambiguous: []AnswerChoice{}, NotMatched: []AnswerMissing{}, Skipped: []AnswerSkipped{}}
	for k := range x.People {
		f.answerPerson(a, x, &x.People[k])
	}
	for _, n := range x.Reasons {
		r.Counts.Skipped += n
	}
	for _, s := range x.Skipped {
		r.Skipped = append(r.Skipped, AnswerSkipped{s.Text, s.Line, s.Why})
	}
	return a
}

func (f *Finder) answerPerson(a *Answer, x *personal.Export, person *personal.Person) {
	p, seen, report := f.person(x, person)
	levels := levelsOf(x, person)
	answer := AnswerPerson{Person: person.ID, Tiers: make([]AnswerTier, len(levels)), Seen: f.ids(seen)}
	for k, level := range levels {
		answer.Tiers[k] = AnswerTier{Name: level.name, Items: []string{}}
	}
	for _, each := range p { // in the order of the file
		at := tierOf(levels, each.text.Value)
		id := f.saved.ItemIDs[each.item]
		answer.Tiers[at].Items = append(answer.Tiers[at].Items, id)
		if when := each.text.When; !when.IsZero() {
			if answer.Times == nil {
				answer.Times = map[string]time.Time{}
			}
			answer.Times[id] = when
		}
	}
	a.People = append(a.People, answer)
	r := &a.Report
	for how, n := range report.Matched {
		r.Matched[how] += n
		r.Counts.Matched += n
	}
	r.Counts.Guessed += len(report.Guessed)
	r.Counts.Ambiguous += len(report.Open)
	r.Counts.NotMatched += len(report.Missing)
	r.Counts.Twice += len(report.Twice)
	for _, g := range report.Guessed[:min(len(report.Guessed), mostListed-len(r.Guessed))] {
		r.Guessed = append(r.Guessed, AnswerGuess{g.Text, g.Line, f.saved.ItemIDs[g.Item], f.Name(g.Item), g.Score})
	}
	for _, q := range report.Open[:min(len(report.Open), mostListed-len(r.Ambiguous))] {
		tier := -1
		if !q.Seen {
			tier = tierOf(levels, q.Value)
		}
		r.Ambiguous = append(r.Ambiguous, AnswerChoice{q.Text, q.Line, person.ID, tier, f.items(q.Items[:min(len(q.Items), 20)]), q.When})
	}
	from := len(r.NotMatched)
	for _, m := range report.Missing[:min(len(report.Missing), mostListed-from)] {
		r.NotMatched = append(r.NotMatched, AnswerMissing{m.Text, m.Line, []AnswerItem{}})
	}
	first := r.NotMatched[from:min(len(r.NotMatched), max(from, mostClosest))]
	parallel.Do(len(first), runtime.GOMAXPROCS(0), func(_, k int) { first[k].Closest = f.items(f.Closest(first[k].Text, 3)) })
}

func (f *Finder) ids(items []int) []string {
	ids := make([]string, len(items))
	for k, i := range items {
		ids[k] = f.saved.ItemIDs[i]
	}
	return ids
}

func (f *Finder) items(list []int) []AnswerItem {
	items := make([]AnswerItem, len(list))
	for k, i := range list {
		items[k] = AnswerItem{f.saved.ItemIDs[i], f.Name(i)}
	}
	return items
}

// level is a tier of an answer: all values down to least.
type level struct {
	least float32
	name  string
}

// levelsOf are the tiers of a person, best first. Many levels are put together: ratings by equal steps of their range, places in
// a list by equal numbers.
func levelsOf(x *personal.Export, person *personal.Person) (levels []level) {
	var values []float32
	for k := range person.Placed {
		values = append(values, person.Placed[k].Value)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	slices.Reverse(values)
	if len(values) <= mostTiers {
		for k, v := range values {
			levels = append(levels, level{v, levelName(x, k, v, values[0])})
		}
		return levels
	}
	if !x.Rated {
		for k := range mostTiers {
			from, to := k*len(values)/mostTiers, (k+1)*len(values)/mostTiers
			levels = append(levels, level{values[to-1], fmt.Sprintf("%d–%d", from+1, to)})
		}
		return levels
	}
	high, low := float64(values[0]), float64(values[len(values)-1])
	step := math.Max((high-low)/mostTiers, math.SmallestNonzeroFloat32)
	for k, v := range values {
		bin := min(mostTiers-1, int((high-float64(v))/step))
		if k > 0 && bin == min(mostTiers-1, int((high-float64(values[k-1]))/step)) {
			levels[len(levels)-1].least = v
			continue
		}
		levels = append(levels, level{v, levelName(x, k, v, values[0])})
	}
	return levels
}

// levelName is the name of a tier: that of the file, stars out of five, or a number where one of their ratings is above five.
func levelName(x *personal.Export, place int, value, highest float32) string {
	number := strconv.FormatFloat(float64(value), 'f', -1, 32)
	if name, named := x.Names[value]; named {
		return name
	}
	switch whole, fraction := math.Modf(float64(value)); {
	case !x.Rated:
		return strconv.Itoa(place + 1)
	case x.Scale[1] > 5 || highest > 5:
		return number
	case fraction == 0.5 && whole == 0:
		return "½ ★"
	case fraction == 0.5:
		return strconv.Itoa(int(whole)) + "½ ★"
	}
	return number + " ★"
}

// tierOf is the tier of a value.
func tierOf(levels []level, value float32) int {
	at, _ := slices.BinarySearchFunc(levels, value, func(l level, v float32) int { return cmp.Compare(v, l.least) })
	return min(at, len(levels)-1)
}
