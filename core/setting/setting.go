// Package setting gives the fields of an options struct names, so that a command
// line can set them, a file can keep them and tune can vary them. All other code
// uses a plain typed struct.
package setting

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Auto marks an option whose value is chosen from the data or from other options; it cannot be
// set by a user.
const Auto = math.MinInt32

// Setting is one setting: a field by name, with its default and the range in which it is
// worth searching. Zero is a value like any other.
type Setting struct {
	Name  string
	Was   string // name in older files
	Means string // in a few words
	// Default is what stands where nothing was set: the value that the field of a new
	// struct has, or, where that is Auto, what it comes to; NaN where that depends on the
	// data.
	Default float64
	// Low and High bound the search, evenly on a log scale with Log; equal, they
	// leave nothing to search. Any value the model accepts may be set.
	Low, High float64
	Log       bool
	Positive  bool     // zero is refused
	Whole     bool     // a whole number
	Names     []string // of the values 0, 1, ... of a choice
	Fixed     bool     // a search leaves it alone
	// Internal, if not empty, is why users cannot set it, and what they can do instead: files and
	// experiments alone have it.
	Internal string

	// Also, if not nil, is called after the field is set: it sets what the value asks for
	// beside it. None, if not nil, is what the value "none" does, which is not zero then. Files of
	// before zero could be said have a negative number for none; without None that sets zero.
	Also, None func()

	own float64 // of a new struct
	get func() float64
	set func(v float64)
}

// by gives a setting the value that its field has in a new struct.
func (k Setting) by(own float64) Setting {
	k.own = own
	if own != Auto {
		k.Default = own
	}
	return k
}

// Float names a field, and says which value it has in a new struct; Int, Choice and
// Switch do so for other types.
func Float(field *float64, own float64, k Setting) Setting {
	k.get, k.set = func() float64 { return *field }, func(v float64) { *field = v }
	return k.by(own)
}

// Int names a field that holds a whole number.
func Int(field *int, own int, k Setting) Setting {
	k.Whole = true
	k.get, k.set = func() float64 { return float64(*field) }, func(v float64) { *field = int(v) }
	return k.by(float64(own))
}

// Choice names a field that holds one of several named values, zero for the first.
func Choice[T ~int](field *T, own T, k Setting, names ...string) Setting {
	k.Whole, k.Names = true, names
	if k.Low == 0 && k.High == 0 {
		k.High = float64(len(names) - 1)
	}
	k.get, k.set = func() float64 { return float64(*field) }, func(v float64) { *field = T(v) }
	return k.by(float64(own))
}

// Switch names a field that is on or off; a search leaves it alone.
func Switch(field *bool, own bool, k Setting) Setting {
	k.Whole, k.Fixed, k.Names = true, true, []string{"no", "yes"}
	k.High = 1
	number := func(on bool) float64 {
		if on {
			return 1
		}
		return 0
	}
	k.get, k.set = func() float64 { return number(*field) }, func(v float64) { *field = v == 1 }
	return k.by(number(own))
}

// Func names a value that is kept in several fields.
func Func(get func() float64, set func(v float64), own float64, k Setting) Setting {
	k.get, k.set = get, set
	return k.by(own)
}

// Value returns the value of the field, or the default value if the field is left to it.
func (k Setting) Value() float64 {
	if v := k.get(); v != Auto {
		return v
	}
	return k.Default
}

// Changed reports whether the value differs from the default.
func (k Setting) Changed() bool { return k.get() != k.own }

// Set changes the field. A value that it cannot hold is an error.
func (k Setting) Set(v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("setting: %s cannot be %g", k.Name, v)
	case k.Whole && (v != math.Trunc(v) || math.Abs(v) > 1<<31):
		return fmt.Errorf("setting: %s must be a whole number, not %g", k.Name, v)
	case k.Names != nil && (v < 0 || int(v) >= len(k.Names)):
		return fmt.Errorf("setting: %s must be one of %s", k.Name, strings.Join(k.Names, ", "))
	case v < 0 || k.Positive && v == 0:
		allowed := "must not be negative"
		if k.Positive {
			allowed = "must be positive"
		}
		return fmt.Errorf("setting: %s %g %s; it means %s", k.Name, v, allowed, k.Means)
	}
	k.set(v)
	if k.Also != nil {
		k.Also()
	}
	return nil
}

// Parse sets the field from text: a number, or the name of a choice.
func (k Setting) Parse(text string) error {
	if k.Names != nil {
		at := slices.Index(k.Names, text)
		if at < 0 {
			return fmt.Errorf("setting: %s must be one of %s, not %q", k.Name, strings.Join(k.Names, ", "), text)
		}
		return k.Set(float64(at))
	}
	if text == "none" && k.None != nil {
		k.None()
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("setting: %s must be a number, not %q; it means %s", k.Name, text, k.Means)
	}
	return k.Set(v)
}

// Format shows a value as Parse reads it.
func (k Setting) Format(v float64) string {
	if k.Names != nil && v >= 0 && int(v) < len(k.Names) {
		return k.Names[int(v)]
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Searched reports whether tune varies the setting.
func (k Setting) Searched() bool { return !k.Fixed && k.Low != k.High }

// At is the value at a share between 0 and 1 of the way through the range.
func (k Setting) At(share float64) float64 {
	v := k.Low + share*(k.High-k.Low)
	switch {
	case k.Names != nil: // every value has an equal part of the way
		return math.Min(k.High, math.Floor(k.Low+share*(k.High-k.Low+1)))
	case k.Log:
		v = math.Exp(math.Log(k.Low) + share*(math.Log(k.High)-math.Log(k.Low)))
	}
	if k.Whole {
		return math.Round(v)
	}
	return v
}

// Share is the inverse of [Setting.At]: how far through the range a value stands, the nearest end for one outside; the
// middle of its part for one of several named values. ok is false for a value that is not known.
func (k Setting) Share(v float64) (share float64, ok bool) {
	low, high := k.Low, k.High
	switch {
	case math.IsNaN(v):
		return 0, false
	case k.Names != nil:
		v, high = v+.5, high+1
	case k.Log:
		v, low, high = math.Log(max(v, low)), math.Log(low), math.Log(high)
	}
	return min(1, max(0, (v-low)/(high-low))), true
}

// Find returns the setting of a name.
func Find(settings []Setting, name string) (Setting, error) {
	at := slices.IndexFunc(settings, func(k Setting) bool { return k.Name == name || k.Was == name && name != "" })
	if at < 0 {
		return Setting{}, fmt.Errorf("setting: there is no setting %q; there are %s", name, strings.Join(Names(settings), ", "))
	}
	return settings[at], nil
}

// Offered returns the settings that users can set.
func Offered(settings []Setting) []Setting {
	return slices.DeleteFunc(slices.Clone(settings), func(k Setting) bool { return k.Internal != "" })
}

// Names lists the names of the settings that users can set.
func Names(settings []Setting) (names []string) {
	for _, k := range Offered(settings) {
		names = append(names, k.Name)
	}
	return names
}

// Apply sets settings by name, as a file or a search has them, in the order of the settings. Older
// files have a negative number for none.
func Apply(settings []Setting, values map[string]float64) error {
	for name := range values {
		if _, err := Find(settings, name); err != nil {
			return err
		}
	}
	for _, k := range settings {
		v, there := values[k.Name]
		if !there {
			v, there = values[k.Was]
		}
		if !there {
			continue
		}
		if v < 0 && k.Names == nil && !math.IsInf(v, 0) {
			if k.None != nil {
				k.None()
				continue
			}
			v = 0
		}
		if err := k.Set(v); err != nil {
			return err
		}
	}
	return nil
}

// Values returns the settings whose value differs from the default, by name.
func Values(settings []Setting) map[string]float64 {
	values := map[string]float64{}
	for _, k := range settings {
		if k.Changed() {
			values[k.Name] = k.Value()
		}
	}
	return values
}
