package paper

import (
	"context"
	"fmt"
	"time"
)

// Plan is all that a run will compute, laid out before anything is computed, so
// that progress and time left can be told.
type Plan struct {
	Bench *Bench
	// Observe, if not nil, is told before a cell is run.
	Observe func(p Progress)
	// Unmade, if not nil, is told of a cell that could not be made, and why.
	Unmade func(cell, reason string)

	cells   []*planned
	byKey   map[string]*planned
	used    []*planned // cells that were laid out since it was last emptied
	next    int        // cell to run
	done    int
	start   time.Time
	spent   float64 // cost of what was run
	left    float64 // cost of what is not in the store
	started bool
}

// Progress is how far a plan has come.
type Progress struct {
	Cell        string        // what is run next
	Done, Total int           // cells; Done counts those kept from earlier runs
	Left        time.Duration // at the pace so far; negative before there is one
}

// planned is a cell of the plan.
type planned struct {
	label string  // for people
	cost  float64 // rough, in any unit that all cells share
	value outcome // nil before it is known
	find  func() (outcome, error)
	run   func(ctx context.Context) (outcome, error)
}

// outcome is what a cell gives: it knows how long it took and who made it.
type outcome interface {
	seconds() float64
	origin() *Origin
}

// promise is what a cell of type T will have given once the plan has run it.
type promise[T any] struct{ cell *planned }

func (p promise[T]) get() *T { return any(p.cell.value).(*T) }

// add lays out a cell. The key describes what is asked for: equal keys are one
// cell, however many tables show it. Settings are those of its model, defaults
// filled in.
func add[T any, P interface {
	kept[T]
	outcome
}](p *Plan, prefix string, key any, settings map[string]string, label string, cost float64, run func(ctx context.Context) (*T, error)) (promise[T], error) {
	name, err := cellName(prefix, key)
	if err != nil {
		return promise[T]{}, err
	}
	if cell, there := p.byKey[name]; there {
		p.used = append(p.used, cell)
		return promise[T]{cell}, nil
	}
	cell := &planned{label: label, cost: cost}
	cell.find = func() (outcome, error) {
		value, err := stored[T, P](p.Bench, name, settings)
		if value == nil || err != nil {
			return nil, err
		}
		return P(value), nil
	}
	cell.run = func(ctx context.Context) (outcome, error) {
		value, err := keep[T, P](p.Bench, name, settings, func() (*T, error) { return run(ctx) })
		if err != nil {
			return nil, err
		}
		return P(value), nil
	}
	if p.byKey == nil {
		p.byKey = map[string]*planned{}
	}
	p.byKey[name] = cell
	p.cells, p.used = append(p.cells, cell), append(p.used, cell)
	return promise[T]{cell}, nil
}

// look finds out what is in the store.
func (p *Plan) look() error {
	for _, c := range p.cells {
		value, err := c.find()
		if err != nil {
			return err
		}
		if value == nil {
			p.left += c.cost
			continue
		}
		c.value = value
		p.done++
	}
	p.started, p.start = true, time.Now()
	return nil
}

// runTo runs the cells up to one, in order, but for those that were in the store.
func (p *Plan) runTo(ctx context.Context, end int) error {
	if !p.started {
		if err := p.look(); err != nil {
			return err
		}
	}
	for ; p.next < end; p.next++ {
		c := p.cells[p.next]
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.value != nil {
			continue
		}
		if p.Observe != nil {
			now := Progress{Cell: c.label, Done: p.done, Total: len(p.cells), Left: -1}
			if p.spent > 0 {
				now.Left = time.Duration(float64(time.Since(p.start)) * p.left / p.spent).Round(time.Second)
			}
			p.Observe(now)
		}
		value, err := c.run(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", c.label, err)
		}
		c.value = value
		if why := reason(value); why != "" && p.Unmade != nil {
			p.Unmade(c.label, why)
		}
		p.done++
		p.spent += c.cost
		p.left -= c.cost
	}
	return nil
}
