package text

import "fubini/data/ratings"

// PlainColumns are the columns of a plain line, from 0, and their number. Rating and Time are -1 for lines without them, whose
// ratings are 1.
type PlainColumns struct {
	User, Item, Rating, Time, Width int
}

// Plain adds the ratings of plain lines to a builder ([ratings.Builder.AddPlain]), as many as are in memory before the first other one, and
// returns the number of lines. Next reads any other line, and reads on. Dates with slashes are not plain: [Slashes] reads them.
func (t *Fields) Plain(c PlainColumns, b *ratings.Builder) (lines int) {
	l := t.Lines
	if l.odd {
		return 0
	}
	shape := ratings.PlainLines{Separator: t.Separator, Quotes: t.Quotes, User: c.User, Item: c.Item, Rating: c.Rating, Time: c.Time, Width: c.Width, ParseRating: ParseRating, ParseTime: plainTime}
	lines, size := b.AddPlain(&shape, l.buffer[l.from:l.to])
	l.from += size
	l.scanned = l.from
	l.Number += lines
	return lines
}

// plainTime is ParseTime without dates with slashes.
func plainTime(field []byte) (int64, bool) {
	if _, _, _, slashed := slashedDate(field); slashed {
		return 0, false
	}
	return ParseTime(field)
}
