package modelstore_test

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"fubini/data/ratings"
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

// A model ranks by the numbers of another vocabulary as by its own, by every aim; an item that it has not is like one that was in no list.
func TestRankerOfOtherNumbers(t *testing.T) {
	both := trained(t, modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 6), Program: "test", Seed: 7, Interest: true})
	set := planted(t, 40, 15)
	b := ratings.NewBuilder()
	for _, id := range set.Items().IDs() {
		if err := b.Add([]byte("somebody"), []byte(id), 1, ratings.NoTime); err != nil {
			t.Fatal(err)
		}
		if err := b.Add([]byte("somebody"), []byte("-"+id), 1, ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	others, _, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	if first := others.Items().ID(0); first == both.ItemIDs[0] {
		t.Fatalf("the first item is %s in both", first)
	}
	own, _ := both.Person(set, 3)
	other := model.Person{Index: -1, Known: ratings.Row{Values: own.Known.Values}}
	find := func(id string) uint32 {
		i, ok := others.Items().Find(id)
		if !ok {
			t.Fatalf("no item %s", id)
		}
		return i
	}
	for _, i := range own.Known.Items {
		other.Known.Items = append(other.Known.Items, find(both.ItemIDs[i]))
	}
	for _, aim := range []modelstore.Aim{modelstore.AimAuto, modelstore.AimTaste, modelstore.AimBalanced, modelstore.AimInterest} {
		ranker, err := both.Ranker(others.Items(), aim)
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range both.ItemIDs {
			want, got := make([]float64, 1), make([]float64, 2)
			if err := both.ScoreFor(aim, own, []uint32{uint32(i)}, want); err != nil {
				t.Fatal(err)
			}
			ranker.Score(other, []uint32{find(id), find("-" + id)}, got)
			if !(math.Abs(got[0]-want[0]) <= 1e-9) { // sums in another order
				t.Errorf("%s: item %s has %.12f, by its own number %.12f", aim, id, got[0], want[0])
			}
			if aim == modelstore.AimInterest && got[1] != 0 {
				t.Errorf("an item in no list has interest %g", got[1])
			}
		}
	}
}
