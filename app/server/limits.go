package server

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"fubini/app/gate"
	"fubini/app/store"
)

// Limits bound what clients can make the server do, and what it keeps for them. Zero values mean the defaults.
type Limits struct {
	gate.Limits
	StoreTime time.Duration // for an answer of the store; 0 means three quarters of Time
	Silence   time.Duration // of a server after which others end its jobs; 0 means 30 s
	Lists     store.Quota   // what all saved lists may come to; 0 means any number, of lists or of bytes
	KeyLists  store.Quota   // what those saved with one API key may come to
}

func (l Limits) resolved() Limits {
	l.Limits = l.Limits.Resolved()
	l.StoreTime, l.Silence = cmp.Or(l.StoreTime, l.Time/4*3), cmp.Or(l.Silence, 30*time.Second)
	return l
}

// Limits on what a request may hold. They stand in the OpenAPI document too, as tags of the types: keep them in step.
const (
	mostTiers  = 1_000   // tiers of a list
	mostPlaced = 5_000   // items in them together
	mostID     = 200     // characters of an item's id
	mostItems  = 10_000  // items in an answer
	mostOdds   = 500_000 // numbers in the odds of an answer: its size in memory
	wideFrom   = 400_000 // effort from which an answer counts as wide; see effort
)

// log is the logger with the request's id in it.
func (s *Server) log(ctx context.Context) *slog.Logger { return gate.Log(ctx, s.options.Log) }
