package setting_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fubini/core/setting"
)

type colour int

type options struct {
	Prior  float64
	Hidden int
	Colour colour
	Loud   bool
}

func defaults() options { return options{Prior: 1, Hidden: setting.Auto, Loud: true} }

func (o *options) settings() []setting.Setting {
	return []setting.Setting{
		setting.Float(&o.Prior, 1, setting.Setting{Name: "prior", Low: 0.01, High: 100, Log: true}),
		setting.Int(&o.Hidden, setting.Auto, setting.Setting{Name: "hidden", Positive: true, Default: 10, Low: 1, High: 20}),
		setting.Switch(&o.Loud, true, setting.Setting{Name: "loud"}),
		setting.Choice(&o.Colour, 0, setting.Setting{Name: "colour"}, "red", "green"),
	}
}

func Example() {
	o := defaults()
	settings := o.settings()
	for name, text := range map[string]string{"prior": "0", "colour": "green", "loud": "no"} {
		k, err := setting.Find(settings, name)
		if err != nil {
			panic(err)
		}
		if err := k.Parse(text); err != nil {
			panic(err)
		}
	}
	fmt.Println(o.Prior, o.Hidden == setting.Auto, o.Colour, o.Loud, setting.Values(settings))
	// Output: 0 true 1 false map[colour:1 loud:0 prior:0]
}

func TestAt(t *testing.T) {
	var o options
	settings := o.settings()
	for _, c := range []struct {
		name        string
		share, want float64
	}{{"prior", 0, 0.01}, {"prior", 0.5, 1}, {"prior", 1, 100}, {"hidden", 0.5, 11}, {"colour", 0.49, 0}, {"colour", 0.5, 1}, {"colour", 1, 1}} {
		k, err := setting.Find(settings, c.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.At(c.share); !(math.Abs(got-c.want) <= 1e-12*c.want) {
			t.Errorf("%s at %g is %g, not %g", c.name, c.share, got, c.want)
		}
	}
}

func TestShare(t *testing.T) {
	var o options
	settings := o.settings()
	for _, c := range []struct {
		name     string
		v, share float64
	}{{"prior", 0.01, 0}, {"prior", 1, 0.5}, {"prior", 100, 1}, {"prior", 0, 0}, {"prior", 1e9, 1}, {"hidden", 11, 10. / 19}, {"colour", 0, 0.25}, {"colour", 1, 0.75}} {
		k, err := setting.Find(settings, c.name)
		if err != nil {
			t.Fatal(err)
		}
		got, known := k.Share(c.v)
		if !known || !(math.Abs(got-c.share) <= 1e-12) {
			t.Errorf("%s: %g stands at %g, not at %g", c.name, c.v, got, c.share)
		}
		if v := k.At(got); c.v >= k.Low && c.v <= k.High && !(math.Abs(v-c.v) <= 1e-12*c.v) {
			t.Errorf("%s: at the share of %g stands %g", c.name, c.v, v)
		}
		if _, known := k.Share(math.NaN()); known {
			t.Errorf("%s: no number has a place", c.name)
		}
	}
}

func TestRefusals(t *testing.T) {
	o := defaults()
	settings := o.settings()
	for name, texts := range map[string][]string{
		"prior": {"much", "NaN", "Inf", "-1"}, "hidden": {"1.5", "1e300", "x", "0", "-2147483648"}, "colour": {"blue", "0"}, "loud": {"1", "true"},
	} {
		for _, text := range texts {
			k, err := setting.Find(settings, name)
			if err != nil {
				t.Fatal(err)
			}
			if err := k.Parse(text); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s = %s was taken, or the error does not name it: %v", name, text, err)
			}
		}
	}
	if err := setting.Apply(settings, map[string]float64{"rate": 1}); err == nil {
		t.Error("an unknown setting was taken")
	}
	if o != defaults() {
		t.Errorf("a refused value stayed behind: %+v", o)
	}
}

// A setting that is left to the data has what it comes to for its value, and is not among
// those that were set; one that is set to that very number is.
func TestAuto(t *testing.T) {
	o := defaults()
	k, err := setting.Find(o.settings(), "hidden")
	if err != nil {
		t.Fatal(err)
	}
	if k.Changed() || k.Value() != 10 || len(setting.Values(o.settings())) != 0 {
		t.Errorf("not set: %v, %g, %v", k.Changed(), k.Value(), setting.Values(o.settings()))
	}
	if err := k.Set(10); err != nil || !k.Changed() || setting.Values(o.settings())["hidden"] != 10 {
		t.Errorf("set: %v, %v, %v", err, k.Changed(), setting.Values(o.settings()))
	}
}

// Files of before zero could be said have a negative number for none.
func TestNegativeInFiles(t *testing.T) {
	o := defaults()
	if err := setting.Apply(o.settings(), map[string]float64{"prior": -1}); err != nil || o.Prior != 0 {
		t.Errorf("prior %g, %v", o.Prior, err)
	}
	if err := setting.Apply(o.settings(), map[string]float64{"hidden": -1}); err == nil {
		t.Error("none where there must be some")
	}
	if err := setting.Apply(o.settings(), map[string]float64{"prior": math.Inf(-1)}); err == nil {
		t.Error("minus infinity")
	}
	settings := o.settings()
	settings[0].None = func() { o.Loud = false }
	if err := setting.Apply(settings, map[string]float64{"prior": -1}); err != nil || o.Loud {
		t.Errorf("a negative number with a meaning of its own: %+v, %v", o, err)
	}
	o.Loud = true
	if err := settings[0].Parse("none"); err != nil || o.Loud {
		t.Errorf("none: %+v, %v", o, err)
	}
	if err := settings[1].Parse("none"); err == nil {
		t.Error("none of a setting that has no such value")
	}
}

// A file of before a setting was renamed has it by its old name.
func TestRenamedInFiles(t *testing.T) {
	o := defaults()
	settings := o.settings()
	for k := range settings {
		if settings[k].Name == "prior" {
			settings[k].Was = "penalty"
		}
	}
	if err := setting.Apply(settings, map[string]float64{"penalty": 3}); err != nil || o.Prior != 3 {
		t.Errorf("prior %g, %v", o.Prior, err)
	}
	if err := setting.Apply(settings, map[string]float64{"fine": 3}); err == nil {
		t.Error("a name that nothing ever had")
	}
}

// A setting that users cannot set is not among the names that they are told, and files may have
// it.
func TestInternal(t *testing.T) {
	o := defaults()
	settings := o.settings()
	settings[0].Internal = "hidden has it"
	if got := strings.Join(setting.Names(settings), " "); got != "hidden loud colour" || len(setting.Offered(settings)) != 3 || len(settings) != 4 || settings[3].Name != "colour" {
		t.Errorf("users can set %s", got)
	}
	if err := setting.Apply(settings, map[string]float64{"prior": 7}); err != nil || o.Prior != 7 || setting.Values(settings)["prior"] != 7 {
		t.Errorf("prior %g, %v", o.Prior, err)
	}
}

// One number for two fields.
func TestFunc(t *testing.T) {
	o := defaults()
	k := setting.Func(func() float64 {
		if !o.Loud {
			return 0
		}
		return o.Prior
	}, func(v float64) { o.Loud, o.Prior = v > 0, v }, 1, setting.Setting{Name: "voice", Means: "how loud"})
	if k.Changed() || k.Default != 1 {
		t.Errorf("said %t, default %g", k.Changed(), k.Default)
	}
	if err := k.Parse("0"); err != nil || o.Loud || !k.Changed() {
		t.Errorf("%+v, %v", o, err)
	}
	if err := k.Parse("yes"); err == nil || !strings.Contains(err.Error(), "how loud") {
		t.Errorf("a word for a number: %v", err)
	}
}
