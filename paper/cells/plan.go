package cells

import (
	"context"
	"fmt"
	"time"
)

// Plan runs cells. All targets are gone through twice: first their cells are counted,
// so that progress and time left are known, then they are run.
type Plan struct {
	Bench *Bench
	// Observe, if not nil, is called before a cell is run.
	Observe func(p Progress)
	// Unmade, if not nil, is called with a cell that could not be made, and why.
	Unmade func(cell, reason string)

	Counting bool               // cells are counted, not run
	known    map[string]outcome // cells so far; nil for one that has been counted and is not in the store
	made     []Made             // cells of the target at hand
	unmade   []string           // and notes on those that could not be made
	done     int                // cells, those in the store included
	run      int                // cells that were run
	start    time.Time
}

// Start begins to count cells, or to run them.
func (p *Plan) Start(counting bool) {
	p.Counting = counting
	if counting {
		p.known = map[string]outcome{}
	}
}

// Taken are the cells since the last call, and notes on those that could not be made.
func (p *Plan) Taken() (made []Made, unmade []string) {
	made, unmade = p.made, p.unmade
	p.made, p.unmade = nil, nil
	return made, unmade
}

// Progress is how far a plan has come.
type Progress struct {
	Cell        string        // what is run next
	Done, Total int           // cells; Done counts those kept from earlier runs
	Left        time.Duration // at the pace so far; negative before there is one
}

// outcome is what a cell gives, with its time and its maker.
type outcome interface {
	Seconds() float64
	Maker() *Origin
}

// kept is a pointer to an outcome.
type kept[T any] interface {
	*T
	outcome
}

// cell is the outcome of a cell: from an earlier target or the store, or else run and kept. While cells are
// counted it is nil. The key describes what is asked for: equal keys are one
// cell, whatever number of tables show it.
func Get[T any, P kept[T]](ctx context.Context, p *Plan, prefix string, key any, model string, set map[string]float64, label string, run func() (*T, error)) (*T, error) {
	name, err := cellName(prefix, key)
	if err != nil {
		return nil, err
	}
	settings, err := Resolved(model, set)
	if err != nil {
		return nil, err
	}
	value, counted := p.known[name]
	if p.Counting {
		if !counted {
			err = count[T, P](p, name, settings)
		}
		return nil, err
	}
	if value == nil {
		if err := p.observe(ctx, label); err != nil {
			return nil, err
		}
		made, err := keep[T, P](p.Bench, name, settings, run)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", label, err)
		}
		value = P(made)
		p.known[name] = value
		p.done++
		p.run++
		if why := reason(value); why != "" && p.Unmade != nil {
			p.Unmade(label, why)
		}
	}
	p.made = append(p.made, Made{label, *value.Maker(), value.Seconds()})
	if why := reason(value); why != "" {
		p.unmade = append(p.unmade, fmt.Sprintf("Not made: %s: %s.", label, why))
	}
	return (*T)(value.(P)), nil
}

// count looks a cell up in the store.
func count[T any, P kept[T]](p *Plan, name string, settings map[string]string) error {
	found, err := stored[T, P](p.Bench, name, settings)
	if err != nil {
		return err
	}
	p.known[name] = nil
	if found != nil {
		p.known[name] = P(found)
		p.done++
	}
	return nil
}

// observe reports the progress before a cell is run.
func (p *Plan) observe(ctx context.Context, label string) error {
	if p.start.IsZero() {
		p.start = time.Now()
	}
	if p.Observe != nil && ctx.Err() == nil {
		now := Progress{Cell: label, Done: p.done, Total: len(p.known), Left: -1}
		if p.run > 0 {
			now.Left = (time.Since(p.start) / time.Duration(p.run) * time.Duration(len(p.known)-p.done)).Round(time.Second)
		}
		p.Observe(now)
	}
	return ctx.Err()
}
