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
	"time"

	"fubini/app/web"
)

// fake is a server with the shapes of the real one and a toy in place of the
// model: foods that share traits with what was liked get higher scores. Its odds
// are smooth, its parts add up, and the same question has the same answer.
type fake struct {
	*httptest.Server
	foods []food

	mu       sync.Mutex
	requests []string // method and path, in order of arrival
	asked    int      // questions to /v1/recommend
	status   int      // answer of /v1/recommend when not 0
	after    string   // its Retry-After
	delays   []time.Duration
	model    string
	lists    map[string]kept
	noHeld   bool // no held-out people
}

type food struct {
	Item   string `json:"item"`
	Name   string `json:"name"`
	Emoji  string `json:"emoji,omitempty"`
	Group  string `json:"group,omitempty"`
	Count  int    `json:"support"`
	traits string
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
	f := &fake{foods: foods, model: "model-1", lists: map[string]kept{}}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServerFS(web.Files()))
	mux.HandleFunc("POST /v1/recommend", f.recommend)
	mux.HandleFunc("POST /v1/explain", f.explain)
	mux.HandleFunc("POST /v1/embed", f.embed)
	mux.HandleFunc("GET /v1/items", f.items)
	mux.HandleFunc("GET /v1/items/{id}", f.item)
	mux.HandleFunc("GET /v1/model", f.facts)
	mux.HandleFunc("GET /v1/lists/{id}", f.getList)
	mux.HandleFunc("PUT /v1/lists/{id}", f.putList)
	mux.HandleFunc("DELETE /v1/lists/{id}", f.deleteList)
	mux.HandleFunc("GET /v1/jobs/{id}/events", f.events)
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.requests = append(f.requests, r.Method+" "+r.URL.Path)
		f.mu.Unlock()
		w.Header().Set("Content-Security-Policy", csp)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(f.Close)
	return f
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
			foods = append(foods, food{cells[0], cells[1], cells[2], cells[3], 100 + int(noise(cells[0], 9)*900), cells[4]})
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

type question struct {
	Tiers   [][]string `json:"tiers"`
	Exclude []string   `json:"exclude"`
	N       int        `json:"n"`
	Item    string     `json:"item"`
}

// likes is one placed food and how much the person likes it, from 1 for the best tier to -1.
type likes struct {
	food
	tier  int // from 1, among the used ones
	worth float64
}

func (f *fake) read(q question) (placed []likes, used []int, unknown []string) {
	for t, items := range q.Tiers {
		n := len(placed)
		for _, id := range items {
			if x, ok := f.find(id); ok {
				placed = append(placed, likes{food: x, tier: len(used) + 1})
			} else {
				unknown = append(unknown, id)
			}
		}
		if len(placed) > n {
			used = append(used, t)
		}
	}
	for i := range placed {
		placed[i].worth = 1
		if len(used) > 1 {
			placed[i].worth = 1 - 2*float64(placed[i].tier-1)/float64(len(used)-1)
		}
	}
	return placed, used, unknown
}

func overlap(a, b food) float64 {
	same := 0.
	for _, c := range a.traits {
		if strings.ContainsRune(b.traits, c) {
			same++
		}
	}
	return same/math.Sqrt(float64(max(1, len(a.traits)*len(b.traits)))) - 0.18
}

// score is a base, and a part for each placed food.
func score(x food, placed []likes) (base float64, parts []float64, sum float64) {
	base = (noise(x.Item, 1) - 0.5) * 0.5
	sum = base
	for _, p := range placed {
		part := 1.5 * p.worth * overlap(x, p.food) / math.Sqrt(float64(len(placed)))
		parts = append(parts, part)
		sum += part
	}
	return base, parts, sum
}

// odds puts bell curves around the levels of the used tiers, and small ones between them.
func odds(s float64, used int) (tiers, gaps []float64) {
	level := func(i float64) float64 { return 1.25 - 2.2*i/math.Max(1, float64(used-1)) }
	var total float64
	for i := range 2*used + 1 {
		at := float64(i)/2 - 0.5
		p := math.Exp(-math.Pow(s-level(at), 2) / 0.2)
		if i%2 == 0 {
			p *= 0.12
			gaps = append(gaps, p)
		} else {
			tiers = append(tiers, p)
		}
		total += p
	}
	for i := range tiers {
		tiers[i] /= total
	}
	for i := range gaps {
		gaps[i] /= total
	}
	return tiers, gaps
}

func (f *fake) recommend(w http.ResponseWriter, r *http.Request) {
	var q question
	if !decode(w, r, &q) {
		return
	}
	f.mu.Lock()
	status, after, model := f.status, f.after, f.model
	var delay time.Duration
	if f.asked < len(f.delays) {
		delay = f.delays[f.asked]
	}
	f.asked++
	f.mu.Unlock()
	time.Sleep(delay)
	if status != 0 {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		problem(w, status, "the model is busy")
		return
	}
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
		if taken[x.Item] {
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
	rows := []map[string]any{}
	for i, p := range placed {
		rows = append(rows, map[string]any{"item": p.Item, "name": p.Name, "tier": p.tier, "part": parts[i]})
	}
	tiers, gaps := odds(sum, len(used))
	answer(w, map[string]any{"item": x.Item, "name": x.Name, "score": sum, "base": base, "ties": 0, "parts": rows, "sum": sum,
		"approximate": false, "tier": nil, "tier_probs": tiers, "gap_probs": gaps, "tiers_used": used})
}

// where is a food's place on the map: traits pull in fixed directions.
func where(x food) (float64, float64) {
	var px, py float64
	for _, c := range x.traits {
		angle := float64(strings.IndexRune("uhmcsbgfd", c)) / 9 * 2 * math.Pi
		px, py = px+1.5*math.Cos(angle), py+math.Sin(angle)
	}
	return px/float64(len(x.traits)) + 1.1*(noise(x.Item, 2)-0.5), py/float64(len(x.traits)) + 0.9*(noise(x.Item, 3)-0.5)
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
		ix, iy := where(x)
		items = append(items, map[string]any{"item": x.Item, "x": ix, "y": iy})
	}
	spread := 1.3 / math.Sqrt(1+float64(len(placed)))
	answer(w, map[string]any{"person": map[string]float64{"x": px, "y": py}, "ring": map[string]float64{"x": px, "y": py, "rx": 1.2 * spread, "ry": 0.8 * spread, "angle": 12},
		"items": items, "kept": 0.64, "directions": 2, "of": 8})
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
		if strings.Contains(strings.ToLower(x.Name), strings.ToLower(q.Get("q"))) && (q.Get("group") == "" || q.Get("group") == x.Group) {
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

func (f *fake) facts(w http.ResponseWriter, _ *http.Request) {
	epochs, distance, ndcg, split, merge := []int{}, []float64{}, []float64{}, []float64{}, []float64{}
	for e := range 61 {
		x := float64(e)
		wobble := func(salt int) float64 { return (noise(fmt.Sprint(e), salt) - 0.5) * 0.006 }
		epochs = append(epochs, e)
		distance = append(distance, 0.305+0.185*math.Exp(-x/10)+wobble(4))
		ndcg = append(ndcg, 0.842-0.19*math.Exp(-x/10)+wobble(5)/2)
		split = append(split, 0.41+0.21*math.Exp(-x/13)+wobble(6))
		merge = append(merge, 0.335+0.165*math.Exp(-x/13)+wobble(7))
	}
	bins := []map[string]any{}
	for i, count := range []int{21000, 9100, 6200, 4100, 2900, 1800, 1100, 620, 260, 90} {
		p := 0.05 + 0.1*float64(i)
		seen := p + (noise(fmt.Sprint(i), 8)-0.5)*0.03
		half := 1.96 * math.Sqrt(p*(1-p)/float64(count))
		bins = append(bins, map[string]any{"p": p, "observed": seen, "low": seen - half, "high": seen + half, "count": count})
	}
	units := []map[string]any{}
	for k, c := range "uhsgmcfb" {
		var up, down []map[string]any
		for _, x := range f.foods {
			row := map[string]any{"item": x.Item, "name": x.Name}
			if strings.ContainsRune(x.traits, c) && len(up) < 4 {
				up = append(up, row)
			} else if !strings.ContainsRune(x.traits, c) && len(down) < 4 && noise(x.Item, k) > 0.8 {
				down = append(down, row)
			}
		}
		units = append(units, map[string]any{"unit": k, "share": 0.41 - 0.04*float64(k), "up": up, "down": down})
	}
	calibration := any(map[string]any{"bins": bins, "ece": 0.008, "events": 47170})
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.noHeld {
		calibration = nil
	}
	answer(w, map[string]any{"id": f.model, "facts": map[string]any{"model": "latent-osm", "seed": 1, "people": 3000, "items": len(f.foods), "placements": 72000, "hidden": 8,
		"units": "binary", "version": "0.1.0", "fingerprint": "9f3c02d17be4", "synthetic": true, "title": "Demo world: synthetic people"},
		"curves":      map[string]any{"epoch": epochs, "distance": distance, "ndcg10": ndcg, "item_mean_ndcg10": 0.742, "accept": map[string]any{"split": split, "merge": merge}},
		"calibration": calibration, "units": units})
}

func (f *fake) getList(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	list, ok := f.lists[r.PathValue("id")]
	f.mu.Unlock()
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
	defer f.mu.Unlock()
	old, there := f.lists[r.PathValue("id")]
	secret := r.Header.Get("X-List-Secret")
	switch {
	case secret == "" || (there && secret != old.secret):
		problem(w, http.StatusForbidden, "not your list")
	case there && r.Header.Get("If-Match") != old.etag, !there && r.Header.Get("If-None-Match") != "*":
		w.Header().Set("ETag", old.etag)
		problem(w, http.StatusPreconditionFailed, "the list has changed")
	default:
		etag := fmt.Sprintf(`"%x"`, sha256.Sum256(append(body, old.etag...)))
		f.lists[r.PathValue("id")] = kept{body, etag, secret}
		w.Header().Set("ETag", etag)
		w.WriteHeader(http.StatusNoContent)
	}
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

// events tells of a training run that stays in its 23rd epoch until the page has gone.
func (f *fake) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	for epoch := 1; epoch <= 23; epoch++ {
		fmt.Fprintf(w, "event: progress\ndata: {\"epoch\":%d,\"epochs\":60,\"distance\":%g,\"validation\":%g,\"left_s\":4}\n\n", epoch, 0.5-0.005*float64(epoch), 0.6+0.005*float64(epoch))
	}
	w.(http.Flusher).Flush()
	<-r.Context().Done()
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
