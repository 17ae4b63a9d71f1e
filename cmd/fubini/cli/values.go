package cli

import (
	"errors"
	"fmt"
	"math"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// value is a flag: a variable, and the function that reads it from text. All
// flags are made here rather than by pflag, whose messages speak of strconv.
type value[T any] struct {
	target *T
	kind   string // how the help page calls a value: N, FILE
	parse  func(text string) (T, error)
}

// Set implements [pflag.Value].
func (v *value[T]) Set(text string) error {
	parsed, err := v.parse(text)
	if err == nil {
		*v.target = parsed
	}
	return err
}

// String implements [pflag.Value]; the help page shows it as the default.
func (v *value[T]) String() string {
	if words, is := any(*v.target).([]string); is {
		return strings.Join(words, ",")
	}
	return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(*v.target), "map"), "[]") // an empty list, or map, is no default
}

// Type implements [pflag.Value].
func (v *value[T]) Type() string { return v.kind }

// AddFlag adds a flag whose default is what the target holds already.
func AddFlag[T any](flags *pflag.FlagSet, name, letter string, target *T, kind string, parse func(string) (T, error), usage string) {
	flags.VarP(&value[T]{target, kind, parse}, name, letter, usage)
}

// AddSwitch adds a flag that is on when it is given.
func AddSwitch(flags *pflag.FlagSet, name string, target *bool, usage string) {
	AddFlag(flags, name, "", target, "bool", parseBool, usage)
	flags.Lookup(name).NoOptDefVal = "true"
}

// AddChoice adds a flag that takes one of some names, which shells complete.
func AddChoice(cmd *cobra.Command, flags *pflag.FlagSet, name string, target *string, names []string, usage string) {
	AddFlag(flags, name, "", target, "NAME", ParseChoice(names), usage)
	// The one error is that of a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

func parseSeed(text string) (uint64, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a whole number from 0 to 2^64-1", Quote(text))
	}
	return seed, nil
}

// ParseWhole returns a parser of whole numbers that are not below a bound.
func ParseWhole(least int) func(string) (int, error) {
	return func(text string) (int, error) {
		number, err := strconv.Atoi(text)
		if err != nil || number < least {
			return 0, fmt.Errorf("%s is not a whole number of %d or more", Quote(text), least)
		}
		return number, nil
	}
}

// Parsers of finite numbers, of numbers of 0 or more, and of shares strictly between 0 and 1.
var (
	ParseFinite      = parseNumber("a finite number", func(float64) bool { return true })
	ParseNotNegative = parseNumber("a number of 0 or more", func(x float64) bool { return x >= 0 })
	ParseShare       = parseNumber("a number between 0 and 1", func(x float64) bool { return 0 < x && x < 1 })
)

func parseNumber(what string, good func(float64) bool) func(string) (float64, error) {
	return func(text string) (float64, error) {
		number, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(number) || math.IsInf(number, 0) || !good(number) {
			return 0, fmt.Errorf("%s is not %s", Quote(text), what)
		}
		return number, nil
	}
}

func parseBool(text string) (bool, error) {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return false, fmt.Errorf("%s is neither true nor false", Quote(text))
	}
	return on, nil
}

// Parsers of a text and of a file name, which must not be empty.
var (
	ParseText = NotEmpty("it is empty")
	ParsePath = NotEmpty("the name of a file is missing")
)

// NotEmpty returns a parser of texts that refuses the empty text with a message.
func NotEmpty(message string) func(string) (string, error) {
	return func(text string) (string, error) {
		if text == "" {
			return "", errors.New(message)
		}
		return text, nil
	}
}

// ParseWords reads names separated by commas.
func ParseWords(text string) ([]string, error) {
	var words []string
	for _, word := range strings.Split(text, ",") {
		if word = strings.TrimSpace(word); word == "" {
			return nil, fmt.Errorf("%s has an empty name; write names with commas between", Quote(text))
		}
		words = append(words, word)
	}
	return words, nil
}

// ParseAddress reads the host and port of a server, as in 127.0.0.1:8080.
func ParseAddress(text string) (string, error) {
	if _, port, err := net.SplitHostPort(text); err != nil || port == "" {
		return "", fmt.Errorf("%s is not an address; write host and port, as in 127.0.0.1:8080", Quote(text))
	}
	return text, nil
}

// ParseChoice returns a parser that accepts only these names.
func ParseChoice(names []string) func(string) (string, error) {
	return func(text string) (string, error) {
		if !slices.Contains(names, text) {
			return "", fmt.Errorf("%s is not one of %s", Quote(text), strings.Join(names, ", "))
		}
		return text, nil
	}
}

// ParseList reads numbers separated by commas.
func ParseList(text string) ([]float64, error) {
	const form = "write numbers with commas between, as in 1,0.5,-1"
	words := strings.Split(text, ",")
	list := make([]float64, len(words))
	for i, word := range words {
		number, err := ParseFinite(word)
		switch empty := strings.TrimSpace(word) == ""; {
		case empty && len(words) == 1:
			return nil, fmt.Errorf("the list is empty; %s", form)
		case empty:
			return nil, fmt.Errorf("item %d is empty; %s", i, form)
		case err != nil:
			return nil, fmt.Errorf("item %d: %w; %s", i, err, form)
		}
		list[i] = number
	}
	return list, nil
}

// ParsePicture takes the name of a picture, .svg or .png.
func ParsePicture(text string) (string, error) {
	if ending := strings.ToLower(filepath.Ext(text)); ending != ".svg" && ending != ".png" {
		return "", fmt.Errorf("%s is not a picture; its name must end in .svg or .png", Quote(text))
	}
	return text, nil
}
