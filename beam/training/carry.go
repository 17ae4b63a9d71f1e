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

// Message is what travels between workers: a census of users, co-occurrence features of items,
// a point that all parts share, or a sum over parts. The others are nil.
type Message struct {
	All      *distributed.Census
	Features *cooccurrence.Features
	State    *ascent.State
	Sum      *distributed.Sum
}

func init() { beam.RegisterCoder(reflect.TypeFor[Message](), packMessage, unpackMessage) }

// A worker finds coders by the names of their functions, which those of generic functions
// share: so they have names of their own.
func packMessage(m Message) []byte            { return pack(m) }
func unpackMessage(b []byte) (Message, error) { return unpack[Message](b) }

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
