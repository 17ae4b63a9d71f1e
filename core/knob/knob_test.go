package knob_test

import (
	"fmt"
	"math"
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

func (o *options) knobs() []knob.Knob {
	return []knob.Knob{
		knob.Float(&o.Prior, knob.Knob{Name: "prior", Default: 1, Low: 0.01, High: 100, Log: true}),
		knob.Int(&o.Hidden, knob.Knob{Name: "hidden", Default: 10, Low: 1, High: 20}),
		knob.Switch(&o.Loud, knob.Knob{Name: "loud"}),
		knob.Choice(&o.Colour, knob.Knob{Name: "colour"}, "red", "green"),
	}
}

func Example() {
	var o options
	knobs := o.knobs()
	for name, text := range map[string]string{"prior": "0.5", "colour": "green", "loud": "yes"} {
		k, err := knob.Find(knobs, name)
		if err != nil {
			panic(err)
		}
		if err := k.Parse(text); err != nil {
			panic(err)
		}
	}
	fmt.Println(o.Prior, o.Hidden, o.Colour, o.Loud, knob.Values(knobs))
	// Output: 0.5 0 1 true map[colour:1 loud:1 prior:0.5]
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
	var o options
	knobs := o.knobs()
	for name, texts := range map[string][]string{
		"prior": {"much", "NaN", "Inf"}, "hidden": {"1.5", "1e300", "x"}, "colour": {"blue", "0"}, "loud": {"1", "true"},
	} {
		for _, text := range texts {
			k, err := knob.Find(knobs, name)
			if err != nil {
				t.Fatal(err)
			}
			if err := k.Parse(text); err == nil {
				t.Errorf("%s = %s was taken", name, text)
			}
		}
	}
	if err := knob.Apply(knobs, map[string]float64{"rate": 1}); err == nil {
		t.Error("an unknown setting was taken")
	}
	if o != (options{}) {
		t.Errorf("a refused value stayed behind: %+v", o)
	}
}
