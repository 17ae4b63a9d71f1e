package store

import (
	"bytes"
	"errors"
	"testing"
)

// Whatever a file holds, it is a backup or it is refused; what is restored can be
// backed up, and that restored.
func FuzzRestore(f *testing.F) {
	for _, lines := range [][]any{
		{backupHeader{backupFormat, 1}, nil},
		{backupHeader{backupFormat, 2}, backupRow{"audit", []byte(`{"id":7,"time":1,"key_id":"","action":"a","detail":"","request_id":""}`)}, nil},
		{backupHeader{backupFormat, 3}, nil},
	} {
		var file bytes.Buffer
		out := sealed(&file)
		for _, line := range lines {
			out(line)
		}
		f.Add(file.Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		s, ctx := opened(t, "sqlite::memory:"), t.Context()
		rows, err := s.Restore(ctx, bytes.NewReader(file))
		if err != nil {
			if errors.Is(err, ErrUnavailable) || rows != 0 {
				t.Errorf("%d rows, %v", rows, err)
			}
			if err := (session{s.read, s.dialect}).empty(ctx); err != nil {
				t.Error(err)
			}
			return
		}
		if again := must(opened(t, "sqlite::memory:").Restore(ctx, bytes.NewReader(backup(t, s)))); again != rows {
			t.Errorf("%d rows restored, then %d", rows, again)
		}
	})
}
