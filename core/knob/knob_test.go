package knob_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fubini/core/knob"
)

type colour int

type options struct {
	Prior  float64
	Hidden int
	Colour colour
	Loud   bool
}

func defaults() options { return options{Prior: 1, Hidden: knob.Auto, Loud: true} }

func (o *options) knobs() []knob.Knob {
	return []knob.Knob{
		knob.Float(&o.Prior, 1, knob.Knob{Name: "prior", Low: 0.01, High: 100, Log: true}),
		knob.Int(&o.Hidden, knob.Auto, knob.Knob{Name: "hidden", Positive: true, Default: 10, Low: 1, High: 20}),
		knob.Switch(&o.Loud, true, knob.Knob{Name: "loud"}),
		knob.Choice(&o.Colour, 0, knob.Knob{Name: "colour"}, "red", "green"),
	}
}

func Example() {
	o := defaults()
	knobs := o.knobs()
	for name, text := range map[string]string{"prior": "0", "colour": "green", "loud": "no"} {
		k, err := knob.Find(knobs, name)
		if err != nil {
			panic(err)
		}
		if err := k.Parse(text); err != nil {
			panic(err)
		}
	}
	fmt.Println(o.Prior, o.Hidden == knob.Auto, o.Colour, o.Loud, knob.Values(knobs))
	// Output: 0 true 1 false map[colour:1 loud:0 prior:0]
}

func TestAt(t *testing.T) {
	var o options
	knobs := o.knobs()
	for _, c := range []struct {
		name        string
		share, want float64
	}{{"prior", 0, 0.01}, {"prior", 0.5, 1}, {"prior", 1, 100}, {"hidden", 0.5, 11}, {"colour", 0.49, 0}, {"colour", 0.5, 1}, {"colour", 1, 1}} {
		k, err := knob.Find(knobs, c.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.At(c.share); !(math.Abs(got-c.want) <= 1e-12*c.want) {
			t.Errorf("%s at %g is %g, not %g", c.name, c.share, got, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	o := defaults()
	knobs := o.knobs()
	for name, texts := range map[string][]string{
		"prior": {"much", "NaN", "Inf", "-1"}, "hidden": {"1.5", "1e300", "x", "0", "-2147483648"}, "colour": {"blue", "0"}, "loud": {"1", "true"},
	} {
		for _, text := range texts {
			k, err := knob.Find(knobs, name)
			if err != nil {
				t.Fatal(err)
			}
			if err := k.Parse(text); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s = %s was taken, or the error does not name it: %v", name, text, err)
			}
		}
	}
	if err := knob.Apply(knobs, map[string]float64{"rate": 1}); err == nil {
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
	k, err := knob.Find(o.knobs(), "hidden")
	if err != nil {
		t.Fatal(err)
	}
	if k.Said() || k.Value() != 10 || len(knob.Values(o.knobs())) != 0 {
		t.Errorf("not set: %v, %g, %v", k.Said(), k.Value(), knob.Values(o.knobs()))
	}
	if err := k.Set(10); err != nil || !k.Said() || knob.Values(o.knobs())["hidden"] != 10 {
		t.Errorf("set: %v, %v, %v", err, k.Said(), knob.Values(o.knobs()))
	}
}

// Files of before zero could be said have a negative number for none.
func TestNegativeInFiles(t *testing.T) {
	o := defaults()
	if err := knob.Apply(o.knobs(), map[string]float64{"prior": -1}); err != nil || o.Prior != 0 {
		t.Errorf("prior %g, %v", o.Prior, err)
	}
	if err := knob.Apply(o.knobs(), map[string]float64{"hidden": -1}); err == nil {
		t.Error("none where there must be some")
	}
	if err := knob.Apply(o.knobs(), map[string]float64{"prior": math.Inf(-1)}); err == nil {
		t.Error("minus infinity")
	}
	knobs := o.knobs()
	knobs[0].Negative = func() { o.Loud = false }
	if err := knob.Apply(knobs, map[string]float64{"prior": -1}); err != nil || o.Loud {
		t.Errorf("a negative number with a meaning of its own: %+v, %v", o, err)
	}
}
