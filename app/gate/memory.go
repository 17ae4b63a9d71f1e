package gate

import (
	"bytes"
	"cmp"
	"sync"
	"sync/atomic"
)

// memory is how much of all bodies, or of all answers, is held at once, and the buffers that hold it.
type memory struct {
	held atomic.Int64
	most int64
	pool sync.Pool // of *bytes.Buffer
}

func (m *memory) buffer() *bytes.Buffer {
	text, _ := m.pool.Get().(*bytes.Buffer)
	return cmp.Or(text, new(bytes.Buffer))
}

// take counts some bytes more, and reports whether there is room for them.
func (m *memory) take(bytes int64) bool {
	if m.held.Add(bytes) <= m.most {
		return true
	}
	m.held.Add(-bytes)
	return false
}

// free gives a buffer back, and the bytes that were counted for it; large buffers are left to the collector.
func (m *memory) free(text *bytes.Buffer, counted int64) {
	m.held.Add(-counted)
	if text.Cap() <= 64<<10 {
		text.Reset()
		m.pool.Put(text)
	}
}
