package codec

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"fubini/data/ratings"
	"fubini/data/text"
	"fubini/data/tierlist"
)

// TierList is the format of one person's tier list in JSON; package tierlist describes it.
var TierList = Codec{
	Name:       "tiers",
	Extensions: []string{".json"},
	Detect:     tierlist.Detect,
	Read:       readTiers,
	Write:      writeTiers,
}

func readTiers(in *Input, b *ratings.Builder, _ Options) error {
	list, err := tierlist.Parse(in.R, in.Name)
	if err != nil {
		return err
	}
	records := places(list, in.Counts)
	in.Counts.Lines += len(records)
	for _, r := range records {
		if r.Unplaced {
			b.Aside(me, r.Item)
			continue
		}
		if err := b.Place(me, r.Item, r.Tiers, int(r.Value), ratings.NoTime); err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
	}
	return nil
}

// places are the records of a tier list, without their user, those of unranked items last. An empty tier counts if it has a name, which other lists may
// have too.
func places(list *tierlist.List, counts *Report) (records []Record) {
	var names []string
	for _, tier := range slices.Backward(list.Tiers) {
		if len(tier.Items) > 0 || tier.Name != "" {
			names = append(names, tier.Name)
		} else {
			counts.Lines++
			counts.Drop("empty tier")
		}
	}
	level := len(names)
	for _, tier := range list.Tiers {
		for _, id := range tier.Items {
			records = append(records, Record{Item: []byte(id), Value: float32(level), Tiers: names, When: ratings.NoTime})
		}
		if len(tier.Items) > 0 || tier.Name != "" {
			level--
		}
	}
	for _, id := range list.Unranked {
		records = append(records, Record{Item: []byte(id), Unplaced: true, When: ratings.NoTime})
	}
	return records
}

// TiersOf returns the tier list of a user of a set: a tier for each value, the largest first, with items in the order
// of their ids. Tiers have the names of the set, or else those of the pages where people make tier lists.
func TiersOf(s *ratings.Set, user int) *tierlist.List {
	letters := []string{"S", "A", "B", "C", "D", "E", "F"}
	return listOf(s, user, func(value float32, k, tiers int) string {
		if name := levelName(s, value); name != "" {
			return name
		}
		if tiers <= len(letters) {
			return letters[k]
		}
		return strconv.Itoa(k + 1)
	})
}

// levelName is the name of a value in a set of tier lists with common names.
func levelName(s *ratings.Set, value float32) string {
	if k := int(value); float32(k) == value && k >= 1 && k <= len(s.LevelNames()) {
		return s.LevelNames()[k-1]
	}
	return ""
}

// listOf is the tier list of a user, with a name for the k-th of some tiers and its value.
func listOf(s *ratings.Set, user int, name func(value float32, k, tiers int) string) *tierlist.List {
	row := s.Row(user)
	t := &tierlist.List{Tiers: []tierlist.Tier{}, Unranked: s.Unplaced(s.Users().ID(uint32(user)))}
	order, err := ratings.Order(row)
	if err != nil { // there are no ratings
		return t
	}
	for k, places := range order.Blocks() {
		tier := tierlist.Tier{Name: name(row.Values[places[0]], k, order.Len())}
		for _, place := range places {
			tier.Items = append(tier.Items, s.Items().ID(row.Items[place]))
		}
		t.Tiers = append(t.Tiers, tier)
	}
	return t
}

func writeTiers(w io.Writer, s *ratings.Set, _ Options) error {
	if n := len(everybody(s)); n != 1 || s.Len() == 0 {
		return fmt.Errorf("format: a tiers file holds one user; there are %d: write %s, one a line", n, TierLists.Name)
	}
	if err := checkUTF8(s); err != nil {
		return err
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(TiersOf(s, 0))
}

// everybody are the ids of all users, those too who have placed nothing.
func everybody(s *ratings.Set) []string {
	return slices.Compact(slices.Sorted(slices.Values(append(s.Users().IDs(), s.UnplacedUsers()...))))
}

// checkUTF8 refuses ids that cannot stand in JSON.
func checkUTF8(s *ratings.Set) error {
	check := func(kind, id string) (string, error) {
		if !utf8.ValidString(id) {
			return "", fmt.Errorf("format: %s %s cannot stand in JSON: it is not UTF-8", kind, text.Quote(id))
		}
		return id, nil
	}
	_, _, err := writtenIDs(s, check)
	for _, user := range s.UnplacedUsers() {
		_, wrong := check("user", user)
		for _, id := range s.Unplaced(user) {
			if wrong == nil {
				_, wrong = check("item", id)
			}
		}
		err = cmp.Or(err, wrong)
	}
	return err
}
