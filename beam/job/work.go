package job

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"fmt"
	"io"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/cmd/fubini/cli"
	"fubini/learn/modelstore"
)

// Numbers is a collection of the numbers below n, divided among workers.
func Numbers(s beam.Scope, n int) beam.PCollection {
	numbers := make([]int, n)
	for k := range numbers {
		numbers[k] = k
	}
	return beam.Reshuffle(s, beam.CreateList(s, numbers))
}

// Pack encodes a value of numbers and texts, to travel between workers.
func Pack[T any](v T) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(fmt.Sprintf("job: %v", err)) // not of numbers and texts
	}
	return b.Bytes()
}

// Unpack decodes what Pack encoded.
func Unpack[T any](b []byte) (v T, err error) {
	err = gob.NewDecoder(bytes.NewReader(b)).Decode(&v)
	return v, err
}

// made has the values of Once by key, as functions.
var made sync.Map

// Once makes a value once in a process. Runners make a DoFn for every bundle, and would carry a
// side input to each.
func Once[T any](key string, make func() (T, error)) (T, error) {
	once, _ := made.LoadOrStore(key, sync.OnceValues(make))
	return once.(func() (T, error))()
}

// Write writes a file that appears complete or not at all. Two workers may write the same file;
// as both write the same bytes it does not matter who is last.
func Write(path string, write func(w io.Writer) error) error {
	return cli.Destination{Flag: "--output", Path: path}.Deliver(func(w *bufio.Writer) error { return write(w) })
}

// WriteBytes is Write for what is in memory.
func WriteBytes(path string, text []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// ModelBytes is the file of a model.
func ModelBytes(s *modelstore.Saved) ([]byte, error) {
	file, err := s.File()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err = file.WriteTo(&b)
	return b.Bytes(), err
}
