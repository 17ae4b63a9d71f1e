package modelstore_test

import (
	"testing"

	"fubini/learn/modelstore"
	"fubini/model/interest"
)

// A model whose interest is not informative recommends by taste unless it is told otherwise, and its file keeps that.
func TestAimOfUninformativeInterest(t *testing.T) {
	request := modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 2), Program: "test", Seed: 7, Interest: true}
	saved := trained(t, request)
	for _, c := range []struct {
		lift *interest.Lift
		want modelstore.Aim
	}{
		{nil, modelstore.AimBalanced},
		{&interest.Lift{Mean: .3, StdErr: .1}, modelstore.AimBalanced},
		{&interest.Lift{Mean: .1, StdErr: .1}, modelstore.AimTaste},
		{&interest.Lift{}, modelstore.AimTaste},
		{&interest.Lift{Mean: 7e-19, StdErr: 2e-19}, modelstore.AimTaste},
		{&interest.Lift{Mean: -.1, StdErr: .01}, modelstore.AimTaste},
	} {
		saved.Interest.Lift = c.lift
		f, err := saved.File()
		if err != nil {
			t.Fatal(err)
		}
		_, read := written(t, f)
		back, err := modelstore.Open(read)
		if err != nil {
			t.Fatal(err)
		}
		if aim, err := back.Resolve(modelstore.AimAuto); err != nil || aim != c.want {
			t.Errorf("lift %v: aim %v, error %v, not %v", c.lift, aim, err, c.want)
		}
		for _, aim := range []modelstore.Aim{modelstore.AimTaste, modelstore.AimBalanced, modelstore.AimInterest} {
			if got, err := back.Resolve(aim); err != nil || got != aim {
				t.Errorf("lift %v: aim %v becomes %v, error %v", c.lift, aim, got, err)
			}
		}
	}
}
