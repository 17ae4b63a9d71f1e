package modelstore_test

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"testing"

	"fubini/learn/modelstore"
	"fubini/model"
)

// A model of picks travels in the file of a model of taste, which stays as it is to the bit.
func TestInterestBesideTaste(t *testing.T) {
	request := modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 6), Program: "test", Seed: 7}
	taste := trained(t, request)
	request.Interest = true
	both := trained(t, request)
	f, err := both.File()
	if err != nil {
		t.Fatal(err)
	}
	first, read := written(t, f)
	back, err := modelstore.Open(read)
	if err != nil {
		t.Fatal(err)
	}
	if f, err = back.File(); err != nil {
		t.Fatal(err)
	}
	if again, _ := written(t, f); !bytes.Equal(first, again) || !reflect.DeepEqual(back.Interest, both.Interest) {
		t.Error("the file of the model that was read differs")
	}
	request.Jobs = 1
	one := trained(t, request)
	if !reflect.DeepEqual(one.Interest, both.Interest) {
		t.Error("another model of picks with one job")
	}

	set := planted(t, 40, 15)
	person, _ := both.Person(set, 3)
	items := []uint32{0, 1, 2, 3, 4, 5}
	scores := func(s *modelstore.Saved, aim modelstore.Aim) []float64 {
		scores := make([]float64, len(items))
		if err := s.ScoreFor(aim, person, items, scores); err != nil {
			t.Fatal(err)
		}
		return scores
	}
	alone := make([]float64, len(items))
	taste.Score(person, items, alone)
	if got := scores(back, modelstore.AimTaste); !slices.Equal(got, alone) {
		t.Errorf("scores of taste are %v, of a model of taste alone %v", got, alone)
	}
	picks, balanced := scores(back, modelstore.AimInterest), scores(back, modelstore.AimBalanced)
	for k := range items {
		if want := both.Interest.Balanced(picks[k], alone[k]); balanced[k] != want {
			t.Errorf("item %d: balanced score %g, not %g", k, balanced[k], want)
		}
	}
	if err := taste.ScoreFor(modelstore.AimBalanced, person, items, alone); err == nil {
		t.Error("a model of taste alone has a balanced score")
	}
	if _, err := modelstore.Train(context.Background(), set, modelstore.Request{Model: "item-mean", Interest: true}); err == nil {
		t.Error("item-mean was trained with interest")
	}
	if err := both.ScoreFor(modelstore.AimInterest, model.Person{Index: -1}, items, alone); err != nil || !slices.Equal(alone, both.Interest.Average[:len(items)]) {
		t.Errorf("without a list: %v, error %v", alone, err)
	}
}
