package server_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fubini/app/server"
	"fubini/learn/modelstore"
	"fubini/model"
	"fubini/use/odds"
	"fubini/use/rank"
)

type oddsAnswer struct {
	Tier      *int      `json:"tier"`
	TierProbs []float64 `json:"tier_probs"`
	GapProbs  []float64 `json:"gap_probs"`
	Expected  *float64  `json:"expected_rank"`
	Interval  []float64 `json:"rank_interval"`
}

type recommended struct {
	Items []struct {
		Rank    int     `json:"rank"`
		Item    string  `json:"item"`
		Name    string  `json:"name"`
		Score   float64 `json:"score"`
		Support int     `json:"support"`
		oddsAnswer
	} `json:"items"`
	TiersUsed []int    `json:"tiers_used"`
	Unknown   []string `json:"unknown"`
	General   bool     `json:"general"`
	Model     string   `json:"model"`
}

func (o oddsAnswer) sum() (sum float64) {
	for _, v := range slices.Concat(o.TierProbs, o.GapProbs) {
		sum += v
	}
	return sum
}

// truth ranks item by item, as the command's slow way does.
func truth(t testing.TB, s *setup, levels []int, items []int) (*modelstore.Saved, *odds.Placer, []int) {
	t.Helper()
	saved, err := modelstore.Open(s.file.Load())
	if err != nil {
		t.Fatal(err)
	}
	c, err := saved.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	likes := model.Person{Index: -1, TiersOnly: true}
	for k, i := range items {
		likes.Known.Items, likes.Known.Values = append(likes.Known.Items, uint32(i)), append(likes.Known.Values, float32(levels[k]))
	}
	person, err := odds.NewPlacer(c, saved.Odds, likes)
	if err != nil {
		t.Fatal(err)
	}
	var rest []int
	for i := range saved.ItemIDs {
		if !slices.Contains(items, i) && saved.Seen[i] >= 5 {
			rest = append(rest, i)
		}
	}
	scores := make([]float64, len(rest))
	person.Score(rest, scores)
	var best []int
	for _, k := range rank.Best(scores, len(rest)) {
		best = append(best, rest[k])
	}
	return saved, person, best
}

// All ways of ranking give the items, scores and odds of the slow way.
func TestRecommendAgainstItemByItem(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	saved, person, best := truth(t, s, []int{2, 2, 0}, []int{1, 3, 8}) // by ids, as the server has them
	only, _ := json.Marshal(saved.ItemIDs)
	for name, more := range map[string]string{
		"by the index":          `"n":7`,
		"by all items":          `"n":7,"min_support":4`,
		"among some":            `"n":7,"only":` + string(only),
		"more than there are":   `"n":10000`,
		"the usual ones listed": `"n":7,"min_support":5,"novelty":0,"exclude":[],"only":[]`,
	} {
		t.Run(name, func(t *testing.T) {
			got := read[recommended](t, s.ask("POST", "/v1/recommend", `{"tiers":[["item-3","item-1"],[],["nobody knows"],["item-8"]],`+more+`}`), 200)
			if want := min(7, len(best)); len(got.Items) < want {
				t.Fatalf("%d items, want %d", len(got.Items), want)
			}
			for k, each := range got.Items {
				i := best[k]
				score := make([]float64, 1)
				person.Score([]int{i}, score)
				place := person.Place(i)
				if each.Rank != k+1 || each.Item != saved.ItemIDs[i] || each.Name != saved.ItemNames[i] || each.Support != int(saved.Seen[i]) || each.Score != score[0] {
					t.Errorf("place %d: %+v, want %s of score %g", k, each, saved.ItemIDs[i], score[0])
				}
				if each.Expected == nil || *each.Expected != place.Rank || !slices.Equal(each.Interval, []float64{place.Low, place.High}) {
					t.Errorf("place %d: rank %v, interval %v, want %+v", k, each.Expected, each.Interval, place)
				}
				if !slices.Equal(each.TierProbs, place.Tiers) || !slices.Equal(each.GapProbs, place.Gaps) || each.Tier == nil || *each.Tier != place.Tier()+1 {
					t.Errorf("place %d: odds %+v, want %+v", k, each.oddsAnswer, place)
				}
				if !(math.Abs(each.sum()-1) <= 1e-12) {
					t.Errorf("place %d: odds sum to %g", k, each.sum())
				}
			}
			if !slices.Equal(got.TiersUsed, []int{0, 3}) || !slices.Equal(got.Unknown, []string{"nobody knows"}) || got.General || got.Model != s.server.ModelID() {
				t.Errorf("%v, unknown %v, general %t, model %s", got.TiersUsed, got.Unknown, got.General, got.Model)
			}
		})
	}
}

func TestRecommendToAStranger(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	saved, _, best := truth(t, s, nil, nil)
	for _, tiers := range []string{`[]`, `[[],[]]`, `[["nobody knows"]]`} {
		got := read[recommended](t, s.ask("POST", "/v1/recommend", `{"tiers":`+tiers+`}`), 200)
		if !got.General || len(got.Items) != 10 || got.Items[0].Item != saved.ItemIDs[best[0]] || got.Items[0].Tier != nil || !slices.Equal(got.Items[0].GapProbs, []float64{1}) || got.Items[0].TierProbs == nil {
			t.Errorf("%s: %+v", tiers, got.Items[0])
		}
	}
}

func TestWishesAreHeard(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	names := func(more string) (found []string) {
		for _, each := range read[recommended](t, s.ask("POST", "/v1/recommend", `{"tiers":[["item-3"],["item-8"]],"n":100`+more+`}`), 200).Items {
			found = append(found, each.Item)
		}
		return found
	}
	all := names("")
	if len(all) != 27 || slices.Contains(all, "item-29") || slices.Contains(all, "item-3") {
		t.Errorf("%d items: %v", len(all), all)
	}
	if got := names(`,"min_support":0`); len(got) != 28 || !slices.Contains(got, "item-29") {
		t.Errorf("without support: %v", got)
	}
	if got := names(`,"min_support":120`); len(got) != 11-2 { // items 0 to 10 had 120 ratings or more
		t.Errorf("with support of 120: %v", got)
	}
	if got := names(`,"exclude":["item-5","nobody knows"]`); len(got) != 26 || slices.Contains(got, "item-5") {
		t.Errorf("without item-5: %v", got)
	}
	if got := names(`,"only":["item-5","item-5","item-3","nobody knows"]`); !slices.Equal(got, []string{"item-5"}) {
		t.Errorf("only item-5: %v", got)
	}
	if got := names(`,"only":["nobody knows"]`); len(got) != 0 {
		t.Errorf("only what is not there: %v", got)
	}
	got := names(`,"novelty":1000`)
	if got[0] != "item-28" || got[len(got)-1] != "item-0" {
		t.Errorf("with all weight on novelty: %v", got)
	}
}

type explained struct {
	Item  string  `json:"item"`
	Score float64 `json:"score"`
	Base  float64 `json:"base"`
	Ties  float64 `json:"ties"`
	Sum   float64 `json:"sum"`
	Parts []struct {
		Item string  `json:"item"`
		Tier int     `json:"tier"`
		Part float64 `json:"part"`
	} `json:"parts"`
	Approximate bool  `json:"approximate"`
	TiersUsed   []int `json:"tiers_used"`
	oddsAnswer
}

func TestExplanationsSumToTheScore(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	const tiers = `[["item-3","item-1"],["item-8"],[],["item-2"]]`
	ranked := read[recommended](t, s.ask("POST", "/v1/recommend", `{"tiers":`+tiers+`,"n":100}`), 200)
	for _, each := range ranked.Items[:5] {
		why := read[explained](t, s.ask("POST", "/v1/explain", `{"tiers":`+tiers+`,"item":"`+each.Item+`"}`), 200)
		sum := why.Base + why.Ties
		for _, p := range why.Parts {
			sum += p.Part
		}
		if len(why.Parts) != 4 || !(math.Abs(sum-why.Score) <= 1e-12) || !(math.Abs(why.Sum-why.Score) <= 1e-12) || why.Score != each.Score {
			t.Errorf("%s: parts sum to %g, sum %g, score %g, recommended with %g", each.Item, sum, why.Sum, why.Score, each.Score)
		}
		if why.Approximate || !slices.Equal(why.GapProbs, each.GapProbs) || !slices.Equal(why.TiersUsed, []int{0, 1, 3}) {
			t.Errorf("%+v", why)
		}
	}
	// A placed item is explained by the others, and its tier is gone if it stood alone.
	why := read[explained](t, s.ask("POST", "/v1/explain", `{"tiers":`+tiers+`,"item":"item-8"}`), 200)
	if len(why.Parts) != 3 || !slices.Equal(why.TiersUsed, []int{0, 3}) || len(why.TierProbs) != 2 {
		t.Errorf("of a placed item: %+v", why)
	}
	expectProblem(t, s.ask("POST", "/v1/explain", `{"tiers":[],"item":"nobody knows"}`), 422, "body.item")
}

type rebuilt struct {
	Taste []float64 `json:"taste"`
	Items []struct {
		Item  string  `json:"item"`
		Tier  int     `json:"tier"`
		Score float64 `json:"score"`
		Rank  int     `json:"rank"`
	} `json:"items"`
	Distance float64 `json:"distance"`
}

func TestReconstructAgainstThePackage(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	saved, person, _ := truth(t, s, []int{2, 2, 0}, []int{1, 3, 8}) // by ids, as the server has them
	got := read[rebuilt](t, s.ask("POST", "/v1/reconstruct", `{"tiers":[["item-3","item-1"],["item-8"]]}`), 200)
	if !slices.Equal(got.Taste, person.Embedding) || len(got.Items) != 3 || !(got.Distance >= 0 && got.Distance <= 1) {
		t.Errorf("%+v, taste %v", got, person.Embedding)
	}
	c, _ := saved.Catalogue()
	scores, _, err := rank.Reconstruct(c, person.Embedding, []int{1, 3, 8})
	if err != nil {
		t.Fatal(err)
	}
	if got.Items[0].Score != slices.Max(scores) || got.Items[0].Rank != 1 {
		t.Errorf("%+v, scores %v", got.Items, scores)
	}
	if got := read[rebuilt](t, s.ask("POST", "/v1/reconstruct", `{"tiers":[]}`), 200); len(got.Items) != 0 || len(got.Taste) != 3 {
		t.Errorf("of nothing: %+v", got)
	}
}

type embedded struct {
	Person struct{ X, Y float64 } `json:"person"`
	Ring   struct {
		X, Y, RX, RY, Angle float64
	} `json:"ring"`
	Items []struct {
		Item string `json:"item"`
		X, Y float64
	} `json:"items"`
	Kept       float64 `json:"kept"`
	Directions int     `json:"directions"`
	Of         int     `json:"of"`
}

func TestTheMapHasEverybody(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	got := read[embedded](t, s.ask("POST", "/v1/embed", `{"tiers":[["item-3","item-1"],["item-29"]]}`), 200)
	if len(got.Items) != 30 || got.Directions != 2 || got.Of != 3 || !(got.Kept > 0.5 && got.Kept < 1) {
		t.Errorf("%d items, %d of %d directions, %g kept", len(got.Items), got.Directions, got.Of, got.Kept)
	}
	if got.Ring.X != got.Person.X || got.Ring.Y != got.Person.Y || !(got.Ring.RX >= got.Ring.RY && got.Ring.RY > 0) {
		t.Errorf("person %+v, ring %+v", got.Person, got.Ring)
	}
	if other := read[embedded](t, s.ask("POST", "/v1/embed", `{"tiers":[["item-29"],["item-3","item-1"]]}`), 200); other.Person == got.Person {
		t.Error("the opposite list stands at the same place")
	}
	few := read[embedded](t, s.ask("POST", "/v1/embed", `{"tiers":[["item-3","item-1"],["item-29"]],"items":0}`), 200)
	if len(few.Items) != 3 || few.Person != got.Person || few.Items[0] != got.Items[0] {
		t.Errorf("who asks for no items but those placed gets %+v", few.Items)
	}
}

// What an answer may hold is bounded by what would be in it, not by what is asked.
func TestManyItemsAndTiersFitOrAreRefused(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	var tiers []string
	for i := range 30 {
		tiers = append(tiers, fmt.Sprintf(`["item-%d"]`, i))
	}
	list := "[" + strings.Join(tiers, ",") + "]"
	if got := read[recommended](t, s.ask("POST", "/v1/recommend", `{"tiers":`+list+`,"n":10000}`), 200); len(got.Items) != 0 {
		t.Errorf("all items are placed, and yet %d come", len(got.Items))
	}
	s.file.Store(world(t, 1, 9_000, 2))
	if _, err := s.server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	expectProblem(t, s.ask("POST", "/v1/recommend", `{"tiers":`+list+`,"n":10000}`), 422, "body.n")
	if got := read[recommended](t, s.ask("POST", "/v1/recommend", `{"tiers":[["item-1"],["item-2"]],"n":10000}`), 200); len(got.Items) != 8_997 { // all but two, and one that hardly anybody rated
		t.Errorf("%d items", len(got.Items))
	}
}

// Answers that take long do not keep the others from being served.
func TestWideAnswersHaveTheirOwnPlaces(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Limits.Working, o.Limits.Wide, o.Limits.Patience = 4, 1, 20*time.Millisecond
	})
	s.file.Store(world(t, 1, 9_000, 20))
	if _, err := s.server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	var wide sync.WaitGroup
	var turned atomic.Int64
	for range 8 {
		wide.Go(func() {
			if got := s.ask("POST", "/v1/recommend", `{"tiers":[["item-1","item-3"],["item-2"],["item-4"]],"n":9000}`); got.status == 503 {
				turned.Add(1)
			} else if got.status != 200 {
				t.Errorf("status %d", got.status)
			}
		})
	}
	wide.Wait()
	if turned.Load() == 0 || turned.Load() == 8 {
		t.Errorf("%d of 8 were turned away", turned.Load())
	}
}
