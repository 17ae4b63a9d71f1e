package store

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// A backup is lines of JSON, the same for both kinds of database: a header, a
// line for every row, and an end with the number of rows and the SHA-256 of all
// bytes before it. The sum finds files cut short and damaged; it is no signature.
//
//	{"fubini_backup":1,"tables":3}
//	{"table":"lists","row":{"id":"…","body":"…",…}}
//	{"end":1,"sha256":"…"}
type (
	backupHeader struct {
		Format int `json:"fubini_backup"`
		Tables int `json:"tables"` // the version of the tables
	}
	backupRow struct {
		Table string          `json:"table"`
		Row   json.RawMessage `json:"row"`
	}
	backupEnd struct {
		End *int64 `json:"end"` // a pointer, to tell 0 from none
		Sum string `json:"sha256"`
	}
)

// backupFormat is the version of the form itself, apart from that of the tables.
const backupFormat = 1

// Backup implements [Store]. It reads in one transaction that sees the database as it was when it began, and keeps
// nobody from writing.
func (s *database) Backup(ctx context.Context, w io.Writer) (rows int64, err error) {
	out, sum := bufio.NewWriter(w), sha256.New()
	lines := json.NewEncoder(io.MultiWriter(sum, out))
	line := func(value any) error {
		if err := lines.Encode(value); err != nil {
			return streamError{err}
		}
		return nil
	}
	snapshot := &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	err = s.transaction(ctx, s.read, snapshot, func(ctx context.Context, db session) error {
		if _, err := db.exec(ctx, s.dialect.copying); err != nil {
			return err
		}
		version, err := db.current(ctx)
		if err != nil {
			return err
		}
		if err := line(backupHeader{backupFormat, version}); err != nil {
			return err
		}
		for _, t := range tables {
			copied, err := db.backupTable(ctx, t, line)
			if err != nil {
				return err
			}
			rows += copied
		}
		return nil
	})
	if err == nil {
		err = line(backupEnd{&rows, hex.EncodeToString(sum.Sum(nil))})
	}
	if err == nil {
		if flushed := out.Flush(); flushed != nil {
			err = streamError{flushed}
		}
	}
	return rows, s.fail(ctx, "backup", err)
}

// backupTable writes the rows of a table, a line each.
func (s session) backupTable(ctx context.Context, t table, line func(any) error) (copied int64, err error) {
	rows, err := s.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s ORDER BY id", t.names(), t.name))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for ; rows.Next(); copied++ {
		targets := t.targets()
		if err := rows.Scan(targets...); err != nil {
			return 0, err
		}
		row, err := t.encode(targets)
		if err != nil {
			return 0, err
		}
		if err := line(backupRow{t.name, row}); err != nil {
			return 0, err
		}
	}
	return copied, rows.Err()
}
