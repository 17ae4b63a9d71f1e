package codec

import (
	"fubini/data/columns"
	"fubini/data/ratings"
)

// parquetRows are rows on their way to a builder.
type parquetRows struct {
	user, item [columns.Batch]uint32
	value      [columns.Batch]float32
	when       [columns.Batch]int64
}

// newRows is nil for a file with tiers, titles, or ratings or times as texts.
func (t *parquetTable) newRows() *parquetRows {
	rating, when := t.role[roleRating], t.role[roleTime]
	if rating == nil || rating.Written() || when != nil && when.Written() || t.role[roleTitle] != nil {
		return nil
	}
	return &parquetRows{}
}

// addPlain implements plainSource. It ends before a row with a fault, before a damaged page, and at the end of the file.
func (t *parquetTable) addPlain(b *ratings.Builder) (count int) {
	if t.rows == nil || !b.Plain() {
		return 0
	}
	for t.more() {
		n := t.addRows(b)
		if n == 0 {
			break
		}
		for _, c := range t.columns {
			c.Skip(n)
		}
		t.left -= int64(n)
		t.row += n
		count += n
	}
	return count
}

// addRows adds the next rows, as many as all columns have at hand before one with a fault.
func (t *parquetTable) addRows(b *ratings.Builder) (n int) {
	n = int(min(t.left, columns.Batch))
	for _, c := range t.columns {
		n = c.Ready(n)
	}
	rows := t.rows
	n = t.role[roleRating].Ratings(rows.value[:n])
	var when []int64
	if c := t.role[roleTime]; c != nil {
		n = c.Times(rows.when[:n])
		when = rows.when[:n]
	}
	// From here on ids get numbers, perhaps of rows that are left to Next, which refuses them, and with them the file.
	if c := t.role[roleUser]; c != nil {
		n = c.Numbers(rows.user[:n], b.UserIDs())
	} else if n > 0 {
		me := b.UserIDs().Number(me)
		for k := range n {
			rows.user[k] = me
		}
	}
	n = t.role[roleItem].Numbers(rows.item[:n], b.ItemIDs())
	if n > 0 {
		b.AddNumbered(rows.user[:n], rows.item[:n], rows.value[:n], when[:min(n, len(when))])
	}
	return n
}
