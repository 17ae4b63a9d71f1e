package store

import (
	"context"
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

// newest reads a page of a table, the newest rows first. One more than asked for tells
// whether there is a next page.
func newest[T any](ctx context.Context, db session, page Page, columns, table string, read func(scan func(...any) error) (T, error), cursor func(T) string) (found []T, next string, err error) {
	length, err := page.length()
	if err != nil {
		return nil, "", err
	}
	created, id, err := page.place()
	if err != nil {
		return nil, "", err
	}
	rows, err := db.query(ctx, "SELECT "+columns+" FROM "+table+` WHERE created < ?1 OR (created = ?1 AND id < ?2)
		ORDER BY created DESC, id DESC LIMIT ?3`, created, id, length+1)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := read(rows.Scan)
		if err != nil {
			return nil, "", err
		}
		found = append(found, row)
	}
	if len(found) > length {
		found = found[:length]
		next = cursor(found[length-1])
	}
	return found, next, rows.Err()
}
