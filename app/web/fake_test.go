package web_test

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"fubini/app/thumb"
)

// fake is a server with the shapes of the real one and a toy in place of the
// model: foods that share traits with what was liked get higher scores. Its odds
// are smooth, its parts add up, and the same question has the same answer.
type fake struct {
	*httptest.Server
	foods    []food
	pictures fstest.MapFS // below /pictures/

	mu       sync.Mutex
	requests []string // method and path, in order of arrival
	asked    int      // questions to /v1/recommend
	status   int      // answer of /v1/recommend when not 0
	after    string   // its Retry-After
	delays   []time.Duration
	model    string
	lists    map[string]kept
	noHeld   bool          // no held-out people
	hold     chan struct{} // while it is open, changes of lists wait for their answer
	listSays int           // answer of /v1/lists when not 0
	dealSays int           // the status of cards of the first minute, if they fail
	whySays  int           // the status of explanations, if they fail
	thinks   chan struct{} // while it is open, questions wait for their answer
	idle     bool          // nothing is training
	curves   []string      // those that training kept; nil for all, and then the time too
	ended    chan string   // jobs that end
	font     string        // one of fonts; the page's own unless it says otherwise
	fontHold chan struct{} // while it is open, fonts wait to be sent
	votes    *votes        // what was fitted, where the server has a board in place of lists
	key      string        // without it nothing is answered but the page's files and lists by their link; "" asks for none
}

type food struct {
	Item    string `json:"item"`
	Name    string `json:"name"`
	Emoji   string `json:"emoji,omitempty"`
	Group   string `json:"group,omitempty"`
	Picture string `json:"picture,omitempty"`
	Count   int    `json:"support"`
	traits  string
}

type kept struct {
	body   []byte
	etag   string
	secret string
}

const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func newFake(t testing.TB) *fake { return serveFoods(t, readFoods(t)) }

// manyFoods is a catalogue of n items without pictures.
func manyFoods(n int) []food {
	foods := make([]food, n)
	for i := range foods {
		foods[i] = food{Item: fmt.Sprint("film-", i), Name: fmt.Sprintf("Film number %d", i), Count: n - i, traits: string("uhsgmcfbd"[i%9]) + string("uhsgmcfbd"[i/9%9])}
	}
	return foods
}

func serveFoods(t testing.TB, foods []food) *fake {
	f := &fake{foods: foods, model: "model-1", lists: map[string]kept{}, ended: make(chan string), pictures: fstest.MapFS{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/", f.file)
	mux.HandleFunc("GET /list/{id}", func(w http.ResponseWriter, r *http.Request) { // as the real server, without what other sites show
		http.Redirect(w, r, "/#/list/"+r.PathValue("id"), http.StatusFound)
	})
	mux.Handle("GET /pictures/{name...}", thumb.New(f.pictures, func(string) bool { return true }))
	mux.HandleFunc("POST /v1/recommend", f.withFaults(f.recommend))
	mux.HandleFunc("POST /v1/explain", f.unless(&f.whySays, f.explain))
	mux.HandleFunc("POST /v1/import", f.imports)
	mux.HandleFunc("POST /v1/embed", f.embed)
	mux.HandleFunc("GET /v1/items", f.items)
	mux.HandleFunc("GET /v1/items/{id}", f.item)
	mux.HandleFunc("GET /v1/items/{id}/similar", f.similar)
	mux.HandleFunc("GET /v1/model", f.facts)
	mux.HandleFunc("GET /v1/board", f.boardReport)
	mux.HandleFunc("GET /v1/board/pair", f.boardPair)
	mux.HandleFunc("GET /v1/board/pairs", f.boardPairs)
	mux.HandleFunc("GET /v1/lists/{id}", f.getList)
	mux.HandleFunc("PUT /v1/lists/{id}", f.putList)
	mux.HandleFunc("DELETE /v1/lists/{id}", f.deleteList)
	mux.HandleFunc("GET /v1/jobs", f.jobs)
	mux.HandleFunc("GET /v1/jobs/{id}/events", f.events)
	f.serve(t, mux)
	return f
}

// serve starts the server, under the policy of the real one.
func (f *fake) serve(t testing.TB, routes http.Handler) {
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.requests = append(f.requests, r.Method+" "+r.URL.Path)
		f.mu.Unlock()
		w.Header().Set("Content-Security-Policy", csp)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if !f.lets(r) {
			problem(w, http.StatusUnauthorized, "an API key is needed: send Authorization: Bearer KEY")
			return
		}
		routes.ServeHTTP(w, r)
	}))
	t.Cleanup(f.Close)
}

// withFaults counts a question, and makes it wait or fail as the test says.
func (f *fake) withFaults(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		status, after := f.status, f.after
		var delay time.Duration
		if f.asked < len(f.delays) {
			delay = f.delays[f.asked]
		}
		f.asked++
		thinks := f.thinks
		f.mu.Unlock()
		time.Sleep(delay)
		if thinks != nil {
			<-thinks
		}
		if status != 0 {
			if after != "" {
				w.Header().Set("Retry-After", after)
			}
			problem(w, status, "the model is busy")
			return
		}
		answer(w, r)
	}
}

// questions counts those that have arrived.
func (f *fake) questions() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked
}

// lets says whether a request may pass. As at the real server a key that is shown must be good, even where none is needed.
func (f *fake) lets(r *http.Request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	open := !strings.HasPrefix(r.URL.Path, "/v1/") || r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/v1/lists/")
	shown := r.Header.Get("Authorization")
	return f.key == "" || shown == "Bearer "+f.key || shown == "" && open
}

func readFoods(t testing.TB) (foods []food) {
	t.Helper()
	file, err := os.Open("testdata/foods.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		cells := strings.Split(lines.Text(), "|")
		if len(cells) == 5 && !strings.HasPrefix(cells[0], "#") {
			foods = append(foods, food{cells[0], cells[1], cells[2], cells[3], "", 100 + int(noise(cells[0], 9)*900), cells[4]})
		}
	}
	return foods
}

// noise is a number in [0, 1) that hangs on a name alone.
func noise(name string, salt int) float64 {
	h := fnv.New32a()
	fmt.Fprint(h, name, salt)
	return float64(h.Sum32()%10007) / 10007
}

func (f *fake) find(id string) (food, bool) {
	i := slices.IndexFunc(f.foods, func(x food) bool { return x.Item == id })
	if i < 0 {
		return food{}, false
	}
	return f.foods[i], true
}

func (f *fake) recommend(w http.ResponseWriter, r *http.Request) {
	var q question
	if !decode(w, r, &q) {
		return
	}
	f.mu.Lock()
	model := f.model
	f.mu.Unlock()
	placed, used, unknown := f.read(q)
	type guess struct {
		Rank      int       `json:"rank"`
		Item      string    `json:"item"`
		Name      string    `json:"name"`
		Score     float64   `json:"score"`
		Tier      *int      `json:"tier"`
		TierProbs []float64 `json:"tier_probs"`
		GapProbs  []float64 `json:"gap_probs"`
		Support   int       `json:"support"`
		Interest  *float64  `json:"interest"`
	}
	taken := map[string]bool{}
	for _, p := range placed {
		taken[p.Item] = true
	}
	for _, id := range q.Exclude {
		taken[id] = true
	}
	guesses := []guess{}
	for _, x := range f.foods {
		if taken[x.Item] || len(q.Only) > 0 && !slices.Contains(q.Only, x.Item) {
			continue
		}
		_, _, sum := score(x, placed)
		g := guess{Item: x.Item, Name: x.Name, Score: sum, Support: x.Count}
		if len(used) > 0 {
			g.TierProbs, g.GapProbs = odds(sum, len(used))
			best := 0
			for i, p := range g.TierProbs {
				if p > g.TierProbs[best] {
					best = i
				}
			}
			best++
			g.Tier = &best
		}
		guesses = append(guesses, g)
	}
	slices.SortStableFunc(guesses, func(a, b guess) int { return cmp.Compare(b.Score, a.Score) })
	guesses = guesses[:min(len(guesses), q.N)]
	for i := range guesses {
		guesses[i].Rank = i + 1
	}
	answer(w, map[string]any{"items": guesses, "tiers_used": used, "unknown": unknown, "general": len(used) == 0, "model": model})
}

// unless answers with a status of the fake while the test has set it, and else does what is to be done.
func (f *fake) unless(says *int, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		status := *says
		f.mu.Unlock()
		if status != 0 {
			problem(w, status, "not now")
			return
		}
		then(w, r)
	}
}

func (f *fake) explain(w http.ResponseWriter, r *http.Request) {
	var q question
	if !decode(w, r, &q) {
		return
	}
	placed, used, _ := f.read(q)
	x, ok := f.find(q.Item)
	if !ok {
		problem(w, http.StatusNotFound, "no such item")
		return
	}
	base, parts, sum := score(x, placed)
	rows, picks, pick := []map[string]any{}, []map[string]any{}, 0.
	for i, p := range placed {
		rows = append(rows, map[string]any{"item": p.Item, "name": p.Name, "tier": p.tier, "part": parts[i]})
		near := (overlap(x, p.food) + 0.2) / 20
		picks, pick = append(picks, map[string]any{"item": p.Item, "name": p.Name, "tier": p.tier, "part": near}), pick+near
	}
	tiers, gaps := odds(sum, len(used))
	answer(w, map[string]any{"item": x.Item, "name": x.Name, "score": sum, "base": base, "ties": 0, "parts": rows, "sum": sum,
		"approximate": false, "tier": nil, "tier_probs": tiers, "gap_probs": gaps, "tiers_used": used,
		"interest": map[string]any{"parts": picks, "base": 0, "sum": pick, "score": pick, "probability": min(0.9, pick)},
		"balanced": map[string]any{"score": math.Log(max(pick, 1e-3)) + 0.05*sum, "strength": 0.05}})
}

func (f *fake) embed(w http.ResponseWriter, r *http.Request) {
	var q question
	if !decode(w, r, &q) {
		return
	}
	placed, _, _ := f.read(q)
	var px, py, weight float64
	for _, p := range placed {
		x, y := where(p.food)
		v := 1 + p.worth
		px, py, weight = px+v*x, py+v*y, weight+v
	}
	if weight > 0 {
		px, py = px/weight, py/weight
	}
	items := []map[string]any{}
	for _, x := range f.foods[:min(len(f.foods), 2000)] {
		if q.Items != nil && *q.Items == 0 && !slices.ContainsFunc(placed, func(p likes) bool { return p.Item == x.Item }) {
			continue
		}
		ix, iy := where(x)
		items = append(items, map[string]any{"item": x.Item, "x": ix, "y": iy})
	}
	spread := 1.3 / math.Sqrt(1+float64(len(placed)))
	answer(w, map[string]any{"person": map[string]float64{"x": px, "y": py}, "ring": map[string]float64{"x": px, "y": py, "rx": 1.2 * spread, "ry": 0.8 * spread, "angle": 12},
		"items": items, "regions": []map[string]any{{"item": f.foods[0].Item, "name": f.foods[0].Name, "x": 0, "y": 0, "items": 1}}, "kept": 0.64, "directions": 2, "of": 8})
}

func (f *fake) items(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, _ := strconv.Atoi(q.Get("limit"))
	from, _ := strconv.Atoi(q.Get("cursor"))
	var groups []string
	found := []food{}
	for _, x := range f.foods {
		if x.Group != "" && !slices.Contains(groups, x.Group) {
			groups = append(groups, x.Group)
		}
		if strings.Contains(strings.ReplaceAll(strings.ToLower(x.Name), "\u00ad", ""), strings.ToLower(q.Get("q"))) && (q.Get("group") == "" || q.Get("group") == x.Group) {
			found = append(found, x)
		}
	}
	until, next := min(len(found), from+cmp.Or(limit, 50)), ""
	if until < len(found) {
		next = strconv.Itoa(until)
	}
	answer(w, map[string]any{"items": found[min(from, until):until], "next": next, "total": len(f.foods), "groups": groups})
}

func (f *fake) item(w http.ResponseWriter, r *http.Request) {
	if x, ok := f.find(r.PathValue("id")); ok {
		answer(w, x)
		return
	}
	problem(w, http.StatusNotFound, "no such item")
}

func (f *fake) similar(w http.ResponseWriter, r *http.Request) {
	x, ok := f.find(r.PathValue("id"))
	if !ok {
		problem(w, http.StatusNotFound, "no such item")
		return
	}
	near := slices.Clone(f.foods)
	near = slices.DeleteFunc(near, func(y food) bool { return y.Item == x.Item })
	slices.SortStableFunc(near, func(a, b food) int { return cmp.Compare(overlap(x, b), overlap(x, a)) })
	answer(w, map[string]any{"items": near[:min(len(near), 8)]})
}

func (f *fake) getList(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	list, ok := f.lists[r.PathValue("id")]
	status := f.listSays
	f.mu.Unlock()
	if status != 0 {
		problem(w, status, "not now")
		return
	}
	if !ok {
		problem(w, http.StatusNotFound, "no such list")
		return
	}
	w.Header().Set("ETag", list.etag)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(list.body)
}

func (f *fake) putList(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		problem(w, http.StatusBadRequest, err.Error())
		return
	}
	f.mu.Lock()
	hold := f.hold
	f.mu.Unlock()
	if hold != nil {
		<-hold
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	old, there := f.lists[r.PathValue("id")]
	secret := r.Header.Get("X-List-Secret")
	switch {
	case f.listSays != 0:
		problem(w, f.listSays, "not now")
	case !there && r.Header.Get("If-Match") != "":
		problem(w, http.StatusNotFound, "no such list")
	case secret == "" || (there && secret != old.secret):
		problem(w, http.StatusForbidden, "not your list")
	case there && r.Header.Get("If-Match") != old.etag, !there && r.Header.Get("If-None-Match") != "*":
		w.Header().Set("ETag", old.etag)
		problem(w, http.StatusPreconditionFailed, "the list has changed")
	default:
		etag := fmt.Sprintf(`"%x"`, sha256.Sum256(append(body, old.etag...)))
		f.lists[r.PathValue("id")] = kept{body, etag, secret}
		w.Header().Set("ETag", etag)
		if there {
			w.WriteHeader(http.StatusNoContent)
		} else {
			w.WriteHeader(http.StatusCreated)
		}
	}
}

// writes counts the lists that were sent to be kept.
func (f *fake) writes() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, request := range f.requests {
		if strings.HasPrefix(request, "PUT /v1/lists/") {
			n++
		}
	}
	return n
}

func (f *fake) deleteList(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if old, ok := f.lists[r.PathValue("id")]; !ok || old.secret != r.Header.Get("X-List-Secret") {
		problem(w, http.StatusForbidden, "not your list")
		return
	}
	delete(f.lists, r.PathValue("id"))
	w.WriteHeader(http.StatusNoContent)
}

func decode(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		problem(w, http.StatusUnprocessableEntity, err.Error())
		return false
	}
	return true
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}

func problem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"title": http.StatusText(status), "status": status, "detail": detail})
}
