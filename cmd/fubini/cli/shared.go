package cli

import (
	"reflect"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Shared gives a command flags that others have too, and returns what they set. The first command that asks for flags of a
// type defines them; the others get the same ones, with the same meaning and default.
func Shared[F any](p *Program, cmd *cobra.Command, flags *pflag.FlagSet, define func(f *F, cmd *cobra.Command, flags *pflag.FlagSet)) *F {
	kind := reflect.TypeFor[F]()
	if known, there := p.shared[kind]; there {
		for _, flag := range known.flags {
			flags.AddFlag(flag)
		}
		return known.values.(*F)
	}
	var before []*pflag.Flag
	flags.SortFlags = false
	flags.VisitAll(func(flag *pflag.Flag) { before = append(before, flag) })
	f, made := new(F), shared{}
	define(f, cmd, flags)
	made.values = f
	flags.VisitAll(func(flag *pflag.Flag) {
		if !slices.Contains(before, flag) {
			made.flags = append(made.flags, flag)
		}
	})
	if p.shared == nil {
		p.shared = map[reflect.Type]shared{}
	}
	p.shared[kind] = made
	return f
}
