package people

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fubini/app/measure"
	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/latent"
)

// The scores of a run fall strictly, also where those of the model are equal, and
// ties are in the order of the catalogue, in which items that came into the model later
// stand behind others, whatever their ids.
func TestRunsFallStrictly(t *testing.T) {
	ids := []string{"m", "p", "z", "c", "q"}
	c := latent.NewCatalogue(len(ids), 0, latent.Gaussian, latent.Options{})
	copy(c.U, []float64{1, 1, 2, 1, 1 + 1e-12}) // the last is above, but not as float32
	saved := &modelstore.Saved{Name: "osm", ItemIDs: ids, ItemNames: ids, Seen: make([]uint32, len(ids)), Model: &registry.Latent{Catalogue: c}}
	r, err := recommend.New(saved, recommend.Rules{Count: 10})
	if err != nil {
		t.Fatal(err)
	}
	answers, err := r.Answer(t.Context(), []model.Person{{}}, &recommend.Scratch{})
	if err != nil {
		t.Fatal(err)
	}
	var out recommend.Answered
	if err := encodeTREC(&out, r, "ann", answers[0]); err != nil {
		t.Fatal(err)
	}
	var got []string
	before := float32(math.Inf(1))
	for line := range strings.Lines(out.Text.String()) {
		var user, q0, id, tag string
		var place int
		var score float32
		if _, err := fmt.Sscan(line, &user, &q0, &id, &place, &score, &tag); err != nil {
			t.Fatal(err)
		}
		if got = append(got, id); !(score < before) || place != len(got) {
			t.Errorf("%q after a score of %g", line, before)
		}
		before = score
	}
	if want := []string{"z", "q", "m", "p", "c"}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// Memory does not grow with the number of people, but for the few bytes by which one
// who comes twice is known.
func TestBatchesTakeConstantMemory(t *testing.T) {
	const items = 300 // of measure.Items that the data speak of: the others are unknown
	people := 40_000
	if testing.Short() {
		people = 5000
	}
	saved := &modelstore.Saved{Name: "osm", Model: &registry.Latent{Catalogue: latent.NewCatalogue(items, 0, latent.Gaussian, latent.Options{})}}
	for i := range items {
		saved.ItemIDs = append(saved.ItemIDs, fmt.Sprint(i*(measure.Items/items)))
	}
	saved.ItemNames = saved.ItemIDs
	r, err := recommend.New(saved, recommend.Rules{Count: 3})
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBatch(r, &recommendFlags{unknownFlags: &unknownFlags{"ignore"}, usersFlags: &usersFlags{}, DataFlags: &input.DataFlags{Duplicates: "error"}}, formOf(cli.NewProgram(io.Discard), "jsonl", r))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := format.NewUserReader(measure.Ratings(people), "people", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	held := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	early, late := 0, 0
	sink := b.Form.Open(io.Discard)
	err = b.Run(t.Context(), 2, reader.Next, func(a *recommend.Answered) error {
		if b.Users >= people/5 && early == 0 {
			early = held()
		}
		if b.Users == people {
			late = held()
		}
		return sink.Put(a)
	})
	if err != nil || b.Users != people || b.Missing == 0 {
		t.Fatalf("%d users, %d unknown items, %v", b.Users, b.Missing, err)
	}
	if grown := late - early; grown > 16*people+128<<10 { // the lists of each person would be 320 bytes
		t.Errorf("memory grew by %d bytes from a fifth of the people to all", grown)
	}
}
