package paper

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Plan is all that a run will compute, laid out before anything is computed, so
// that progress and time left can be told.
type Plan struct {
	Bench *Bench
	// Observe, if not nil, is told before a cell is run.
	Observe func(p Progress)

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
	name  string  // in the store
	label string  // for people
	cost  float64 // rough, in any unit that all cells share
	done  bool
	value timed
	run   func(ctx context.Context) (timed, error)
}

// timed is what a cell gives: it knows how long it took.
type timed interface{ seconds() float64 }

// promise is what a cell of type T will have given once the plan has run it.
type promise[T any] struct{ cell *planned }

func (p promise[T]) get() *T { return any(p.cell.value).(*T) }

// add lays out a cell. The key describes all that its outcome depends on: equal
// keys are one cell, however many tables show it.
func add[T any](p *Plan, prefix string, key any, label string, cost float64, run func(ctx context.Context) (*T, error)) (promise[T], error) {
	name, err := cellName(prefix, key)
	if err != nil {
		return promise[T]{}, err
	}
	return addNamed(p, name, label, cost, func(ctx context.Context) (*T, error) {
		return keep(p.Bench, name, func() (*T, error) { return run(ctx) })
	}), nil
}

func addNamed[T any](p *Plan, name, label string, cost float64, run func(ctx context.Context) (*T, error)) promise[T] {
	if cell, there := p.byKey[name]; there {
		p.used = append(p.used, cell)
		return promise[T]{cell}
	}
	cell := &planned{name: name, label: label, cost: cost, run: func(ctx context.Context) (timed, error) {
		value, err := run(ctx)
		if err != nil {
			return nil, err
		}
		return any(value).(timed), nil
	}}
	if p.byKey == nil {
		p.byKey = map[string]*planned{}
	}
	p.byKey[name] = cell
	p.cells, p.used = append(p.cells, cell), append(p.used, cell)
	return promise[T]{cell}
}

// look finds out what is in the store.
func (p *Plan) look() error {
	for _, c := range p.cells {
		switch _, err := p.Bench.Store.Get(c.name); {
		case err == nil:
			c.done = true
			p.done++
		case errors.Is(err, fs.ErrNotExist):
			p.left += c.cost
		default:
			return err
		}
	}
	p.started, p.start = true, time.Now()
	return nil
}

// runTo runs the cells up to one, in order, taking from the store what is there.
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
		if !c.done && p.Observe != nil {
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
		if !c.done {
			c.done = true
			p.done++
			p.spent += c.cost
			p.left -= c.cost
		}
	}
	return nil
}
