package store

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// soundTime bounds the look at all pages of a SQLite file: what it has not seen by then
// is found when it is read. It is enough for some gigabytes.
const soundTime = 5 * time.Second

// sound looks whether the pages of a SQLite file fit together. PostgreSQL has checksums of its own.
func (s *database) sound(ctx context.Context) error {
	if s.dialect.migrations != "sqlite" {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, soundTime)
	defer cancel()
	var found string
	err := s.write.QueryRowContext(limited, "PRAGMA quick_check(1)").Scan(&found)
	if err == nil && found != "ok" {
		err = fmt.Errorf("%w: %s", ErrDamaged, found)
	}
	if limited.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return s.fail(ctx, "check", err)
}

// Exposed returns a warning if others than their owner can write the database files of an address: one sentence for a
// person, empty if nobody can or if there are no files.
func Exposed(address string) string {
	path, isFile := strings.CutPrefix(address, "sqlite:")
	if !isFile || path == "" || path == ":memory:" {
		return ""
	}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	folder := filepath.Dir(path)
	for _, each := range []string{path, path + "-wal", path + "-shm", folder} {
		info, err := os.Stat(each)
		if err != nil {
			continue // there is no such file, or nobody can say
		}
		open := info.Mode().Perm() & 0o022
		if open == 0 || each == folder && info.Mode()&fs.ModeSticky != 0 { // others may put files there, and not take ours away
			continue
		}
		what, who := "the database", "its group"
		if each == folder {
			what = "the database's folder"
		}
		if open&0o002 != 0 {
			who = "everybody on this machine"
		}
		return fmt.Sprintf("%s %s can be written by %s: chmod go-w %s", what, each, who, each)
	}
	return ""
}
