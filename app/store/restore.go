package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
)

// maxLine is the longest line of a backup: a row with two documents in base64
// and its texts, in which JSON may spend six bytes on one.
const maxLine = 2*(maxBody/3+1)*4 + 6*6*maxText

// Restore implements [Store]. All rows go into one transaction, which is taken
// back where the file turns out to be bad at its very end.
func (s *database) Restore(ctx context.Context, r io.Reader) (rows int64, err error) {
	err = s.transaction(ctx, s.write, nil, func(ctx context.Context, db session) error {
		if _, err := db.exec(ctx, s.dialect.restoring); err != nil {
			return err
		}
		if err := db.empty(ctx); err != nil {
			return err
		}
		in := &backupReader{from: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
		if rows, err = db.restore(ctx, in, latest(s.dialect.migrations)); err != nil {
			return fmt.Errorf("line %d of the backup: %w", in.number, err)
		}
		_, err = db.exec(ctx, s.dialect.restored)
		return err
	})
	if err != nil {
		return 0, s.fail(ctx, "restore", err)
	}
	return rows, nil
}

// empty refuses a database that holds anything.
func (s session) empty(ctx context.Context) error {
	for _, t := range tables {
		var rows int64
		if err := s.QueryRowContext(ctx, "SELECT count(*) FROM "+t.name).Scan(&rows); err != nil {
			return err
		}
		if rows > 0 {
			return fmt.Errorf("the database is not empty, %s has %d rows: %w; restore into a new one", t.name, rows, ErrConflict)
		}
	}
	return nil
}

// restore reads a whole backup and inserts its rows into tables of a version.
func (s session) restore(ctx context.Context, in *backupReader, version int) (rows int64, err error) {
	line, err := in.line()
	if err != nil {
		return 0, err
	}
	var header backupHeader
	if err := strict(line, &header); err != nil || header.Format < 1 || header.Tables < 1 {
		return 0, fmt.Errorf("%.40q is not the beginning of a fubini backup: %w", line, ErrInvalid)
	}
	if header.Format > backupFormat || header.Tables > version {
		return 0, fmt.Errorf("a backup in form %d of tables of version %d, this program knows %d and %d: %w; use a newer fubini",
			header.Format, header.Tables, backupFormat, version, ErrInvalid)
	}
	for ; ; rows++ {
		sum := hex.EncodeToString(in.sum.Sum(nil))
		line, err := in.line()
		if err != nil {
			return 0, err
		}
		var row backupRow
		if strict(line, &row) != nil {
			return rows, in.end(line, rows, sum)
		}
		at := slices.IndexFunc(tables, func(t table) bool { return t.name == row.Table })
		if at < 0 {
			return 0, fmt.Errorf("table %.40q: %w; there is none of that name", row.Table, ErrInvalid)
		}
		t := tables[at].at(header.Tables)
		values, err := t.decode(row.Row)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		if _, err := s.exec(ctx, t.insert(), values...); err != nil {
			return 0, err
		}
	}
}

// end checks the last line, and that it is the last.
func (in *backupReader) end(line []byte, rows int64, sum string) error {
	var end backupEnd
	switch {
	case strict(line, &end) != nil || end.End == nil:
		return fmt.Errorf("%.40q is neither a row nor the end: %w; the file is damaged, use another backup", line, ErrInvalid)
	case *end.End != rows || end.Sum != sum:
		return fmt.Errorf("the file was altered: %w; it ends with the count and sum of other content, use another backup", ErrInvalid)
	}
	if _, err := in.from.ReadByte(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something follows behind the end: %w; use another backup", ErrInvalid)
	}
	return nil
}

// backupReader reads lines and sums up what it read.
type backupReader struct {
	from   *bufio.Reader
	sum    hash.Hash
	number int
}

// line reads the next whole line.
func (in *backupReader) line() ([]byte, error) {
	in.number++
	var line []byte
	for {
		part, err := in.from.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			in.sum.Write(line) // a hash never fails
			return line, nil
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("the file is cut short: %w; it ends before its last line, use another backup", ErrInvalid)
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, streamError{err}
		case len(line) > maxLine:
			return nil, fmt.Errorf("a line of more than %d bytes: %w; no backup has one", maxLine, ErrInvalid)
		}
	}
}

// strict reads one JSON object and refuses keys that the target has not.
func strict(line []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(target); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one value")
	}
	return nil
}
