package models

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/core/setting"
	"fubini/learn/registry"
)

// modelSettings are those given by --set, which may stand several times.
type modelSettings []registry.Assignment

func (s *modelSettings) add(flags *pflag.FlagSet) {
	flags.Var(s, "set", "a setting of the model, `NAME=VALUE` or MODEL.NAME=VALUE; several with commas between (fubini model settings lists them)")
}

// Set implements pflag.Value.
func (s *modelSettings) Set(text string) error {
	for _, each := range strings.Split(text, ",") {
		setting, err := registry.ParseAssignment(strings.TrimSpace(each))
		if err != nil {
			return err
		}
		*s = append(*s, setting)
	}
	return nil
}

// String implements pflag.Value.
func (s *modelSettings) String() string {
	texts := make([]string, len(*s))
	for k, each := range *s {
		name := each.Name
		if each.Model != "" {
			name = each.Model + "." + name
		}
		texts[k] = name + "=" + each.Value
	}
	return strings.Join(texts, ",")
}

// Type implements pflag.Value.
func (s *modelSettings) Type() string { return "NAME=VALUE" }

func newModelSettings(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "settings NAME",
		Short: "List the settings of a model",
		Long: `List the settings of a model: the meaning of each, its default, the values that it may
have, and the range that tune searches. train, tune and evaluate set them by
--set NAME=VALUE. The models: ` + strings.Join(registry.Names(), ", ") + ".",
		Example:   "  fubini model settings latent-osm\n  fubini model settings pmf --format json",
		Args:      cli.OneArgument("NAME"),
		ValidArgs: registry.Names(),
		RunE: func(_ *cobra.Command, args []string) error {
			recipe, err := registry.New(args[0])
			if err != nil {
				return exit.Usage(err)
			}
			var records [][]cli.Field
			for _, k := range recipe.Settings() {
				records = append(records, settingRecord(k))
			}
			return p.Deliver(func(w *bufio.Writer) error {
				if p.Format != "" && p.Format != "table" {
					return p.WriteRecords(w, records)
				}
				table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "setting\tdefault\tvalues\tsearched\tmeaning")
				for _, record := range records {
					for k, f := range record {
						fmt.Fprintf(table, "%v%s", cmp.Or(f.Value(), any("-")), []string{"\t", "\n"}[k/(len(record)-1)])
					}
				}
				return table.Flush()
			})
		},
	}
}

// settingRecord is one setting: name, default, allowed values, range that is searched, meaning. A default that depends
// on the data is nil.
func settingRecord(k setting.Setting) []cli.Field {
	var initial, searched any
	values := "0 or more"
	switch {
	case k.Names != nil:
		values = strings.Join(k.Names, ", ")
	case k.Positive:
		values = "above 0"
	}
	if k.Whole && k.Names == nil {
		values = "whole numbers, " + values
	}
	switch {
	case k.Names != nil:
		initial = k.Format(k.Default)
	case !math.IsNaN(k.Default):
		initial = k.Default
	}
	switch {
	case !k.Searched():
	case k.Names != nil:
		searched = strings.Join(k.Names[int(k.Low):int(k.High)+1], ", ")
	case k.Log:
		searched = fmt.Sprintf("%g to %g, log scale", k.Low, k.High)
	default:
		searched = fmt.Sprintf("%g to %g", k.Low, k.High)
	}
	return []cli.Field{{"setting", k.Name}, {"default", initial}, {"values", values}, {"searched", searched}, {"meaning", k.Means}}
}
