package main

import (
	"testing"

	"fubini/app/measure"
	"fubini/app/recommend"
)

// The memory of a batch is looked at in its first and in its last tenth: a program that is loaded takes some.
func TestBatchMemoryIsMeasured(t *testing.T) {
	r, err := recommend.New(measure.Model(1), recommend.Rules{Count: 1})
	if err != nil {
		t.Fatal(err)
	}
	const people = 10 * recommend.BlockUsers
	speed, err := (&program{}).measureBatch(t.Context(), r, people, 1)
	if err != nil {
		t.Fatal(err)
	}
	const least, most = 1 << 20, 1 << 40 // bytes
	if !(speed.early > least && speed.early < most && speed.late > least && speed.late < most && speed.perSecond > 0) || speed.people != people {
		t.Errorf("%+v", speed)
	}
}
