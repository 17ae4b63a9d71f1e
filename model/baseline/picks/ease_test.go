package picks

import (
	"fmt"
	"math"
	"testing"

	"fubini/core/cholesky"
	"fubini/data/ratings"
	"fubini/model"
)

// everybody has the scores of all items for everybody of a set.
func everybody(t *testing.T, r model.Recipe, fitted, set *ratings.Set) (all [][]float64) {
	t.Helper()
	m, err := r.Fit(t.Context(), fitted, model.Run{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	items := make([]uint32, set.Items().Len())
	for i := range items {
		items[i] = uint32(i)
	}
	for u := range set.Users().Len() {
		scores := make([]float64, len(items))
		m.Score(model.Person{Index: -1, Known: set.Row(u)}, items, scores)
		all = append(all, scores)
	}
	return all
}

// The scores are those of ridge regressions of each item on the others, solved one by one: with more people than items, and with fewer.
func TestEASEAgainstRegressions(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {12, 30}} {
		set, _ := groups(t, size[0], size[1])
		t.Run(fmt.Sprint(set.Users().Len(), " people, ", set.Items().Len(), " items"), func(t *testing.T) { againstRegressions(t, set) })
	}
}

func againstRegressions(t *testing.T, set *ratings.Set) {
	n := set.Items().Len()
	low, high := set.Range()
	for weights, of := range map[Weights]func(v float64) float64{
		Equal:  func(float64) float64 { return 1 },
		Graded: func(v float64) float64 { return 0.1 + 0.9*(v-low)/(high-low) },
		Liked: func(v float64) float64 {
			if v >= 4 {
				return 1
			}
			return 0
		},
	} {
		x := make([][]float64, set.Users().Len())
		for u := range x {
			x[u] = make([]float64, n)
			for k, i := range set.Row(u).Items {
				x[u][i] = of(float64(set.Row(u).Values[k]))
			}
		}
		got := everybody(t, &EASE{Ridge: 5, Weights: weights, Most: n}, set, set)
		for j := range n {
			a, b := make([]float64, n*n), make([]float64, n) // item j itself has no part: its row and column are zero
			for i := range n {
				a[i*n+i] = 5
			}
			for _, list := range x {
				for i := range n {
					if i == j {
						continue
					}
					b[i] += list[i] * list[j]
					for k := range n {
						if k != j {
							a[i*n+k] += list[i] * list[k]
						}
					}
				}
			}
			cholesky.Must(cholesky.Solve(a, b))
			for u, list := range x {
				var want, sum float64
				for i, w := range list {
					want += w * b[i]
					sum += w
				}
				if sum == 0 {
					continue // scores are numbers of picks
				}
				if !(math.Abs(got[u][j]-want) < 1e-10) {
					t.Fatalf("weights %d: the score of item %d for person %d is %g, by regression %g", weights, j, u, got[u][j], want)
				}
			}
		}
	}
}

// A limit on the items leaves the fit to the most picked ones; the others have score 0.
func TestEASEOfTheMostPicked(t *testing.T) {
	set, _ := groups(t, 60, 20)
	picks := make([]int, set.Items().Len())
	for u := range set.Users().Len() {
		for _, i := range set.Row(u).Items {
			picks[i]++
		}
	}
	scores := everybody(t, &EASE{Ridge: 5, Most: 7}, set, set)
	least, most, count := math.MaxInt, 0, 0 // picks of the least picked with weights, and of the most picked without
	for i, c := range picks {
		has := false
		for u := range scores {
			has = has || scores[u][i] != 0
		}
		if has {
			count++
			least = min(least, c)
		} else {
			most = max(most, c)
		}
	}
	if count != 7 || least < most {
		t.Errorf("%d items have weights, the least picked of them %d times, and one without %d times", count, least, most)
	}
}

// With liked weights, ratings below 4 of 5 are as if they were not there, in the fit and in a new person's list.
func TestLikedIsAListOfLikedItems(t *testing.T) {
	set, _ := groups(t, 60, 20)
	liked := set.From(4)
	if liked.Len() == 0 || liked.Len() == set.Len() {
		t.Fatalf("%d of %d ratings are of liked items", liked.Len(), set.Len())
	}
	for name, of := range map[string]func(w Weights) model.Recipe{
		"popularity": func(w Weights) model.Recipe { return &Popularity{Weights: w} },
		"item-knn": func(w Weights) model.Recipe {
			return &Neighbours{Nearest: 10, Shrink: 5, Exponent: 0.5, Decay: 1, Weights: w}
		},
		"recent-knn": func(w Weights) model.Recipe {
			return &Neighbours{Nearest: 10, Shrink: 5, Exponent: 0.5, Decay: 0.8, Weights: w, recent: true}
		},
		"ease": func(w Weights) model.Recipe { return &EASE{Ridge: 5, Most: 100, Weights: w} },
		"ials": func(w Weights) model.Recipe {
			return &IALS{Hidden: 3, Epochs: 3, Prior: 0.01, Unobserved: 0.1, Weights: w}
		},
		"bpr-mf": func(w Weights) model.Recipe { return &BPR{Hidden: 3, Epochs: 3, Rate: 0.05, Prior: 0.01, Weights: w} },
	} {
		got, want, all := everybody(t, of(Liked), set, set), everybody(t, of(Equal), liked, liked), everybody(t, of(Equal), set, set)
		same, different := 0, 0
		for u := range got {
			for i := range got[u] {
				if name == "bpr-mf" && liked.Row(u).Len() < set.Row(u).Len() {
					continue // what is not liked is no item to compare with when it is folded in
				}
				if !(math.Abs(got[u][i]-want[u][i]) < 1e-12) {
					t.Fatalf("%s: item %d has score %g for person %d, and %g where only liked items are known", name, i, got[u][i], u, want[u][i])
				}
				same++
				if got[u][i] != all[u][i] {
					different++
				}
			}
		}
		if different == 0 {
			t.Errorf("%s: of %d scores none depends on the weights", name, same)
		}
	}
}
