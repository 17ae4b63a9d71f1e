package cells

import (
	"context"
	"fmt"
	"time"
)

// Plan runs the cells of several targets, and each cell once. The targets are gone through twice: first their
// cells are counted, so that the remaining time can be estimated, then they are run.
type Plan struct {
	Runner *Runner
	// Observe, if not nil, is called before a cell is run.
	Observe func(p Progress)
	// Unmade, if not nil, is called with a cell that could not be made, and the reason.
	Unmade func(cell, reason string)

	counting bool
	known    map[string]outcome // cells so far; nil for one that has been counted and is not in the store
	made     []Made             // cells of the target at hand
	unmade   []string           // and notes on those that could not be made
	done     int                // cells, those in the store included
	run      int                // cells that were run
	start    time.Time
}

// Start begins a pass over the cells: with counting, one that counts those to be run; otherwise the one that runs them.
func (p *Plan) Start(counting bool) {
	p.counting = counting
	if counting {
		p.known = map[string]outcome{}
	}
}

// Taken returns the cells since the last call, and notes on those that could not be made.
func (p *Plan) Taken() (made []Made, unmade []string) {
	made, unmade = p.made, p.unmade
	p.made, p.unmade = nil, nil
	return made, unmade
}

// Progress is the state of a plan.
type Progress struct {
	Cell        string        // the next to run
	Done, Total int           // cells; Done counts those kept from earlier runs
	Left        time.Duration // estimated time to the end; negative before the first cell
}

// outcome is a pointer to a struct that embeds an [Origin].
type outcome interface {
	maker() *Origin
	seconds() float64
}

// kept is a pointer to an outcome.
type kept[T any] interface {
	*T
	outcome
}

// Get returns the outcome of a cell: from an earlier target or the store, or else run and kept. Equal keys are one
// cell, in any number of tables. While cells are counted the outcome is empty.
func Get[T any, P kept[T]](ctx context.Context, p *Plan, prefix string, key Key, label string, run func() (*T, error)) (*T, error) {
	name, origin, err := describe(prefix, key)
	if err != nil {
		return nil, err
	}
	value, counted := p.known[name]
	if p.counting {
		if !counted {
			found, err := stored[T, P](p.Runner, name, origin)
			if err != nil {
				return nil, err
			}
			p.known[name] = nil
			if found != nil {
				p.known[name] = P(found)
				p.done++
			}
		}
		return new(T), nil
	}
	if value == nil {
		if err := p.observe(ctx, label); err != nil {
			return nil, err
		}
		made, err := keep[T, P](p.Runner, name, origin, run)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", label, err)
		}
		value = P(made)
		p.known[name] = value
		p.done++
		p.run++
		if why := value.maker().Error; why != "" && p.Unmade != nil {
			p.Unmade(label, why)
		}
	}
	p.made = append(p.made, Made{label, *value.maker(), value.seconds()})
	if why := value.maker().Error; why != "" {
		p.unmade = append(p.unmade, fmt.Sprintf("Not made: %s: %s.", label, why))
	}
	return (*T)(value.(P)), nil
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
