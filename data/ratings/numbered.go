package ratings

import "strconv"

// Some files have each id once, in a dictionary, and its code in the rows. Their reader asks for the number of an id when it meets the first row with it,
// and adds many ratings at once by the numbers.

// IDs numbers the ids of the users or of the items of a [Builder].
type IDs struct{ vocabulary *Vocabulary }

// UserIDs returns the numbering of the users.
func (b *Builder) UserIDs() IDs { return IDs{b.users} }

// ItemIDs returns the numbering of the items.
func (b *Builder) ItemIDs() IDs { return IDs{b.items} }

// Number returns the number of an id, a new one if need be. The id is not empty; it is copied.
func (n IDs) Number(id []byte) uint32 { return n.vocabulary.add(id) }

// Decimal is Number for an id that is a whole number.
func (n IDs) Decimal(id int64) uint32 {
	decimal := n.vocabulary.short.decimal
	if uint64(id) < uint64(len(decimal)) && decimal[id] != 0 {
		return decimal[id] - 1
	}
	var text [20]byte // the longest is -9223372036854775808
	return n.vocabulary.add(strconv.AppendInt(text[:0], id, 10))
}

// AddNumbered adds ratings of users and items by their numbers, for a builder that is [Builder.Plain]. Ratings are finite, and times may be nil. Each
// number is that of an id, and those of new users come in the order in which they were given.
func (b *Builder) AddNumbered(users, items []uint32, values []float32, when []int64) {
	before := b.Len()
	b.owners.addEach(users)
	b.item.appendBelow(b.items.Len(), items)
	b.value.append(values)
	none := len(users)
	for _, t := range when {
		if t != NoTime {
			none--
		}
	}
	b.addTimes(before, len(users), none, when)
}

// addTimes adds the times of n ratings, of which some have none, behind those of the ratings before.
func (b *Builder) addTimes(before, n, none int, when []int64) {
	b.untimed += none
	switch {
	case none < n:
		b.fillTimes(before)
		b.when.append(when)
	case b.when.len() > 0: // no memory for times before the first
		b.fillTimes(before + n)
	}
}
