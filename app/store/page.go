package store

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// usualPage is the length of a page if the caller names none, maxPage the largest.
const usualPage, maxPage = 50, 1000

// bounds are where a page begins, just behind the entry with a number and an id, and how many entries it holds. The
// first page begins behind a number larger than any.
func (p Page) bounds() (number int64, id string, length int, err error) {
	if p.Limit < 0 {
		return 0, "", 0, fmt.Errorf("a page of %d entries: %w; want 1 to %d", p.Limit, ErrInvalid, maxPage)
	}
	number, length = 1<<63-1, min(cmp.Or(p.Limit, usualPage), maxPage)
	if p.Cursor == "" {
		return number, "", length, nil
	}
	first, id, _ := strings.Cut(p.Cursor, ".")
	number, err = strconv.ParseInt(first, 10, 64)
	if err != nil || number < 0 || checkText("", id) != nil {
		return 0, "", 0, fmt.Errorf("cursor %q: %w; want the one that came with the page before", p.Cursor, ErrInvalid)
	}
	return number, id, length, nil
}

// cursorOf is the cursor behind an entry.
func cursorOf(number int64, id string) string {
	return strings.TrimSuffix(fmt.Sprintf("%d.%s", number, id), ".")
}

// listing is a table that is read in pages, the newest rows first: those with the largest number, and of equal
// numbers those with the largest id.
type listing[T any] struct {
	table, columns, number, id string
	fields                     func(*T) []any
	cursor                     func(T) string
}

// page reads a page. One row more than asked for shows that there is a next page.
func (l listing[T]) page(ctx context.Context, s *database, what string, page Page) (found []T, next string, err error) {
	number, id, length, wrong := page.bounds()
	found, err = look(ctx, s, what, func(ctx context.Context, db session) ([]T, error) {
		if wrong != nil {
			return nil, wrong
		}
		return collect(ctx, db, l.fields, fmt.Sprintf("SELECT %[1]s FROM %[2]s WHERE %[3]s < $1 OR (%[3]s = $1 AND %[4]s < $2) ORDER BY %[3]s DESC, %[4]s DESC LIMIT $3",
			l.columns, l.table, l.number, l.id), number, id, length+1)
	})
	if len(found) > length {
		found = found[:length]
		next = l.cursor(found[length-1])
	}
	return found, next, err
}
