package server_test

import (
	"cmp"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fubini/data/modelfile"
)

type catalogue struct {
	Items []struct {
		Item       string  `json:"item"`
		Name       string  `json:"name"`
		Emoji      string  `json:"emoji"`
		Group      string  `json:"group"`
		Support    int     `json:"support"`
		Similarity float64 `json:"similarity"`
	} `json:"items"`
	Next   string   `json:"next"`
	Total  int      `json:"total"`
	Groups []string `json:"groups"`
}

func TestThePagesOfTheCatalogueAreAllItemsOnce(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for query, want := range map[string]int{"": 30, "q=ELEMENT+1": 11, "q=item-2": 11, "q=%C3%A9l%C3%A9ment+29": 1, "q=nothing+such": 0} {
		seen := map[string]bool{}
		cursor := ""
		for range 30 {
			page := read[catalogue](t, s.ask("GET", "/v1/items?limit=4&"+query+"&cursor="+cursor, ""), 200)
			if page.Total != want || len(page.Items) > 4 || page.Groups == nil {
				t.Fatalf("%s: %+v", query, page)
			}
			for _, each := range page.Items {
				if seen[each.Item] {
					t.Errorf("%s: %s comes twice", query, each.Item)
				}
				seen[each.Item] = true
			}
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		if len(seen) != want {
			t.Errorf("%q: %d items, want %d", query, len(seen), want)
		}
	}
	expectProblem(t, s.ask("GET", "/v1/items?cursor=abc", ""), 422, "query.cursor")
	expectProblem(t, s.ask("GET", "/v1/items?limit=0", ""), 422, "query.limit")
	expectProblem(t, s.ask("GET", "/v1/items?limit=x", ""), 422, "query.limit")
	expectProblem(t, s.ask("GET", "/v1/items?nonsense=1", ""), 422, "query.nonsense")
	expectProblem(t, s.ask("GET", "/v1/items?limit=3&limit=4", ""), 422, "query.limit")
	expectProblem(t, s.ask("GET", "/v1/items?q=%zz", ""), 400, "query")
}

// A cursor of another model leads nowhere: the order may have changed under it.
func TestCursorsEndWithTheirModel(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	page := read[catalogue](t, s.ask("GET", "/v1/items?limit=4", ""), 200)
	s.file.Store(world(t, 2, 30, 3))
	if _, err := s.server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	expectProblem(t, s.ask("GET", "/v1/items?limit=4&cursor="+url.QueryEscape(page.Next), ""), 422, "query.cursor")
}

func TestItemsCarryWhatTheFileSaysOfThem(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	file := world(t, 1, 30, 3)
	emoji, group := make([]string, 30), make([]string, 30)
	emoji[3], group[3], group[4] = "🍕", "savoury", "sweet"
	file.SetStrings("items.emoji", emoji)
	file.SetStrings("items.groups", group)
	modelfile.Set(file, "units.share", []float64{0.5, 0.3, 0.2}, 3)
	file.Metadata["about"] = `{"title":"Demo world","synthetic":true,"item_mean_ndcg10":0.71,"calibration":{"bins":[{"p":0.7,"observed":0.68,"low":0.6,"high":0.75,"count":120}],"ece":0.02,"events":120}}`
	s.file.Store(file)
	if _, err := s.server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	page := read[catalogue](t, s.ask("GET", "/v1/items?group=savoury", ""), 200)
	if page.Total != 1 || page.Items[0].Emoji != "🍕" || page.Items[0].Group != "savoury" || !slices.Equal(page.Groups, []string{"savoury", "sweet"}) {
		t.Errorf("%+v", page)
	}
	about := s.ask("GET", "/v1/model", "")
	for _, want := range []string{`"synthetic":true`, `"title":"Demo world"`, `"ece":0.02`, `"count":120`, `"share":0.3`, `"item_mean_ndcg10":0.71`, `"distance":[0.5,0.4]`, `"ndcg10":[]`} {
		if !strings.Contains(string(about.text), want) {
			t.Errorf("GET /v1/model does not have %s", want)
		}
	}
	var broken *modelfile.File = world(t, 1, 30, 3)
	broken.Metadata["about"] = `{"title":7}`
	s.file.Store(broken)
	if _, err := s.server.Reload(t.Context()); err == nil {
		t.Error("a title that is none was taken")
	}
}

// The extremes of each unit are those of a full sort.
func TestUnitsShowTheirExtremes(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	saved, _, _ := truth(t, s, nil, nil)
	c, err := saved.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	about := read[struct {
		Units []struct {
			Unit     int
			Share    *float64
			Up, Down []struct{ Item string }
		}
	}](t, s.ask("GET", "/v1/model", ""), 200)
	for k, unit := range about.Units {
		items := make([]int, 29) // all but the one that hardly anybody rated
		for i := range items {
			items[i] = i
		}
		slices.SortFunc(items, func(a, b int) int { return cmp.Compare(c.W[b*c.K+k], c.W[a*c.K+k]) })
		for n := range 5 {
			if up, down := saved.ItemIDs[items[n]], saved.ItemIDs[items[28-n]]; unit.Up[n].Item != up || unit.Down[n].Item != down {
				t.Errorf("unit %d, place %d: %s and %s, want %s and %s", k, n, unit.Up[n].Item, unit.Down[n].Item, up, down)
			}
		}
		if unit.Share != nil {
			t.Errorf("unit %d has a share %g from nowhere", k, *unit.Share)
		}
	}
	if len(about.Units) != 3 {
		t.Errorf("%d units", len(about.Units))
	}
}

func TestSimilarItemsPointTheSameWay(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	got := read[catalogue](t, s.ask("GET", "/v1/items/item-4/similar?limit=50", ""), 200)
	if len(got.Items) != 28 { // all but itself and the one that hardly anybody rated
		t.Errorf("%d items", len(got.Items))
	}
	for k, each := range got.Items {
		if each.Item == "item-4" || !(each.Similarity >= -1 && each.Similarity <= 1) || k > 0 && each.Similarity > got.Items[k-1].Similarity {
			t.Errorf("place %d: %+v", k, each)
		}
	}
	// A title that is one item for sure names it too.
	one := read[struct{ Item, Name string }](t, s.ask("GET", "/v1/items/item-4", ""), 200)
	for _, title := range []string{one.Name, strings.ToUpper(one.Name)} {
		if again := read[struct{ Item, Name string }](t, s.ask("GET", "/v1/items/"+url.PathEscape(title), ""), 200); again != one {
			t.Errorf("%q is %+v, want %+v", title, again, one)
		}
		if again := read[catalogue](t, s.ask("GET", "/v1/items/"+url.PathEscape(title)+"/similar?limit=50", ""), 200); !reflect.DeepEqual(again, got) {
			t.Errorf("similar to %q: %+v", title, again)
		}
	}
	expectProblem(t, s.ask("GET", "/v1/items/nobody/similar", ""), 404, "path.id")
	expectProblem(t, s.ask("GET", "/v1/items/nobody", ""), 404, "path.id")
}

// What depends on the model alone is sent once for each model.
func TestEntityTags(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for _, path := range []string{"/v1/items", "/v1/items/item-1", "/v1/items/item-1/similar", "/v1/model", "/openapi.json", "/docs/api", "/"} {
		first := s.ask("GET", path, "")
		tag := first.header.Get("ETag")
		if first.status != 200 || tag == "" {
			t.Errorf("%s: status %d, tag %q", path, first.status, tag)
		}
		if again := s.ask("GET", path, "", "If-None-Match", `"other", `+tag); again.status != 304 || len(again.text) > 0 || again.header.Get("ETag") != tag {
			t.Errorf("%s: status %d with %d bytes, want 304 and none", path, again.status, len(again.text))
		}
		if again := s.ask("GET", path, "", "If-None-Match", `"other"`); again.status != 200 {
			t.Errorf("%s: status %d for another tag", path, again.status)
		}
	}
	before := s.ask("GET", "/v1/items", "").header.Get("ETag")
	s.file.Store(world(t, 2, 30, 3))
	if _, err := s.server.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := s.ask("GET", "/v1/items", "", "If-None-Match", before); again.status != 200 {
		t.Errorf("status %d after another model came", again.status)
	}
}
