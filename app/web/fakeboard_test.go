package web_test

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	leaderboard "fubini/use/board"
)

// votes is a fit of which everything is known: worths by hand, errors by hand, and the board that use/board makes of
// them. What was counted is what the fit expects, rounded, but for one pair that is off.
type votes struct {
	names  []string
	worths []float64
	errors []float64
	met    func(i, j int) int // votes between two items
	change func(*leaderboard.Report)
	longer bool   // votes are lists of more than two
	off    [2]int // the pair that is counted otherwise than expected

	mu   sync.Mutex
	made map[float64]*leaderboard.Board // by level
}

const tieWeight = 0.6

// arena has the items of the design's picture, and behind them enough others for more than one screen.
func arena() *votes {
	v := &votes{met: func(i, j int) int { return 400 + 60*((i*7+j*3)%9) }, off: [2]int{0, 3}, made: map[float64]*leaderboard.Board{}}
	for line := range strings.Lines(`gpt-4o-2024-05-13 1.52 .008
claude-3-5-sonnet 1.43 .010
gemini-1.5-pro-0514 1.41 .008
gpt-4-turbo-2024-04-09 1.36 .006
gpt-4-1106-preview 1.345 .006
claude-3-opus 1.32 .005
gpt-4-0125-preview 1.31 .006
yi-large 1.30 .020
gemini-1.5-flash-0514 1.18 .008
llama-3-70b-instruct 1.07 .005
glm-4-0520 1.06 .014
claude-3-sonnet 1.055 .006
reka-core 1.01 .008
command-r-plus 0.96 .008
qwen2-72b-instruct 0.95 .012
gpt-4-0314 0.94 .008
claude-3-haiku 0.91 .006
mistral-large-2402 0.79 .008
mixtral-8x22b-instruct 0.77 .008
`) {
		cells := strings.Fields(line)
		v.add(cells[0], cells[1], cells[2])
	}
	for i := range 110 { // older models, further and further down
		v.add("older-model-"+strconv.Itoa(i+1), strconv.FormatFloat(0.7-float64(i)*0.024-0.1*noise(strconv.Itoa(i), 1), 'g', 6, 64), ".012")
	}
	return v
}

func (v *votes) add(name, worth, err string) {
	w, _ := strconv.ParseFloat(worth, 64)
	e, _ := strconv.ParseFloat(err, 64)
	v.names, v.worths, v.errors = append(v.names, name), append(v.worths, w), append(v.errors, e)
}

func (v *votes) board(level float64) (*leaderboard.Board, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.made[level] != nil {
		return v.made[level], nil
	}
	n := len(v.worths)
	covariance := make([]float64, n*n)
	for i, e := range v.errors {
		covariance[i*n+i] = e * e
	}
	b, err := leaderboard.New(v.worths, covariance, leaderboard.Options{Level: level})
	v.made[level] = b
	return b, err
}

// pair is Davidson's model.
func (v *votes) pair(i, j int) [3]float64 {
	win, loss := math.Exp(v.worths[i]), math.Exp(v.worths[j])
	tie := tieWeight * math.Sqrt(win*loss)
	sum := win + tie + loss
	return [3]float64{win / sum, tie / sum, loss / sum}
}

func (v *votes) counted(i, j int) *[3]float64 {
	n := float64(v.met(min(i, j), max(i, j)))
	if n == 0 {
		return nil
	}
	p := v.pair(i, j)
	if [2]int{i, j} == v.off || [2]int{j, i} == v.off {
		p[0], p[2] = p[2], p[0]
	}
	out := [3]float64{math.Round(n * p[0]), math.Round(n * p[1]), 0}
	out[2] = n - out[0] - out[1]
	return &out
}

// expected is what the fit expects of counted: where longer is set, of lists in which the first of a pair wins more often than in a
// vote on the two alone.
func (v *votes) expected(i, j int) *[3]float64 {
	c, p := v.counted(i, j), v.pair(i, j)
	if v.longer && i < j {
		p[0], p[2] = p[0]+p[2]/2, p[2]/2
	} else if v.longer {
		p[2], p[0] = p[2]+p[0]/2, p[0]/2
	}
	n := c[0] + c[1] + c[2]
	return &[3]float64{n * p[0], n * p[1], n * p[2]}
}

func (v *votes) report(level float64) (*leaderboard.Report, error) {
	b, err := v.board(level)
	if err != nil {
		return nil, err
	}
	nu, deviance, degrees, log, mean := math.Log(tieWeight), 14504.0, 6663.0, -1385033.8, 1.0073
	r := &leaderboard.Report{Source: "votes.csv", Nu: &nu, LogLikelihood: &log, MeanNLL: &mean, Likelihood: "exact", Lists: 13621, Ties: "item", Space: "all",
		Parameters: 257, Deviance: &deviance, Degrees: &degrees, TiesFitted: 0.204453, Errors: "information", Level: level, Critical: b.Critical,
		Coefficients: []leaderboard.Coefficient{{Name: "nu", Value: nu, StdError: 0.0036}}}
	for i := range v.names {
		for j := range i {
			if c := v.counted(i, j); c != nil {
				r.Weight, r.Tied = r.Weight+c[0]+c[1]+c[2], r.Tied+c[1]
			}
		}
	}
	r.TiesSeen = r.Tied / r.Weight
	for _, row := range b.Rows {
		r.Items = append(r.Items, leaderboard.Item{ID: v.names[row.Item], Worth: row.Worth, StdError: row.StdError, Low: row.Low, High: row.High, Quasi: row.Quasi,
			Rank: row.Rank, RankLow: row.RankLow, RankHigh: row.RankHigh, Tier: row.Tier})
	}
	if v.change != nil {
		v.change(r)
	}
	return r, nil
}

// twoTastes is a change of the report: a second taste, elsewhere on a few items, and the influence of votes.
func twoTastes(r *leaderboard.Report) {
	first, second := leaderboard.Taste{Share: 0.71, Raters: 1420}, leaderboard.Taste{Share: 0.29, Raters: 580}
	by := map[string]float64{"claude-3-5-sonnet": .13, "llama-3-70b-instruct": -.12, "gpt-4o-2024-05-13": -.10, "claude-3-opus": .09, "claude-3-sonnet": .08, "claude-3-haiku": .07, "mixtral-8x22b-instruct": -.06, "gpt-4-1106-preview": -.05}
	for _, item := range r.Items {
		first.Worths = append(first.Worths, leaderboard.Worth{Worth: item.Worth, StdError: item.StdError})
		second.Worths = append(second.Worths, leaderboard.Worth{Worth: item.Worth + by[item.ID], StdError: 2 * item.StdError, Apart: by[item.ID] != 0})
	}
	r.Tastes = &leaderboard.Tastes{Groups: []leaderboard.Taste{first, second}, Gain: 0.004, StdError: 0.0006}
	lost := 1234.0
	r.Influence = &leaderboard.Influence{Top: 8, Moved: 1, First: r.Items[0].ID, Second: r.Items[1].ID, Votes: &lost,
		Lists: []leaderboard.InfluentialVote{{Tiers: [][]string{{r.Items[0].ID}, {r.Items[1].ID}}, Weight: 420, Effect: -1e-5}}}
}

// serveVotes is a server of a fit.
func serveVotes(t testing.TB, v *votes) *fake {
	f := newFake(t)
	f.mu.Lock()
	f.votes = v
	f.mu.Unlock()
	return f
}

// fit is the fit that is served, or an answer that there is none.
func (f *fake) fit(w http.ResponseWriter) *votes {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.votes == nil {
		problem(w, http.StatusNotFound, "this model has no board")
	}
	return f.votes
}

func (f *fake) boardReport(w http.ResponseWriter, r *http.Request) {
	v := f.fit(w)
	if v == nil {
		return
	}
	level := 0.95
	if text := r.URL.Query().Get("level"); text != "" {
		level, _ = strconv.ParseFloat(text, 64)
	}
	report, err := v.report(level)
	if err != nil {
		problem(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	answer(w, report)
}

func (f *fake) boardPair(w http.ResponseWriter, r *http.Request) {
	v := f.fit(w)
	if v == nil {
		return
	}
	find := func(id string) int {
		for i, name := range v.names {
			if name == id {
				return i
			}
		}
		return -1
	}
	i, j := find(r.URL.Query().Get("a")), find(r.URL.Query().Get("b"))
	if i < 0 || j < 0 {
		problem(w, http.StatusNotFound, "no such item")
		return
	}
	b, err := v.board(0.95)
	if err != nil {
		problem(w, http.StatusInternalServerError, err.Error())
		return
	}
	out := leaderboard.PairReport{A: v.names[i], B: v.names[j], Fitted: v.pair(i, j), Counted: v.counted(i, j), Apart: b.Apart(i, j)}
	out.Difference, out.StdError = b.Difference(i, j)
	if out.Counted != nil {
		out.Expected = v.expected(i, j)
		p := 0.42
		if [2]int{i, j} == v.off || [2]int{j, i} == v.off {
			p = 0.0004
		}
		out.P = &p
	}
	answer(w, out)
}

func (f *fake) boardPairs(w http.ResponseWriter, _ *http.Request) {
	v := f.fit(w)
	if v == nil {
		return
	}
	n := len(v.names)
	order := make([]int, n) // another one than that of the board
	for i := range order {
		order[i] = n - 1 - i
	}
	win, tie, counted, items := make([]float64, n*n), make([]float64, n*n), [][5]float64{}, []string{}
	expected := [][3]float64{}
	for x, i := range order {
		items = append(items, v.names[i])
		for y, j := range order {
			if x == y {
				continue
			}
			p := v.pair(i, j)
			win[x*n+y], tie[x*n+y] = p[0], p[1]
			if c := v.counted(i, j); c != nil && x < y {
				counted = append(counted, [5]float64{float64(x), float64(y), c[0], c[1], c[2]})
				expected = append(expected, *v.expected(i, j))
			}
		}
	}
	answer(w, map[string]any{"items": items, "win": win, "tie": tie, "counted": counted, "expected": expected})
}
