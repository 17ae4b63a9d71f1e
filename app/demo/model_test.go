package demo

import (
	"bytes"
	"context"
	"math"
	"slices"
	"sync"
	"testing"

	"fubini/data/modelfile"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/rank"
)

// trained is the model that the demonstration shows, made once for all tests.
var trained = sync.OnceValues(func() (*modelstore.Saved, error) {
	return New().Train(context.Background(), Training{Seed: 1})
})

// skipIfShort leaves out what takes a whole world or many draws on one core: the race
// detector sees the same code where few people are drawn and trained on by several jobs.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a whole world, or many draws")
	}
}

func demoModel(t *testing.T) (*modelstore.Saved, *latent.Catalogue) {
	t.Helper()
	skipIfShort(t)
	s, err := trained()
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// The model carries what the page shows: everything is labelled, and says that its
// people are made up.
func TestModelIsLabelled(t *testing.T) {
	s, _ := demoModel(t)
	if !s.Synthetic || s.Title != Title || s.Users != TrainingPeople || len(s.ItemIDs) != len(foods) {
		t.Errorf("title %q, synthetic %v, %d people, %d items", s.Title, s.Synthetic, s.Users, len(s.ItemIDs))
	}
	for i, id := range s.ItemIDs {
		at := slices.IndexFunc(foods, func(f food) bool { return f.ID == id })
		if got := (Item{id, s.ItemNames[i], s.ItemEmoji[i], s.ItemGroups[i]}); at < 0 || foods[at].Item != got {
			t.Errorf("item %d is %+v", i, got)
		}
	}
	file, err := s.File()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := file.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	read, err := modelfile.Read(bytes.NewReader(text.Bytes()), int64(text.Len()))
	if err != nil {
		t.Fatal(err)
	}
	back, err := modelstore.Open(read)
	if err != nil {
		t.Fatal(err)
	}
	if back.Title != Title || !back.Synthetic || !slices.Equal(back.ItemEmoji, s.ItemEmoji) || back.Calibration.ECE != s.Calibration.ECE {
		t.Error("labels got lost in the file")
	}
}

// Learning beats everybody's mean clearly on ratings it has not seen, and its odds
// hold on people it has not seen: no bin is off by more than a tenth. (They cannot
// hold exactly: people have a limited number of tiers, of which the model
// does not know.)
func TestModelIsGoodAndHonest(t *testing.T) {
	s, _ := demoModel(t)
	best := 0.0
	for _, e := range s.History {
		best = max(best, e.Validation)
	}
	if !(best > s.ItemMean+0.03) || !(s.ItemMean > 0.5) {
		t.Errorf("NDCG@10 %.4f, item means %.4f", best, s.ItemMean)
	}
	if !(s.Calibration.ECE < 0.03) || s.Calibration.Events < 10000 {
		t.Errorf("calibration error %g on %d events", s.Calibration.ECE, s.Calibration.Events)
	}
	t.Logf("NDCG@10 %.4f, item means %.4f, calibration error %.4f", best, s.ItemMean, s.Calibration.ECE)
	for _, b := range s.Calibration.Bins {
		t.Logf("said %.3f, happened %.3f of %d times", b.P, b.Observed, b.Count)
		if !(math.Abs(b.Observed-b.P) < 0.1) {
			t.Errorf("said %.3f, happened %.3f of %d times", b.P, b.Observed, b.Count)
		}
	}
}

// The planted tastes are found again, most of them as a unit of their own. A unit
// may be the opposite of a taste: that is the same model.
func TestModelFindsThePlantedTastes(t *testing.T) {
	s, c := demoModel(t)
	truth := New()
	alone := 0
	for k, name := range truth.Tastes {
		planted := make([]float64, len(s.ItemIDs))
		for i, item := range truth.Items {
			at, _ := s.Find(item.ID)
			planted[at] = truth.Truth.W[i*tastes+k]
		}
		best := 0.0
		for j := range c.K {
			learned := make([]float64, len(planted))
			for i := range learned {
				learned[i] = c.W[i*c.K+j]
			}
			best = max(best, math.Abs(correlation(planted, learned)))
		}
		t.Logf("%s: correlation %.2f with its best unit", name, best)
		if !(best > 0.6) {
			t.Errorf("%s: no unit is like it, the best has correlation %.2f", name, best)
		}
		if best > 0.8 {
			alone++
		}
	}
	if alone < 6 {
		t.Errorf("%d of %d tastes have a unit of their own", alone, len(truth.Tastes))
	}
}

func correlation(x, y []float64) float64 {
	var mx, my, xx, yy, xy float64
	for i := range x {
		mx += x[i] / float64(len(x))
		my += y[i] / float64(len(y))
	}
	for i := range x {
		a, b := x[i]-mx, y[i]-my
		xx, yy, xy = xx+a*a, yy+b*b, xy+a*b
	}
	return xy / math.Sqrt(xx*yy)
}

// What people of plain tastes are told to try is of that taste.
func TestRecommendationsMakeSense(t *testing.T) {
	s, c := demoModel(t)
	for _, person := range []struct {
		tiers [][]string
		taste int // most of the first eight have this planted taste
	}{
		{[][]string{{"ramen", "pho", "sushi"}, {"pizza", "ice-cream"}, {"brussels-sprouts", "coffee"}}, umami},
		{[][]string{{"chocolate", "cookie"}, {"pizza"}, {"olives", "oysters"}}, sweet},
		{[][]string{{"falafel", "green-salad"}, {"sushi"}, {"steak", "burger"}}, green},
		{[][]string{{"steak", "spare-ribs", "bacon"}, {"spaghetti", "apple"}, {"falafel", "green-salad"}}, meat},
	} {
		likes := model.Person{Index: -1, TiersOnly: true}
		for k, tier := range person.tiers {
			for _, id := range tier {
				i, known := s.Find(id)
				if !known {
					t.Fatalf("no item %s", id)
				}
				likes.Known.Items, likes.Known.Values = append(likes.Known.Items, uint32(i)), append(likes.Known.Values, float32(-k))
			}
		}
		who, err := rank.Read(c, likes)
		if err != nil {
			t.Fatal(err)
		}
		var others []int
		for i := range s.ItemIDs {
			if !slices.Contains(likes.Known.Items, uint32(i)) {
				others = append(others, i)
			}
		}
		scores := make([]float64, len(others))
		who.Score(others, scores)
		fitting := 0
		var names []string
		for _, k := range rank.Best(scores, 8) {
			id := s.ItemIDs[others[k]]
			names = append(names, id)
			at := slices.IndexFunc(foods, func(f food) bool { return f.ID == id })
			if foods[at].weights[person.taste] > 0 {
				fitting++
			}
		}
		if fitting < 5 {
			t.Errorf("%v gets %v: %d of 8 of their taste", person.tiers, names, fitting)
		}
	}
}

// The same bytes for the same seed, however many jobs.
func TestModelIsTheSameForAnyNumberOfJobs(t *testing.T) {
	people := 120
	if testing.Short() {
		people = 30
	}
	var first []byte
	for _, jobs := range []int{1, 3} {
		s, err := New().Train(context.Background(), Training{Seed: 4, Jobs: jobs, people: people, heldOut: 70})
		if err != nil {
			t.Fatal(err)
		}
		file, err := s.File()
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if _, err := file.WriteTo(&text); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text.Bytes()
		} else if !bytes.Equal(first, text.Bytes()) {
			t.Error("another number of jobs, another model")
		}
	}
}
