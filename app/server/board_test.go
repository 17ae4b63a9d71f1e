package server_test

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fubini/app/server"
	"fubini/app/servertest"
	"fubini/data/modelfile"
	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/learn/leaderboard"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/use/board"
)

// serving starts a server of a file.
func serving(t *testing.T, file *modelfile.File) *setup {
	t.Helper()
	var s *setup
	s = start(t, func(o *server.Options) {
		o.Load = func(context.Context) (*modelfile.File, error) {
			if s == nil { // the first model
				return file, nil
			}
			return s.file.Load(), nil
		}
	})
	s.file.Store(file)
	return s
}

// opened is the board of a file.
func opened(t *testing.T, file *modelfile.File) *board.Fitted {
	t.Helper()
	saved, err := modelstore.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := saved.Board.Prepare(); err != nil {
		t.Fatal(err)
	}
	return saved.Board
}

func TestBoardIsServed(t *testing.T) {
	oneClient(t)
	file := servertest.Board(t, 7, ballot.ItemTies, ballot.AllOrders)
	s, kept := serving(t, file), opened(t, file)
	if m := read[struct{ Board bool }](t, s.ask("GET", "/v1/model", ""), 200); !m.Board {
		t.Error("the model is not said to be a board")
	}
	got := s.ask("GET", "/v1/board", "")
	if b := read[board.Report](t, got, 200); encoded(b) != encoded(kept.Report) || len(b.Items) != 7 || b.Source != "votes.csv" || b.Ties != "item" || b.Items[0].Tie == nil {
		t.Errorf("%s, kept %s", got.text, encoded(kept.Report))
	}
	if got := s.ask("GET", "/v1/board", "", "If-None-Match", got.header.Get("ETag")); got.status != 304 {
		t.Errorf("the same board again: %d", got.status)
	}
	if got := s.ask("GET", "/v1/board?level=0.5", "", "If-None-Match", got.header.Get("ETag")); got.status != 200 {
		t.Errorf("a board at another level: %d", got.status)
	}
}

// The page of a fit stands in the place of the page of lists, and goes with the fit when another model is read.
func TestBoardHasItsPage(t *testing.T) {
	oneClient(t)
	s := start(t, func(o *server.Options) {
		o.Page = fstest.MapFS{"index.html": {Data: []byte("lists")}, "votes.html": {Data: []byte("votes")}}
	})
	if got := s.ask("GET", "/", ""); string(got.text) != "lists" {
		t.Errorf("a model of lists has the page %q", got.text)
	}
	s.file.Store(servertest.Board(t, 7, ballot.CommonTies, ballot.AllOrders))
	if got := s.ask("POST", "/v1/model/reload", "", s.key()...); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.text)
	}
	if got := s.ask("GET", "/", ""); string(got.text) != "votes" {
		t.Errorf("a fit has the page %q", got.text)
	}
}

// A level gives the board that a fit at that level would have.
func TestBoardAtALevel(t *testing.T) {
	oneClient(t)
	file := servertest.Board(t, 7, ballot.CommonTies, ballot.AllOrders)
	s, kept := serving(t, file), opened(t, file)
	wide := read[board.Report](t, s.ask("GET", "/v1/board", ""), 200)
	half := read[board.Report](t, s.ask("GET", "/v1/board?level=0.5", ""), 200)
	direct, err := board.New(kept.Model.Worths, kept.Covariance, board.Options{Level: 0.5, Seed: kept.Seed})
	if err != nil {
		t.Fatal(err)
	}
	if half.Level != 0.5 || half.Critical != direct.Critical || half.Critical >= wide.Critical {
		t.Errorf("level %g, critical %g, directly %g, at 95 %% %g", half.Level, half.Critical, direct.Critical, wide.Critical)
	}
	for k, row := range direct.Rows {
		i := half.Items[k]
		if i.ID != kept.Items[row.Item] || i.Low != row.Low || i.High != row.High || i.RankLow != row.RankLow || i.RankHigh != row.RankHigh || i.Tier != row.Tier || i.Quasi != row.Quasi {
			t.Errorf("row %d: %+v, directly %+v", k, i, row)
		}
		if i.High-i.Low >= wide.Items[k].High-wide.Items[k].Low {
			t.Errorf("row %d: the interval of 50 %% is %g to %g, of 95 %% %g to %g", k, i.Low, i.High, wide.Items[k].Low, wide.Items[k].High)
		}
	}
	for _, level := range []string{"0", "1", "-1", "2", "0.99999999999999999", "x", "NaN", "Inf"} {
		if got := s.ask("GET", "/v1/board?level="+level, ""); got.status != 422 {
			t.Errorf("level %s: %d %s", level, got.status, got.text)
		}
	}
}

func TestBoardPairs(t *testing.T) {
	oneClient(t)
	for _, ties := range []ballot.Ties{ballot.CommonTies, ballot.ItemTies, ballot.DistanceTies} {
		file := servertest.Board(t, 7, ties, ballot.AllOrders)
		s := serving(t, file)
		all := read[board.Pairs](t, s.ask("GET", "/v1/board/pairs", ""), 200)
		report := read[board.Report](t, s.ask("GET", "/v1/board", ""), 200)
		n := len(all.Items)
		counted := map[[2]int][3]float64{}
		for _, c := range all.Counted {
			counted[[2]int{int(c[0]), int(c[1])}] = [3]float64(c[2:])
		}
		met := 0
		for a, upper := range report.Items {
			if all.Items[a] != upper.ID {
				t.Errorf("place %d: %s, on the board %s", a, all.Items[a], upper.ID)
			}
			for b, lower := range report.Items {
				if a == b {
					continue
				}
				p := read[board.PairReport](t, s.ask("GET", "/v1/board/pair?a="+upper.ID+"&b="+lower.ID, ""), 200)
				if p.A != upper.ID || p.B != lower.ID || all.Win[a*n+b] != p.Fitted[0] || all.Tie[a*n+b] != p.Fitted[1] || all.Win[b*n+a] != p.Fitted[2] {
					t.Errorf("%s against %s: %+v", upper.ID, lower.ID, p)
				}
				if sum := p.Fitted[0] + p.Fitted[1] + p.Fitted[2]; !(math.Abs(sum-1) <= 1e-12) || !(math.Abs(p.Difference-upper.Worth+lower.Worth) <= 1e-12) || (p.Fitted[0] > p.Fitted[2]) != (a < b) {
					t.Errorf("%s against %s: %+v", upper.ID, lower.ID, p)
				}
				votes, there := counted[[2]int{min(a, b), max(a, b)}]
				if a > b {
					votes[0], votes[2] = votes[2], votes[0]
				}
				if there != (p.Counted != nil) || there && (*p.Counted != votes || p.P == nil) {
					t.Errorf("%s against %s: counted %v, in the matrix %v", upper.ID, lower.ID, p.Counted, votes)
				}
				if there {
					met++
				}
			}
		}
		if met == 0 || met == n*(n-1) {
			t.Errorf("%d of %d pairs met: the test sees one kind only", met, n*(n-1))
		}
	}
}

func TestBoardRefusals(t *testing.T) {
	oneClient(t)
	s := serving(t, servertest.Board(t, 7, ballot.CommonTies, ballot.AllOrders))
	expectProblem(t, s.ask("GET", "/v1/board/pair?a=item-1&b=nobody", ""), 404, "query.b")
	expectProblem(t, s.ask("GET", "/v1/board/pair?a=nobody&b=item-1", ""), 404, "query.a")
	expectProblem(t, s.ask("GET", "/v1/board/pair?a=item-1&b=item-1", ""), 422, "query.b")
	expectProblem(t, s.ask("GET", "/v1/board/pair?a=item-1", ""), 422, "query.b")
	plain := start(t, nil)
	for _, path := range []string{"", "/pair?a=item-1&b=item-2", "/pairs"} {
		got := plain.ask("GET", "/v1/board"+path, "")
		expectProblem(t, got, 404, "")
		if !strings.Contains(string(got.text), "no fitted board") {
			t.Errorf("%s: %s", path, got.text)
		}
	}
	if m := read[struct{ Board bool }](t, plain.ask("GET", "/v1/model", ""), 200); m.Board {
		t.Error("a model of ratings is said to be a board")
	}
	keyed := start(t, func(o *server.Options) { o.Anonymous = nil })
	if got := keyed.ask("GET", "/v1/board", ""); got.status != 401 {
		t.Errorf("without a key: %d", got.status)
	}
}

// A reload may turn a board into another model and back.
func TestBoardsAreReloaded(t *testing.T) {
	oneClient(t)
	file := servertest.Board(t, 5, ballot.CommonTies, ballot.AllOrders)
	s := start(t, nil)
	for _, c := range []struct {
		file   *modelfile.File
		status int
	}{{file, 200}, {world(t, 1, 30, 3), 404}, {servertest.Board(t, 6, ballot.DistanceTies, ballot.AllOrders), 200}} {
		s.file.Store(c.file)
		if got := s.ask("POST", "/v1/model/reload", "", s.key()...); got.status != 200 {
			t.Fatalf("%d %s", got.status, got.text)
		}
		if got := s.ask("GET", "/v1/board", ""); got.status != c.status {
			t.Errorf("after a reload: %d %s", got.status, got.text)
		}
	}
}

// A board of tier lists recommends by its own tie weights; one without tier lists refuses with the remedy.
func TestBoardsRecommend(t *testing.T) {
	oneClient(t)
	file := servertest.Board(t, 6, ballot.ItemTies, ballot.AllOrders)
	s, kept := serving(t, file), opened(t, file)
	type answer struct {
		Items []struct {
			Item      string
			Name      string
			TierProbs []float64 `json:"tier_probs"`
			GapProbs  []float64 `json:"gap_probs"`
		}
	}
	got := read[answer](t, s.ask("POST", "/v1/recommend", `{"tiers":[["item-3"]]}`), 200)
	for _, each := range got.Items {
		i := slices.Index(kept.Items, each.Item)
		win, tie, loss := kept.Model.Pair(i, slices.Index(kept.Items, "item-3"))
		if !(math.Abs(each.GapProbs[0]-win) <= 1e-12 && math.Abs(each.TierProbs[0]-tie) <= 1e-12 && math.Abs(each.GapProbs[1]-loss) <= 1e-12) {
			t.Errorf("%s: %v %v, by the pair %g %g %g", each.Item, each.GapProbs, each.TierProbs, win, tie, loss)
		}
	}
	if len(got.Items) != 5 {
		t.Errorf("%d items", len(got.Items))
	}
	for _, space := range []ballot.Space{ballot.WithoutTies, ballot.TwoTiers} {
		s := serving(t, servertest.Board(t, 5, ballot.CommonTies, space))
		if b := read[board.Report](t, s.ask("GET", "/v1/board", ""), 200); b.Space != space.String() {
			t.Errorf("space %s, not %s", b.Space, space)
		}
		for _, path := range []string{"recommend", "embed", "reconstruct", "explain"} {
			got := s.ask("POST", "/v1/"+path, `{"tiers":[["item-3"]],"item":"item-1"}`)
			if path != "explain" {
				got = s.ask("POST", "/v1/"+path, `{"tiers":[["item-3"]]}`)
			}
			expectProblem(t, got, 422, "")
			if !strings.Contains(string(got.text), "--space all") {
				t.Errorf("%s: %s", path, got.text)
			}
		}
	}
}

// A matrix of pairs is refused beyond its size, and the reason says what to ask for instead.
func TestPairsOfALargeBoard(t *testing.T) {
	oneClient(t)
	n := board.MostPairs + 1
	small := servertest.Board(t, 3, ballot.CommonTies, ballot.AllOrders)
	saved, err := modelstore.Open(small)
	if err != nil {
		t.Fatal(err)
	}
	large := *saved
	large.ItemIDs, large.ItemNames, large.Seen = nil, nil, make([]uint32, n)
	visible := *saved.Board.Model
	visible.Worths = make([]float64, n)
	b := &board.Fitted{Report: saved.Board.Report, Model: &visible, Covariance: make([]float64, n*n), Quasi: make([]float64, n)}
	for i := range n {
		large.ItemIDs = append(large.ItemIDs, fmt.Sprint(i))
		visible.Worths[i] = float64(n-2*i-1) / float64(n)
		b.Covariance[i*n+i], b.Quasi[i] = 1, 1
	}
	large.ItemNames, large.Board, large.Model = large.ItemIDs, b, registry.NewVisible(&visible)
	file, err := large.File()
	if err != nil {
		t.Fatal(err)
	}
	s := serving(t, file)
	got := s.ask("GET", "/v1/board/pairs", "")
	expectProblem(t, got, 422, "")
	if !strings.Contains(string(got.text), "at most 500 items") {
		t.Errorf("%s", got.text)
	}
	p := read[board.PairReport](t, s.ask("GET", "/v1/board/pair?"+url.Values{"a": {"0"}, "b": {"500"}}.Encode(), ""), 200)
	if p.Counted != nil || !(math.Abs(p.StdError-math.Sqrt2) <= 1e-12) || p.Apart {
		t.Errorf("%+v", p)
	}
}

// A fit with tastes is served with its hidden units, the items they pull up and the number of raters; votes are counted by their weights,
// and are no people where raters are not named.
func TestTastesOfAFitAreFacts(t *testing.T) {
	oneClient(t)
	type facts struct {
		Facts struct {
			People, Hidden int
			Votes          float64
			Units          string
		}
		Units []struct {
			Share *float64
			Up    []struct{ Item string }
		}
	}
	set := &votes.Set{Items: []string{"a", "b", "c"}, Start: []int32{0}}
	for r := range int32(12) {
		set.Raters = append(set.Raters, fmt.Sprint("rater ", r))
		for _, order := range [][]int32{{0, 1, 2}, {0, 2, 1}} {
			if r%2 == 1 {
				order = []int32{order[2], order[1], order[0]}
			}
			set.Item, set.Tier = append(set.Item, order...), append(set.Tier, 0, 1, 2)
			set.Start, set.Weight, set.Rater = append(set.Start, int32(len(set.Item))), append(set.Weight, 5), append(set.Rater, r)
			set.Line = append(set.Line, r)
		}
	}
	request := leaderboard.Defaults()
	request.Hidden, request.Learned, request.Prior, request.Space = 1, true, 1, ballot.WithoutTies
	for people, raters := range map[int][]int32{12: set.Rater, 0: nil} {
		of := *set
		if of.Rater = raters; raters == nil {
			of.Raters = nil
		}
		fit, err := request.Run(t.Context(), &of, request.Design(&of))
		if err != nil {
			t.Fatal(err)
		}
		file, err := modelstore.NewFitted(fit.Board, nil).File()
		if err != nil {
			t.Fatal(err)
		}
		got := read[facts](t, serving(t, file).ask("GET", "/v1/model", ""), 200)
		if f := got.Facts; f.People != people || f.Hidden != 1 || f.Votes != 120 || f.Units != "binary" {
			t.Errorf("facts %+v, of %d raters", f, people)
		}
		if u := got.Units; len(u) != 1 || u[0].Share == nil || !(math.Abs(*u[0].Share-0.5) < 0.1) || u[0].Up[0].Item != "a" && u[0].Up[2].Item != "a" {
			t.Errorf("units %+v", u)
		}
	}
}
