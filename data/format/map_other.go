//go:build !unix

package format

import (
	"errors"
	"io/fs"
)

// mapped is an error: files are read on this system, not mapped.
func mapped(fs.File, int64) ([]byte, error) {
	return nil, errors.New("format: files are not mapped on this system")
}
