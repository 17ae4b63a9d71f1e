package votes

import (
	"io"
	"slices"

	"fubini/data/codec"
	"fubini/data/grade"
	"fubini/data/text"
	"fubini/data/tierlist"
)

// tierLine is a tier list in one line: an object with tiers, and perhaps a weight, a rater and covariates, or the tiers alone.
type tierLine struct {
	scanner
	b             *builder
	lines         *text.Lines
	weight, rater []byte
	votes         [][]byte             // by covariate
	place         []map[string]float64 // by covariate and item
}

// readTierLines reads tier lists, one a line.
func (b *builder) readTierLines(in *codec.Input) error {
	b.Counts.Form = "tiers"
	l := in.Lines()
	b.errorAt = l.ErrorAt
	t := tierLine{b: b, lines: l, votes: make([][]byte, len(b.o.Votes)), place: make([]map[string]float64, len(b.o.Place))}
	for {
		line, err := l.NextFilled()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		b.begin(l.Number)
		if b.Counts.Records == 1 {
			if err := b.chooseKeys(keysOf(line)); err != nil {
				return err
			}
		}
		t.Rest = line
		if err = t.read(); err == nil {
			err = t.keep()
		}
		if err == errJSON {
			return b.errorf(`%s is not one tier list; write it like {"tiers":[["a","b"],["c"]]}`, text.Quote(line))
		} else if err != nil {
			return err
		}
	}
}

// chooseKeys finds the keys to read among those of the first line.
func (b *builder) chooseKeys(keys []string) error {
	h, err := b.named(newHeader(keys))
	if err != nil {
		return b.errorf("%w", err)
	}
	weight, rater, err := b.weightAndRater(h)
	if err != nil {
		return err
	}
	if k := h.index("tiers"); k >= 0 {
		b.tiersKey = h.names[k]
	}
	read := slices.Concat(b.o.Votes, b.o.Place)
	for _, name := range read {
		if !slices.Contains(keys, name) {
			return b.noColumn(h, name)
		}
	}
	for k, key := range keys {
		if k != weight && k != rater && key != b.tiersKey && key != "unranked" && !slices.Contains(read, key) {
			b.Counts.Ignored = append(b.Counts.Ignored, key)
		}
	}
	return nil
}

// read takes the line apart and places the items.
func (t *tierLine) read() error {
	t.weight, t.rater = nil, nil
	clear(t.votes)
	clear(t.place)
	found := t.peek() == '['
	var err error
	if found {
		err = t.tiers()
	} else {
		err = t.object(func(key []byte) error {
			switch string(key) {
			case t.b.tiersKey:
				if found {
					return t.b.errorf(`key %s stands twice; write one list a line`, text.Quote(key))
				}
				found = true
				return t.tiers()
			case "unranked":
				return t.several('[', ']', func() error {
					t.b.Counts.Unranked++
					return t.skip()
				})
			}
			return t.member(string(key))
		})
	}
	if err == nil && (!found || !t.AtEnd()) {
		return errJSON
	}
	return err
}

// tiersByName takes an object with a list of items for each tier, in the order of their grades, or else as it is written.
func (t *tierLine) tiersByName() error {
	var tiers []tierlist.Tier
	err := t.object(func(name []byte) error {
		tier := tierlist.Tier{Name: string(name)}
		err := t.several('[', ']', func() error {
			id, err := t.value()
			tier.Items = append(tier.Items, string(id))
			return err
		})
		tiers = append(tiers, tier)
		return err
	})
	if err != nil {
		return err
	}
	grade.Sort(tiers, func(tier tierlist.Tier) string { return tier.Name })
	place := int32(0)
	for _, tier := range tiers {
		for _, id := range tier.Items {
			if err := t.b.place([]byte(id), place); err != nil {
				return err
			}
		}
		if len(tier.Items) > 0 {
			place++
		}
	}
	return nil
}

// tiers takes a list of tiers, each a list of items or an object with one, or an object of tiers by their names. An empty tier
// does not count.
func (t *tierLine) tiers() error {
	if t.peek() == '{' {
		return t.tiersByName()
	}
	tier := int32(0)
	items := func() error {
		return t.several('[', ']', func() error {
			id, err := t.value()
			if err != nil {
				return err
			}
			return t.b.place(id, tier)
		})
	}
	return t.several('[', ']', func() error {
		before := len(t.b.Item)
		var err error
		if t.peek() == '[' {
			err = items()
		} else {
			err = t.object(func(key []byte) error {
				if string(key) == "items" {
					return items()
				}
				return t.skip()
			})
		}
		if len(t.b.Item) > before {
			tier++
		}
		return err
	})
}

// member takes a weight, a rater or a covariate.
func (t *tierLine) member(key string) (err error) {
	o, counts := &t.b.o, &t.b.Counts
	vote, place := slices.Index(o.Votes, key), slices.Index(o.Place, key)
	switch {
	case key == "":
		return t.skip()
	case key == counts.WeightColumn:
		t.weight, err = t.value()
	case key == counts.RaterColumn:
		t.rater, err = t.value()
	case vote >= 0:
		t.votes[vote], err = t.value()
	case place >= 0:
		t.place[place] = map[string]float64{}
		err = t.object(func(item []byte) error {
			name := string(item)
			cell, err := t.value()
			if err == nil {
				t.place[place][name], err = t.b.covariate(key, cell, false)
			}
			return err
		})
	default:
		if counts.WeightColumn == "" {
			if err := late(t.lines, []byte(key), nil); err != nil {
				return err
			}
		}
		return t.skip()
	}
	return err
}

// keep makes the list a vote, if something can be learned from it.
func (t *tierLine) keep() (err error) {
	b := t.b
	weight := 1.
	if b.Counts.WeightColumn != "" {
		if weight, err = b.weigh(t.weight, false); err != nil {
			return err
		}
	}
	if !b.keeps(weight) {
		return nil
	}
	if b.Counts.RaterColumn != "" {
		if err := b.rate(t.rater); err != nil {
			return err
		}
	}
	for k, cell := range t.votes {
		x, err := b.covariate(b.o.Votes[k], cell, false)
		if err != nil {
			return err
		}
		b.Vote = append(b.Vote, x)
	}
	for _, item := range b.Item[b.from():] {
		for k, numbers := range t.place {
			x, known := numbers[b.Items[item]]
			if !known {
				return b.errorf("covariate %s of item %s is missing; fill it in, or take the line out", text.Quote(b.o.Place[k]), text.Quote(b.Items[item]))
			}
			b.Place = append(b.Place, x)
		}
	}
	b.end(weight)
	return nil
}

// readTierList reads one tier list over several lines.
func (b *builder) readTierList(in *codec.Input) error {
	if err := b.only(in.Name, "tiers"); err != nil {
		return err
	}
	list, err := tierlist.Parse(in.R, in.Name)
	if err != nil {
		return err
	}
	b.begin(1)
	b.Counts.Unranked = len(list.Unranked)
	tier := int32(0)
	for _, t := range list.Tiers {
		for _, id := range t.Items {
			if err := b.place([]byte(id), tier); err != nil {
				return err
			}
		}
		if len(t.Items) > 0 {
			tier++
		}
	}
	if b.keeps(1) {
		b.end(1)
	}
	return nil
}
