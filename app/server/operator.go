package server

import (
	"context"
	"encoding/json"
	"net/http"
	"runtime"
	"slices"
	"time"

	"fubini/app/gate"
	"fubini/app/store"
	"fubini/app/traffic"
	"fubini/model"
	"fubini/use/odds"
)

type statusBody struct {
	Version string    `json:"version" doc:"Of the program"`
	Model   string    `json:"model" doc:"Id of the model that is served"`
	Loaded  time.Time `json:"loaded" doc:"When it was read"`
	Ready   bool      `json:"ready" doc:"Whether requests should come here, as /readyz has it"`
	Trouble string    `json:"trouble" doc:"What is wrong with the store; empty for nothing"`
	Memory  uint64    `json:"memory_bytes" doc:"Of the heap in use"`
	traffic.Load
}

// status answers how the server is: its model, its health and its load.
func (s *Server) status(ctx context.Context, _ *struct{}) (*statusBody, error) {
	families, err := s.registry.Gather()
	if err != nil {
		return nil, err
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b := &statusBody{Version: s.options.Version, Model: s.model.Load().id, Loaded: time.Unix(s.loaded.Load(), 0).UTC(), Ready: !s.closing.Load(), Memory: memory.HeapInuse, Load: traffic.Of(families)}
	if s.store != nil {
		var ready bool
		b.Trouble, ready = s.store.State(ctx)
		b.Ready = b.Ready && ready
	}
	return b, nil
}

// Limits of the calibration from what people placed: every placement is one fold-in of a list.
const (
	mostJudgedLists  = 1000
	mostJudgedPlaced = 5000
)

type heldInput struct {
	Lists  int    `query:"lists" minimum:"1" maximum:"1000" default:"200" doc:"Most lists to look at, the newest first"`
	Period string `query:"period" enum:"day,week,month" default:"week" doc:"By what to group them: when they were last changed, in UTC"`
}

type heldBody struct {
	Periods []heldPeriod `json:"periods" doc:"The oldest first"`
	Lists   int          `json:"lists" doc:"Lists with two items or more that the model knows"`
	Left    bool         `json:"left" doc:"There were more lists than were looked at"`
	Model   string       `json:"model"`
}

type heldPeriod struct {
	From   time.Time `json:"from"`
	Lists  int       `json:"lists"`
	Placed int       `json:"placed" doc:"Placements: each is taken out of its list and placed again"`
	calibration
}

// heldUp answers how often the odds came true for the saved lists: every placement against the odds that the rest of its
// list gives it. No list is named.
func (s *Server) heldUp(ctx context.Context, in *heldInput) (*heldBody, error) {
	m := s.model.Load()
	if m.catalogue == nil {
		return nil, gate.NewProblem(http.StatusConflict, "a model "+m.saved.Name+" has no odds, so there is nothing to hold against what people placed")
	}
	leave, err := s.Wide(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	b := &heldBody{Periods: []heldPeriod{}, Model: m.id}
	people, placed := map[time.Time][]model.Person{}, 0
	page := store.Page{Limit: min(in.Lists, mostJudgedLists)}
	lists, next, err := s.store.ListLists(ctx, page)
	if err != nil {
		return nil, err
	}
	b.Left = next != ""
	for _, list := range lists {
		saved, err := s.store.GetList(ctx, list.ID)
		if err != nil { // removed meanwhile
			continue
		}
		p, ok := m.personOf(saved.Body)
		if !ok {
			continue
		}
		if placed += p.Known.Len(); placed > mostJudgedPlaced && b.Lists > 0 {
			b.Left = true
			break
		}
		from := startOf(saved.Updated.UTC(), in.Period)
		people[from] = append(people[from], p)
		b.Lists++
	}
	for from, group := range people {
		found, err := odds.LeaveOneOut(ctx, m.catalogue, m.saved.Odds, group, 1)
		if err != nil {
			return nil, err
		}
		period := heldPeriod{From: from, Lists: len(group), calibration: calibration{Bins: found.Bins, Even: found.Even, ECE: found.ECE, Events: found.Events}}
		for _, p := range group {
			period.Placed += p.Known.Len()
		}
		b.Periods = append(b.Periods, period)
	}
	slices.SortFunc(b.Periods, func(a, b heldPeriod) int { return a.From.Compare(b.From) })
	return b, nil
}

// personOf is the person of a saved list, if the model knows two of its items in two tiers or one.
func (m *served) personOf(body []byte) (model.Person, bool) {
	var list ListBody
	if json.Unmarshal(body, &list) != nil {
		return model.Person{}, false
	}
	var tiers Tiers
	for _, each := range list.Tiers {
		tiers.Tiers = append(tiers.Tiers, tier(each.Items))
	}
	p, _, err := m.read(tiers)
	return p, err == nil && p.Known.Len() >= 2
}

// startOf is the first moment of the day, week or month of a time.
func startOf(at time.Time, period string) time.Time {
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	switch period {
	case "week":
		return day.AddDate(0, 0, -(int(day.Weekday())+6)%7) // Monday
	case "month":
		return day.AddDate(0, 0, 1-day.Day())
	}
	return day
}

// Paged is the part of a request that selects one page of a list.
type Paged struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"50" doc:"Most entries in one answer"`
	Cursor string `query:"cursor" maxLength:"200" doc:"Where to go on: next of the answer before"`
}

type auditOutputBody struct {
	Entries []auditEntry `json:"entries" doc:"The newest first"`
	Next    string       `json:"next" doc:"Cursor of the next page; empty on the last"`
}

type auditEntry struct {
	ID        int64     `json:"id"`
	Time      time.Time `json:"time"`
	KeyID     string    `json:"key" doc:"Id of the API key; empty for the command line"`
	Action    string    `json:"action"`
	Detail    string    `json:"detail"`
	RequestID string    `json:"request_id"`
}

func (s *Server) auditLog(ctx context.Context, in *Paged) (*auditOutputBody, error) {
	entries, next, err := s.store.ListAudit(ctx, store.Page(*in))
	if err != nil {
		return nil, pageFailure(err)
	}
	body := &auditOutputBody{Entries: []auditEntry{}, Next: next}
	for _, e := range entries {
		body.Entries = append(body.Entries, auditEntry(e))
	}
	return body, nil
}
