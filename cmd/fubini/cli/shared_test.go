package cli

import (
	"io"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Commands that share flags have the same ones, in the order of their definition; another program has its own.
func TestSharedFlagsAreOne(t *testing.T) {
	type pair struct{ b, a int }
	define := func(f *pair, _ *cobra.Command, flags *pflag.FlagSet) {
		f.b = 7
		AddFlag(flags, "b", "", &f.b, "N", ParseWhole(0), "")
		AddFlag(flags, "a", "", &f.a, "N", ParseWhole(0), "")
	}
	p := NewProgram(io.Discard)
	one, two, other := &cobra.Command{}, &cobra.Command{}, &cobra.Command{}
	one.Flags().Bool("own", false, "")
	first, second := Shared(p, one, one.Flags(), define), Shared(p, two, two.PersistentFlags(), define)
	if err := two.ParseFlags([]string{"--a", "3"}); err != nil {
		t.Fatal(err)
	}
	if first != second || *first != (pair{7, 3}) || one.Flag("a") != two.Flag("a") || two.Flag("own") != nil {
		t.Errorf("%v and %v", first, second)
	}
	if third := Shared(NewProgram(io.Discard), other, other.Flags(), define); *third != (pair{b: 7}) {
		t.Errorf("another program: %v", third)
	}
	two.PersistentFlags().SortFlags = false
	order := ""
	two.PersistentFlags().VisitAll(func(f *pflag.Flag) { order += f.Name })
	if order != "ba" {
		t.Errorf("in the order %s", order)
	}
}
