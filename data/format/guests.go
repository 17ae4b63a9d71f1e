package format

import (
	"bytes"
	"errors"
)

// guests knows who has come, to tell one who comes twice. While ids ascend, in one of
// two orders, nobody can have come before, and nobody need be remembered; digests
// of the first users are kept all the same, as most data that are not sorted show it
// at once. Should the order break later, the data are read again up to there.
type guests struct {
	digests
	n                int
	last             []byte
	unsorted         bool // ids do not ascend as text
	unnumbered       bool // nor by length and then as text, as numbers do
	forgotten        bool // the digests were given up
	alwaysRemembered bool
}

// remembered is how many users are remembered though their ids ascend.
const remembered = 1 << 16

var errOrderBroken = errors.New("the ids of users ascended, and do not any more; whether one comes twice can be told of a file, not of a stream: put the data into one, sort them by user, or read them whole")

// enter says whether somebody is new. Again opens the data from the beginning.
func (g *guests) enter(id []byte, again func() (*UserReader, error)) (fresh bool, err error) {
	if g.n > 0 {
		order := bytes.Compare(id, g.last)
		g.unsorted = g.unsorted || order <= 0
		g.unnumbered = g.unnumbered || len(id) < len(g.last) || len(id) == len(g.last) && order <= 0
	}
	ascending := !g.unsorted || !g.unnumbered
	if g.forgotten && !ascending {
		if err := g.recall(again); err != nil {
			return false, err
		}
	}
	g.n++
	g.last = append(g.last[:0], id...)
	switch {
	case g.forgotten:
		return true, nil
	case ascending && g.n > remembered && !g.alwaysRemembered:
		g.digests, g.forgotten = digests{}, true
		return true, nil
	}
	return g.add(id), nil
}

// recall remembers all users that have come.
func (g *guests) recall(again func() (*UserReader, error)) error {
	if again == nil {
		return errOrderBroken
	}
	r, err := again()
	if err != nil {
		return err
	}
	defer r.Close()
	r.seen.alwaysRemembered = true
	var user User
	for range g.n {
		if err := r.Next(&user); err != nil {
			return err
		}
	}
	g.digests, g.forgotten = r.seen.digests, false
	return nil
}

// digests is a set of texts, of which it keeps 64 bits each: of a million texts the
// odds that two are taken for one are below one in ten million.
type digests struct {
	table []uint64 // zero is free
	kept  int
}

// add says whether the text is new.
func (d *digests) add(text []byte) bool {
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range text {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h |= 1 // never the mark of a free place
	if 4*d.kept >= 3*len(d.table) {
		old := d.table
		d.table = make([]uint64, max(1024, 2*len(old)))
		for _, each := range old {
			if each != 0 {
				d.table[d.find(each)] = each
			}
		}
	}
	at := d.find(h)
	if d.table[at] == h {
		return false
	}
	d.table[at] = h
	d.kept++
	return true
}

// find is where a digest stands, or would.
func (d *digests) find(h uint64) int {
	mask := uint64(len(d.table) - 1)
	at := (h >> 20) & mask // the lowest bits of FNV are its weakest
	for d.table[at] != 0 && d.table[at] != h {
		at = (at + 1) & mask
	}
	return int(at)
}
