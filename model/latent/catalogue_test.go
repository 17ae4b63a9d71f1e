package latent_test

import (
	"bytes"
	"encoding/gob"
	"math"
	"reflect"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/model/latent"
)

// filled is a catalogue with presence, biases, ties of units and weights by tier size:
// the n-th number of all is at(n).
func filled(at func(n int) float64) *latent.Catalogue {
	const items, units = 3, 2
	c := latent.Shape{Items: items, K: units, Units: latent.Gaussian, Options: latent.Options{Size: 2, Centred: true}, Presence: true, Largest: items}.New()
	n := 0
	for _, list := range parametersOf(c) {
		for k := range list.numbers {
			list.numbers[k] = at(n)
			n++
		}
	}
	*c.Nu = at(n)
	return c
}

type named struct {
	name    string
	numbers []float64
}

// parametersOf are all slices of numbers in a catalogue, found by their type: what is
// added to it later is not forgotten.
func parametersOf(c *latent.Catalogue) (all []named) {
	fields := reflect.ValueOf(c).Elem()
	for k := range fields.NumField() {
		if f := fields.Field(k); f.Kind() == reflect.Slice && fields.Type().Field(k).Name != "Values" && f.Type().Elem().Kind() == reflect.Float64 {
			numbers := f.Convert(reflect.TypeFor[[]float64]()).Interface().([]float64)
			all = append(all, named{fields.Type().Field(k).Name, numbers})
		}
	}
	return all
}

// Moving towards another catalogue moves every parameter by its share: an average of
// points leaves none behind.
func TestEveryParameterMoves(t *testing.T) {
	c := filled(func(n int) float64 { return float64(n) })
	c.MoveTowards(filled(func(n int) float64 { return -3*float64(n) - 8 }), 0.25)
	want := filled(func(n int) float64 { return -2 })
	for k, list := range parametersOf(c) {
		if len(list.numbers) == 0 {
			t.Errorf("%s is empty: this test says nothing of it", list.name)
		}
		if !slices.Equal(list.numbers, parametersOf(want)[k].numbers) {
			t.Errorf("%s is %v, want -2 throughout", list.name, list.numbers)
		}
	}
	if *c.Nu != -2 {
		t.Errorf("the tie weight is %g, want -2", *c.Nu)
	}
}

// The named parameters are all of the vector, each number once.
func TestNamesCoverTheVector(t *testing.T) {
	seen := map[float64]bool{}
	for _, v := range filled(func(n int) float64 { return float64(n + 1) }).Values {
		seen[v] = true
	}
	if c := filled(func(int) float64 { return 0 }); len(seen) != len(c.Values) || seen[0] {
		t.Errorf("%d of %d numbers have a name of their own", len(seen), len(c.Values))
	}
}

// A catalogue that travels is the same at the other end, and its names are parts of its vector.
func TestCatalogueTravels(t *testing.T) {
	c := filled(func(n int) float64 { return float64(n) })
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(c); err != nil {
		t.Fatal(err)
	}
	var got *latent.Catalogue
	if err := gob.NewDecoder(&b).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c, got) {
		t.Errorf("%+v arrived as %+v", c, got)
	}
	clear(got.Values)
	if got.V[1] != 0 || *got.Nu != 0 {
		t.Error("names and vector have gone apart")
	}
}

// Selected items keep their parameters, new ones have zeros, and what all share stays.
func TestSelect(t *testing.T) {
	c := filled(func(n int) float64 { return float64(n + 1) })
	got := c.Select([]int{2, -1, 0, 1, -1})
	for i, at := range []int{2, -1, 0, 1, -1} {
		for name, pair := range map[string][2][]float64{"u": {got.U[i : i+1], c.U}, "W": {got.W[2*i : 2*i+2], c.W}, "V": {got.V[2*i : 2*i+2], c.V}} {
			want := make([]float64, len(pair[0]))
			if at >= 0 {
				copy(want, pair[1][at*len(want):])
			}
			if !slices.Equal(pair[0], want) {
				t.Errorf("%s of item %d is %v, want %v", name, i, pair[0], want)
			}
		}
	}
	if *got.Nu != *c.Nu || !slices.Equal(got.NuK, c.NuK) || !slices.Equal(got.B, c.B) || !slices.Equal(got.Sizes, c.Sizes) || got.Items != 5 {
		t.Errorf("what all lists share changed: %+v", got)
	}
}

// A clone is equal and shares no parameter.
func TestACloneSharesNoParameter(t *testing.T) {
	c := filled(func(n int) float64 { return float64(n) })
	copied := c.Clone()
	if !reflect.DeepEqual(c, copied) {
		t.Fatal("the clone differs")
	}
	for _, list := range parametersOf(copied) {
		clear(list.numbers)
	}
	if want := filled(func(n int) float64 { return float64(n) }); !reflect.DeepEqual(c, want) {
		t.Errorf("the original changed with its clone: %+v", c)
	}
}

// A single number that is not finite is found wherever it stands.
func TestEveryParameterIsLookedAt(t *testing.T) {
	size := 0
	filled(func(n int) float64 { size = n + 1; return 0 })
	for bad := range size {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			c := filled(func(n int) float64 {
				if n == bad {
					return v
				}
				return 1
			})
			if c.Finite() {
				t.Errorf("number %d of %d is %g, and the catalogue is called finite", bad, size, v)
			}
		}
	}
	if !filled(func(int) float64 { return 1 }).Finite() {
		t.Error("a catalogue of ones is not finite")
	}
}

// The bias of a unit in a list of n items is its own and the sum of their V over the
// root of n (docs/maths.md#presence): with four items of 1 it is 2 more.
func TestPresenceByHand(t *testing.T) {
	c := latent.Shape{Items: 10, K: 2, Units: latent.Gaussian, Options: latent.Options{Size: 2, Centred: true}, Presence: true}.New()
	for i := range 10 {
		c.V[2*i], c.V[2*i+1] = 1, float64(i)
	}
	c.B[0], c.B[1] = 0.5, -1
	for _, list := range []struct {
		items []int
		want  []float64
	}{
		{[]int{7}, []float64{1.5, 6}},
		{[]int{0, 1, 2, 5}, []float64{2.5, 3}},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, []float64{3.5, 11}},
	} {
		m, err := c.Model(list.items)
		if err != nil {
			t.Fatal(err)
		}
		again := &latent.Model{}
		c.Refill(again, list.items)
		for name, m := range map[string]*latent.Model{"made": m, "refilled": again} {
			got := make([]float64, 2)
			m.Activations(partition.OneBlock(len(list.items)), got) // weights W are zero
			for k := range got {
				if !(math.Abs(got[k]-list.want[k]) <= 1e-14) {
					t.Errorf("%s, items %v: activations %v, want %v", name, list.items, got, list.want)
					break
				}
			}
		}
	}
}
