package format

import (
	"bytes"
	"errors"
	"hash/fnv"
)

// seen is the set of users so far, to find one who comes twice. While ids ascend, in one of
// two orders, nobody can have come before, and nobody need be remembered; digests
// of the first users are kept all the same, as most data that are not sorted show it
// at once. Should the order break later, the data are read again up to there. Of a million users
// the odds that two have one digest are below one in ten million.
type seen struct {
	digests          map[uint64]struct{}
	n                int
	last             []byte
	unsorted         bool // ids do not ascend as text
	unnumbered       bool // nor by length and then as text, as numbers do
	forgotten        bool // the digests were given up
	alwaysRemembered bool
}

// remembered is the number of users that are remembered though their ids ascend.
const remembered = 1 << 16

var errOrderBroken = errors.New("the ids of users ascended, and do not any more; whether one comes twice can be found out in a file, not in a stream: write the data to a file, sort them by user, or read them whole")

// enter reports whether a user is new. Again opens the data from the beginning.
func (s *seen) enter(id []byte, again func() (*UserReader, error)) (fresh bool, err error) {
	if s.n > 0 {
		order := bytes.Compare(id, s.last)
		s.unsorted = s.unsorted || order <= 0
		s.unnumbered = s.unnumbered || len(id) < len(s.last) || len(id) == len(s.last) && order <= 0
	}
	ascending := !s.unsorted || !s.unnumbered
	if s.forgotten && !ascending {
		if err := s.recall(again); err != nil {
			return false, err
		}
	}
	s.n++
	s.last = append(s.last[:0], id...)
	switch {
	case s.forgotten:
		return true, nil
	case ascending && s.n > remembered && !s.alwaysRemembered:
		s.digests, s.forgotten = nil, true
		return true, nil
	}
	if s.digests == nil {
		s.digests = map[uint64]struct{}{}
	}
	before := len(s.digests)
	digest := fnv.New64a()
	digest.Write(id)
	s.digests[digest.Sum64()] = struct{}{}
	return len(s.digests) > before, nil
}

// recall remembers all users that have come.
func (s *seen) recall(again func() (*UserReader, error)) error {
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
	for range s.n {
		if err := r.Next(&user); err != nil {
			return err
		}
	}
	s.digests, s.forgotten = r.seen.digests, false
	return nil
}
