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
	"fubini/use/board"
	"fubini/use/rank"
)

// prepare reads a model, makes it ready and tries it: the model has answered before a request reaches it. A panic is an
// error of the file, and the model that is served goes on.
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

// try asks a server of its own, by the way that requests take: with an empty list, lists of one item, of many tiers, of
// the items with the most extreme parameters, and one as long as the API takes. A status other than 200 is an error.
func (m *served) try(ctx context.Context) error {
	s := assemble(Options{
		Anonymous: []store.Scope{store.Read}, Loopback: true, Log: slog.New(slog.DiscardHandler),
		Limits: Limits{bounds: bounds{Limits: gate.Limits{Body: 16 << 20, Time: time.Minute, Waiting: 1}}},
	}, m)
	extremes := m.extremes()
	lists := m.trialLists(extremes)
	if !m.saved.TakesTiers() { // a board without tier lists
		lists = nil
	}
	for l, tiers := range lists {
		if err := m.finite(tiers); err != nil {
			return err
		}
		body := map[string]any{"tiers": tiers}
		paths := []string{"/v1/recommend"}
		if m.places != nil {
			paths = append(paths, "/v1/embed")
		}
		if m.catalogue != nil {
			paths = append(paths, "/v1/reconstruct")
		}
		for _, path := range paths {
			if err := s.tryOne(ctx, http.MethodPost, path, body); err != nil {
				return err
			}
		}
		body["n"], body["only"], body["min_support"] = len(extremes), extremes, 0
		if err := s.tryOne(ctx, http.MethodPost, "/v1/recommend", body); err != nil {
			return err
		}
		if m.catalogue == nil && len(tiers) > len(extremes) {
			continue // too long to be explained by leaving out placements
		}
		if err := s.tryOne(ctx, http.MethodPost, "/v1/explain", map[string]any{"tiers": tiers, "item": extremes[l%len(extremes)]}); err != nil {
			return err
		}
	}
	paths := []string{"/v1/model", "/v1/items"}
	if b := m.saved.Board; b != nil {
		paths = append(paths, "/v1/board", "/v1/board?level=0.5", "/v1/board/pair?a="+url.QueryEscape(b.Items[0])+"&b="+url.QueryEscape(b.Items[1]))
		if len(b.Items) <= board.MostPairs {
			paths = append(paths, "/v1/board/pairs")
		}
	}
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

// tryOne makes a request that must be answered.
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
	status := s.Try(r)
	if err := ctx.Err(); err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s %s is answered by %d for the tiers %.200s", method, path, status, text)
	}
	return nil
}

// finite reports a score or a hidden unit beyond the range of float32, in which the index scores all items.
func (m *served) finite(tiers []tier) error {
	p, _, err := m.read(Tiers{Tiers: tiers})
	if err != nil {
		return err
	}
	placed := p.Known.Len()
	if m.catalogue != nil {
		person, err := rank.Read(m.catalogue, p)
		if err != nil {
			return err
		}
		for k, v := range person.Embedding {
			if !(math.Abs(v) <= math.MaxFloat32) {
				return fmt.Errorf("with %d placed items hidden unit %d has the mean %g", placed, k, v)
			}
		}
	}
	items, scores := make([]uint32, len(m.saved.ItemIDs)), make([]float64, len(m.saved.ItemIDs))
	for i := range items {
		items[i] = uint32(i)
	}
	m.saved.Score(p, items, scores)
	for i, score := range scores {
		if !(math.Abs(score) <= math.MaxFloat32) {
			return fmt.Errorf("with %d placed items item %s has the score %g", placed, m.saved.ItemIDs[i], score)
		}
	}
	return nil
}

// extremes are the ids of the items whose parameters lie furthest out: the best and the worst, and those with the longest
// rows of W and V.
func (m *served) extremes() (ids []string) {
	c := m.catalogue
	if c == nil {
		for _, i := range m.index.Order[:min(6, len(m.index.Order))] { // the most rated
			ids = append(ids, m.saved.ItemIDs[i])
		}
		return ids
	}
	length := func(rows []float64) func(i int) float64 {
		return func(i int) float64 { return vec.Dot(rows[i*c.K:(i+1)*c.K], rows[i*c.K:(i+1)*c.K]) }
	}
	by := []func(i int) float64{func(i int) float64 { return c.U[i] }, func(i int) float64 { return -c.U[i] }, length(c.W)}
	if c.V != nil {
		by = append(by, length(c.V))
	}
	for _, size := range by {
		sizes := make([]float64, len(c.U))
		for i := range sizes {
			sizes[i] = size(i)
		}
		for _, i := range rank.Best(sizes, 2) {
			if id := m.saved.ItemIDs[i]; !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// trialLists are the tier lists of a trial.
func (m *served) trialLists(extremes []string) (lists [][]tier) {
	lists = append(lists, []tier{})
	var apart []tier // every one in a tier of its own
	for _, id := range extremes {
		lists = append(lists, []tier{{id}})
		apart = append(apart, tier{id})
	}
	back := slices.Clone(apart)
	slices.Reverse(back)
	lists = append(lists, apart, back, []tier{extremes})
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
	tiers := make([]tier, min(len(long), mostTiers))
	for k, id := range long {
		at := k * len(tiers) / len(long)
		tiers[at] = append(tiers[at], id)
	}
	return append(lists, tiers)
}
