package distributed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"fubini/data/ratings"
)

// Census has counts over users, summed over parts, on which the defaults of training depend.
type Census struct {
	Users   int
	Ratings int
	Lists   int             // users with two ratings or more; others have no order
	Places  int             // items of these lists, of each at most the number that an epoch uses
	Longest int             // the maximum over lists of that number
	Low     float64         // lowest rating
	High    float64         // highest rating
	Items   map[string]Seen // counts of each item, by id

	Digest [4]uint64 // sum over users of hashes of their ratings, for Fingerprint
}

// Seen has the number of ratings of an item.
type Seen struct {
	Ratings int
	Lists   int // ratings of users with two or more
}

// NewCensus counts the users of one part. An epoch uses at most longest items of a list.
func NewCensus(set *ratings.Set, longest int) *Census {
	c := Nobody()
	c.Users, c.Ratings = set.Users().Len(), set.Len()
	if set.Len() > 0 {
		c.Low, c.High = set.Range()
	}
	seen := make([]Seen, set.Items().Len())
	var text []byte
	for u := range set.Users().Len() {
		row := set.Row(u)
		text = append(binary.AppendUvarint(text[:0], uint64(len(set.Users().ID(uint32(u))))), set.Users().ID(uint32(u))...)
		if row.Len() > 1 {
			c.Lists++
			c.Places += min(row.Len(), longest)
			c.Longest = max(c.Longest, min(row.Len(), longest))
		}
		for k, i := range row.Items {
			id := set.Items().ID(i)
			text = append(binary.AppendUvarint(text, uint64(len(id))), id...)
			text = binary.LittleEndian.AppendUint32(text, math.Float32bits(row.Values[k]))
			if seen[i].Ratings++; row.Len() > 1 {
				seen[i].Lists++
			}
		}
		digest := sha256.Sum256(text)
		for k := range c.Digest { // a sum, so that users may come in any order
			c.Digest[k] += binary.LittleEndian.Uint64(digest[8*k:])
		}
	}
	for i := range seen {
		if seen[i].Ratings > 0 {
			c.Items[set.Items().ID(uint32(i))] = seen[i]
		}
	}
	return c
}

// Add adds the counts of another part.
func (c *Census) Add(other *Census) {
	c.Users += other.Users
	c.Ratings += other.Ratings
	c.Lists += other.Lists
	c.Places += other.Places
	c.Longest = max(c.Longest, other.Longest)
	c.Low, c.High = min(c.Low, other.Low), max(c.High, other.High)
	for id, seen := range other.Items {
		mine := c.Items[id]
		c.Items[id] = Seen{mine.Ratings + seen.Ratings, mine.Lists + seen.Lists}
	}
	for k, v := range other.Digest {
		c.Digest[k] += v
	}
}

// Nobody returns a census without users, to add to.
func Nobody() *Census {
	return &Census{Low: math.Inf(1), High: math.Inf(-1), Items: map[string]Seen{}}
}

// Fingerprint is a hash of all ratings that does not depend on their division into parts.
func (c *Census) Fingerprint() string {
	var sum []byte
	for _, v := range c.Digest {
		sum = binary.LittleEndian.AppendUint64(sum, v)
	}
	return hex.EncodeToString(sum)
}
