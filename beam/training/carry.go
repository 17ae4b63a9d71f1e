package training

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"fubini/learn/ascent"
	"fubini/learn/cooccurrence"
	"fubini/learn/distributed"
)

// What travels between workers: counts of users, features of items, a point that all
// parts share, and sums of points. Beam is given coders for them, as it must know how to
// write what it carries.
type (
	// Count is a census.
	Count struct{ All *distributed.Census }
	// Known are the co-occurrence features of items, as far as they are found; nil without.
	Known struct{ Features *cooccurrence.Features }
	// Point is where a round starts from.
	Point struct{ State *ascent.State }
	// Total is a sum of points.
	Total struct{ Sum *distributed.Sum }
)

// A worker finds coders by the names of their functions, which those of generic functions
// share: so each has one of its own.
func init() {
	beam.RegisterCoder(reflect.TypeFor[Count](), packCount, unpackCount)
	beam.RegisterCoder(reflect.TypeFor[Known](), packKnown, unpackKnown)
	beam.RegisterCoder(reflect.TypeFor[Point](), packPoint, unpackPoint)
	beam.RegisterCoder(reflect.TypeFor[Total](), packTotal, unpackTotal)
}

func packCount(v Count) []byte            { return pack(v) }
func unpackCount(b []byte) (Count, error) { return unpack[Count](b) }
func packKnown(v Known) []byte            { return pack(v) }
func unpackKnown(b []byte) (Known, error) { return unpack[Known](b) }
func packPoint(v Point) []byte            { return pack(v) }
func unpackPoint(b []byte) (Point, error) { return unpack[Point](b) }
func packTotal(v Total) []byte            { return pack(v) }
func unpackTotal(b []byte) (Total, error) { return unpack[Total](b) }

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
