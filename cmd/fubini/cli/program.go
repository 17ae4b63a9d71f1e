package cli

import (
	"cmp"
	"io"
	"maps"
	"reflect"
	"runtime"
	"slices"

	"github.com/spf13/pflag"

	"fubini/app/build"
)

// Program is what all commands share: their streams, and the flags that every one of them has.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	Seed   uint64
	Jobs   int    // 0 means all cores
	Format string // empty means the command's own default
	Output string // "-" is stdout
	Quiet  bool

	shared map[reflect.Type]shared // flags of several commands, by the type of their values
	fault  error                   // of a page that was asked for by a name that is none
}

// NewProgram is a program that writes its messages to a stream, with the defaults of all flags.
func NewProgram(messages io.Writer) *Program {
	return &Program{Stdout: io.Discard, Stderr: messages, Seed: 1, Output: "-"}
}

// Cores is the number of cores that --jobs asks for.
func Cores(jobs int) int { return cmp.Or(jobs, runtime.GOMAXPROCS(0)) }

// SortedKeys are the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// shared are flags that several commands have, and the values that they set.
type shared struct {
	values any
	flags  []*pflag.Flag
}

// BuildVersion is the build of this program.
func BuildVersion() build.Build { return build.Read() }
