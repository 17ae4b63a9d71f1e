package columns

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// Batch is the most values of a column that are read at once.
const Batch = 512

// mostEntries is the most entries of a dictionary of which something is kept for each. Writers end a dictionary long before; our own have as many rows in a
// group. A damaged page may have any number of them.
const mostEntries = 1 << 20

// pages walks over the rows of a column in a group of rows, page by page: value by value, or over the values as they lie in a page.
type pages struct {
	chunk parquet.ColumnChunk // nil before the first group
	pages parquet.Pages
	page  parquet.Page
	rows  int   // of the page
	at    int   // the next of them
	err   error // why there are no more

	value    parquet.Value       // of the row at hand
	values   parquet.ValueReader // of the page, nil before the first is wanted
	buffer   [Batch]parquet.Value
	from, to int // the rows of the page that the buffer has

	lie    lying // the values of the page as they lie there, if there is no null among them
	single bool  // values are never taken like that
}

// lying is one list of values: codes of a dictionary, or numbers, or texts. There is none for other kinds.
type lying struct {
	some       bool
	dictionary parquet.Dictionary
	codes      []int32
	shorts     []int32
	numbers    []int64
	floats     []float32
	doubles    []float64
	text       []byte
	ends       []uint32 // where texts begin, and the last one ends
}

// Open goes to a group of rows.
func (p *pages) Open(chunk parquet.ColumnChunk) {
	p.Close()
	p.chunk = chunk
}

// Close gives back the page at hand.
func (p *pages) Close() {
	if p.pages != nil {
		p.pages.Close()
	}
	p.leave()
	p.chunk, p.pages, p.err = nil, nil, nil
}

// leave gives back the page.
func (p *pages) leave() {
	if p.page != nil {
		parquet.Release(p.page)
	}
	p.page, p.values, p.rows, p.at, p.from, p.to = nil, nil, 0, 0, 0, 0
	p.lie = lying{}
}

// turn makes the page one with a row to come.
func (p *pages) turn() (err error) {
	if p.err != nil || p.at < p.rows {
		return p.err
	}
	defer p.recovered(&err)
	if p.pages == nil {
		p.pages = p.chunk.Pages()
	}
	for p.at >= p.rows {
		p.leave()
		page, err := p.pages.ReadPage()
		if err != nil {
			return p.damaged(err)
		}
		p.page, p.rows = page, int(page.NumValues())
	}
	p.look()
	return nil
}

// look finds the values as they lie in the page.
func (p *pages) look() {
	if p.single || p.page.NumNulls() > 0 {
		return
	}
	lie, content, n := lying{}, p.page.Data(), 0
	switch kind := content.Kind(); {
	case p.page.Dictionary() != nil:
		if lie.dictionary = p.page.Dictionary(); lie.dictionary.Len() > mostEntries {
			return
		}
		lie.codes = content.Int32()
		n = len(lie.codes)
	case kind == encoding.Int32:
		lie.shorts = content.Int32()
		n = len(lie.shorts)
	case kind == encoding.Int64:
		lie.numbers = content.Int64()
		n = len(lie.numbers)
	case kind == encoding.Float:
		lie.floats = content.Float()
		n = len(lie.floats)
	case kind == encoding.Double:
		lie.doubles = content.Double()
		n = len(lie.doubles)
	case kind == encoding.ByteArray:
		lie.text, lie.ends = content.ByteArray()
		n = len(lie.ends) - 1
	}
	if lie.some = n >= p.rows; lie.some { // or the page is damaged
		p.lie = lie
	}
}

// fill reads values into the buffer, that of the next row among them.
func (p *pages) fill() (err error) {
	if err := p.turn(); err != nil {
		return err
	}
	defer p.recovered(&err)
	if p.values == nil {
		p.values = p.page.Values()
	}
	for p.at >= p.to {
		n, err := p.values.ReadValues(p.buffer[:])
		if n == 0 {
			return p.damaged(err)
		}
		p.from, p.to = p.to, p.to+n
	}
	return nil
}

func (p *pages) damaged(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	p.err = fmt.Errorf("the Parquet file is damaged: %w", err)
	return p.err
}

// recovered makes a panic an error: the library panics over some damaged files.
func (p *pages) recovered(err *error) {
	if fault := recover(); fault != nil {
		p.err = fmt.Errorf("the Parquet file is damaged: %v", fault)
		*err = p.err
	}
}

// Next makes the value that of the next row, a view of the page that is good until the one after it is asked for.
func (p *pages) Next() error {
	if p.at >= p.to {
		if err := p.fill(); err != nil {
			return err
		}
	}
	p.value = p.buffer[p.at-p.from]
	p.at++
	return nil
}
