package training

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/learn/rounds"
	"fubini/learn/train"
)

// What travels between workers: counts of users, a point that all parts share, and sums of
// points. Beam is given coders for them, as it must know how to write what it carries.
type (
	// Count is a census.
	Count struct{ All *rounds.Census }
	// Point is where a round starts from.
	Point struct{ State *train.LatentState }
	// Total is a sum of points.
	Total struct{ Sum *rounds.Sum }
)

func init() {
	carry[Count]()
	carry[Point]()
	carry[Total]()
}

// carry tells Beam how a type is written.
func carry[T any]() {
	t := reflect.TypeFor[T]()
	beam.RegisterType(t)
	beam.RegisterCoder(t, pack[T], unpack[T])
}

func pack[T any](v T) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		panic(fmt.Sprintf("training: %v", err)) // numbers and texts
	}
	return b.Bytes()
}

func unpack[T any](b []byte) (v T, err error) {
	err = gob.NewDecoder(bytes.NewReader(b)).Decode(&v)
	return v, err
}

// shard is the users of a part, and where their chains stand.
type shard struct {
	Users [][]byte // packed fragments, by id
	Ranks [][]uint16
}
