package store

import (
	"fmt"
	"strconv"
	"strings"
)

// The lengths of a page: what a caller gets that does not say, and the most.
const (
	usualPage = 50
	maxPage   = 1000
)

// length is how many entries a page holds.
func (p Page) length() (int, error) {
	switch {
	case p.Limit < 0:
		return 0, fmt.Errorf("a page of %d entries: %w; want 1 to %d", p.Limit, ErrInvalid, maxPage)
	case p.Limit == 0:
		return usualPage, nil
	}
	return min(p.Limit, maxPage), nil
}

// place is where a page begins: just behind the entry with this number and id.
// The first page begins behind a number larger than any.
func (p Page) place() (number int64, id string, err error) {
	if p.Cursor == "" {
		return 1<<63 - 1, "", nil
	}
	first, id, _ := strings.Cut(p.Cursor, ".")
	number, err = strconv.ParseInt(first, 10, 64)
	if err != nil || number < 0 || checkText("", id) != nil {
		return 0, "", fmt.Errorf("cursor %q: %w; want the one that came with the page before", p.Cursor, ErrInvalid)
	}
	return number, id, nil
}

// cursorOf is the cursor behind an entry.
func cursorOf(number int64, id string) string {
	return strings.TrimSuffix(fmt.Sprintf("%d.%s", number, id), ".")
}
