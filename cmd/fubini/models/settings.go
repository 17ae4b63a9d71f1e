package models

import (
	"strings"

	"github.com/spf13/pflag"

	"fubini/learn/zoo"
)

// modelSettings are those given by --set, which may stand several times.
type modelSettings []zoo.Setting

func (s *modelSettings) add(flags *pflag.FlagSet) {
	flags.Var(s, "set", "a `NAME=VALUE` setting of the model, or MODEL.NAME=VALUE; several with commas between")
}

// Set implements pflag.Value.
func (s *modelSettings) Set(text string) error {
	for _, each := range strings.Split(text, ",") {
		setting, err := zoo.ParseSetting(strings.TrimSpace(each))
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
