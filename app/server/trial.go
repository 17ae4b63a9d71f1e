package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"time"

	"fubini/app/gate"
	"fubini/app/store"
	"fubini/core/vec"
	"fubini/data/modelfile"
	"fubini/use/rank"
)

// prepare reads a model, makes it ready and tries it: what comes back has answered
// before anybody is sent to it. A panic on the way is an error: the file is to blame, and
// the model that is served goes on.
func prepare(ctx context.Context, load func(context.Context) (*modelfile.File, error), log *slog.Logger) (m *served, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			log.Error("a model made the server fail before it was served", "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
			m, err = nil, fmt.Errorf("server: the model makes the server fail: %v", fault)
		}
	}()
	file, err := load(ctx)
	if err != nil {
		return nil, err
	}
	if m, err = newServed(file); err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	if err := m.try(ctx); err != nil {
		return nil, fmt.Errorf("server: a trial of the model: %w", err)
	}
	return m, nil
}

// try has a server of its own answer with the model, by the way that requests take: with
// lists of nobody, of one item, of many tiers, of the items with the most extreme
// parameters, and one as long as the API takes. Whatever is not answered with 200 tells
// against the model.
func (m *served) try(ctx context.Context) error {
	s := assemble(Options{
		Anonymous: []store.Scope{store.Read}, Loopback: true, Log: slog.New(slog.DiscardHandler),
		Limits: Limits{Limits: gate.Limits{Body: 16 << 20, Time: time.Minute, Waiting: 1}},
	}, m)
	extremes := m.extremes()
	for l, tiers := range m.trialLists(extremes) {
		if err := m.finite(tiers); err != nil {
			return err
		}
		body := map[string]any{"tiers": tiers}
		for _, path := range []string{"/v1/recommend", "/v1/embed", "/v1/reconstruct"} {
			if err := s.tryOne(ctx, http.MethodPost, path, body); err != nil {
				return err
			}
		}
		body["n"], body["only"], body["min_support"] = len(extremes), extremes, 0
		if err := s.tryOne(ctx, http.MethodPost, "/v1/recommend", body); err != nil {
			return err
		}
		if err := s.tryOne(ctx, http.MethodPost, "/v1/explain", map[string]any{"tiers": tiers, "item": extremes[l%len(extremes)]}); err != nil {
			return err
		}
	}
	paths := []string{"/v1/model", "/v1/items"}
	for _, id := range extremes {
		if id != "." && id != ".." { // which no path can name
			paths = append(paths, "/v1/items/"+url.PathEscape(id)+"/similar")
		}
	}
	for _, path := range paths {
		if err := s.tryOne(ctx, http.MethodGet, path, nil); err != nil {
			return err
		}
	}
	return nil
}

// tryOne wants a request to be answered.
func (s *Server) tryOne(ctx context.Context, method, path string, body map[string]any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		text = nil
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://localhost"+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.RemoteAddr, r.RequestURI = "127.0.0.1:1", path
	r.Header.Set("Content-Type", "application/json")
	answer := &gate.Unheard{}
	s.gate.ServeHTTP(answer, r)
	if err := ctx.Err(); err != nil {
		return err
	}
	if answer.Status != http.StatusOK {
		return fmt.Errorf("%s %s is answered by %d for the tiers %.200s", method, path, answer.Status, text)
	}
	return nil
}

// finite reports a score or a hidden unit beyond the range of float32, in which the index scores all items.
func (m *served) finite(tiers [][]string) error {
	all := make([]tier, len(tiers))
	placed := 0
	for t, ids := range tiers {
		all[t] = ids
		placed += len(ids)
	}
	p, _, fault := m.read(Tiers{Tiers: all})
	if fault != nil {
		return fault
	}
	person, err := rank.Read(m.catalogue, p)
	if err != nil {
		return err
	}
	for k, v := range person.Embedding {
		if !(math.Abs(v) <= math.MaxFloat32) {
			return fmt.Errorf("with %d placed items hidden unit %d has the mean %g", placed, k, v)
		}
	}
	items := make([]int, len(m.saved.ItemIDs))
	for i := range items {
		items[i] = i
	}
	scores := make([]float64, len(items))
	person.Score(items, scores)
	for i, v := range scores {
		if !(math.Abs(v) <= math.MaxFloat32) {
			return fmt.Errorf("with %d placed items item %s has the score %g", placed, m.saved.ItemIDs[i], v)
		}
	}
	return nil
}

// extremes are the ids of the items whose parameters lie furthest out: the best and the
// worst, and those with the longest rows of W and V.
func (m *served) extremes() []string {
	c := m.catalogue
	var items []int
	for _, by := range []func(i int) float64{
		func(i int) float64 { return c.U[i] },
		func(i int) float64 { return -c.U[i] },
		func(i int) float64 { return rowNorm(c.W, i, c.K) },
		func(i int) float64 { return rowNorm(c.V, i, c.K) },
	} {
		sizes := make([]float64, len(c.U))
		for i := range sizes {
			sizes[i] = by(i)
		}
		for _, i := range rank.Best(sizes, 2) {
			if !slices.Contains(items, i) {
				items = append(items, i)
			}
		}
	}
	ids := make([]string, len(items))
	for k, i := range items {
		ids[k] = m.saved.ItemIDs[i]
	}
	return ids
}

// rowNorm is the length of a row; 0 where there are none.
func rowNorm(rows []float64, i, k int) float64 {
	if rows == nil {
		return 0
	}
	row := rows[i*k : (i+1)*k]
	return math.Sqrt(vec.Dot(row, row))
}

// trialLists are the tier lists of a trial.
func (m *served) trialLists(extremes []string) (lists [][][]string) {
	lists = append(lists, [][]string{})
	var apart [][]string // every one in a tier of its own
	for _, id := range extremes {
		lists = append(lists, [][]string{{id}})
		apart = append(apart, []string{id})
	}
	back := slices.Clone(apart)
	slices.Reverse(back)
	lists = append(lists, apart, back, [][]string{extremes})
	// As many items as may be placed, the extremes among them, in as many tiers as may be.
	long := slices.Clone(extremes)
	for _, id := range m.saved.ItemIDs {
		if len(long) == mostPlaced {
			break
		}
		if !slices.Contains(extremes, id) {
			long = append(long, id)
		}
	}
	tiers := make([][]string, min(len(long), mostTiers))
	for k, id := range long {
		at := k * len(tiers) / len(long)
		tiers[at] = append(tiers[at], id)
	}
	return append(lists, tiers)
}
