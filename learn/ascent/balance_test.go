package ascent

import (
	"context"
	"slices"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/model/latent"
	"fubini/model/osm"
)

// visits records the work of the visits of every batch, items times tiers, in the order in which they are begun.
type visits struct {
	lists   []osm.Packed
	batch   []visit
	batches [][]visit
}

type visit struct{ task, work, whole int } // whole is the work without the limit on the items of a list

func (v *visits) Gradient(_ int, t *Task) {
	n := len(t.List.Items)
	v.batch = append(v.batch, visit{t.Index, n * t.List.Order.Len(), len(v.lists[t.Number].Items) * t.List.Order.Len()})
	t.Gradient = &latent.Gradient{U: make([]float64, n), W: make([]float64, n), NuK: make([]float64, 1), B: make([]float64, 1)}
}

func (v *visits) Updated([]*Task, int) {
	v.batches = append(v.batches, v.batch)
	v.batch = nil
}

// idle is the work that the busiest of some workers has left when the first of them has none, if each takes the next visit when it is done with one, and the
// work of all as a share of what they could have done until the busiest was done.
func idle(batch []visit, workers int, work func(v visit) int) (left int, used float64) {
	busy, all := make([]int, workers), 0
	for _, v := range batch {
		least := slices.Index(busy, slices.Min(busy))
		busy[least] += work(v)
		all += work(v)
	}
	most := slices.Max(busy)
	return most - slices.Min(busy), float64(all) / float64(workers*most)
}

// Where some lists have 5,000 items and most have 20, no worker waits longer at the end of a batch than for one list of 20: the long ones are used in part, and
// begun first. In the order of the batch workers do wait for long lists.
func TestWorkersEndTogether(t *testing.T) {
	const items, people, short, long, tiers = 6000, 1000, 20, 5000, 5
	r := rng.Stream(1, "balance")
	all, lists := make([]int, items), make([]osm.List, people)
	for l := range lists {
		rng.Permutation(r, all)
		n := short
		if l%50 == 0 {
			n = long
		}
		levels := make([]int, n)
		for k := range levels {
			levels[k] = k % tiers
		}
		order, err := partition.FromLevels(levels)
		if err != nil {
			t.Fatal(err)
		}
		lists[l] = osm.List{Items: slices.Clone(all[:n]), Order: order}
	}
	o := Defaults()
	o.Hidden, o.Epochs, o.Batch, o.Jobs = 1, 3, 50, 1
	packed := osm.Pack(lists)
	f, err := New(items, packed, o)
	if err != nil {
		t.Fatal(err)
	}
	seen := &visits{lists: packed}
	if _, err := f.Train(context.Background(), Method{Objective: seen, Rule: Absolute}); err != nil {
		t.Fatal(err)
	}
	if want := 3 * people / 50; len(seen.batches) != want {
		t.Fatalf("%d batches, want %d", len(seen.batches), want)
	}
	part, whole := func(v visit) int { return v.work }, func(v visit) int { return v.whole }
	for _, workers := range []int{2, 3, 4} {
		most, inOrder, used, usedInOrder, usedWhole := 0, 0, 0., 0., 0.
		for _, batch := range seen.batches {
			left, share := idle(batch, workers, part)
			most, used = max(most, left), used+share/float64(len(seen.batches))
			slices.SortFunc(batch, func(a, b visit) int { return a.task - b.task })
			left, share = idle(batch, workers, part)
			inOrder, usedInOrder = max(inOrder, left), usedInOrder+share/float64(len(seen.batches))
			_, share = idle(batch, workers, whole)
			usedWhole += share / float64(len(seen.batches))
			slices.SortStableFunc(batch, func(a, b visit) int { return b.work - a.work })
		}
		t.Logf("| %d | %.1f %% | %.1f %% | %.1f %% |", workers, 100*used, 100*usedInOrder, 100*usedWhole)
		if most > short*tiers || inOrder < 4*short*tiers || !(used > 0.97) {
			t.Errorf("%d workers: %d items times tiers left when the first has none, and %d in the order of the batch; a list of %d has %d", workers, most, inOrder, short, short*tiers)
		}
	}
}

// Stripes divide the items among workers so that the lists of all items are nearly divided too, also where the first items are in most lists.
func TestStripesAreBalanced(t *testing.T) {
	for _, items := range []int{1000, 3700, 60000} {
		for _, jobs := range []int{2, 4} {
			f := &Run{times: make([]float64, items), jobs: jobs}
			work := make([]float64, jobs)
			for w := range jobs {
				f.own(w, func(i int) { work[w] += 1 / float64(i+100) })
			}
			var all float64
			for _, v := range work {
				all += v
			}
			if most := slices.Max(work) * float64(jobs) / all; !(most < 1.2) {
				t.Errorf("%d items: the busiest of %d workers has %.2f times its share", items, jobs, most)
			}
		}
	}
}
