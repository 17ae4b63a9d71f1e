package paper

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fubini/data/ratings"
	"fubini/paper/cells"
)

// Reproduction computes the paper's tables and figures on some data.
type Reproduction struct {
	Data    cells.Data
	Netflix cells.Data // of Table 3 and Figure 4b; without a set, Data stands in under its own name
	Size    Size
	Seed    uint64 // the first

	plan   *cells.Plan
	last   string // the split in hand; cells are laid out so that each is made once
	inHand ratings.Split
	prints map[*ratings.Set]string
	counts map[*ratings.Set][]int // ratings of each user of a filtered set, most first
}

// target is a table or figure. While the plan counts, its result is empty.
type target struct {
	name string
	run  func(r *Reproduction, ctx context.Context) (*Result, error)
}

var targets = []target{
	{"table1", (*Reproduction).table1},
	{"table2", (*Reproduction).table2},
	{"table3", (*Reproduction).table3},
	{"fig3a", (*Reproduction).fig3a},
	{"fig3b", (*Reproduction).fig3b},
	{"fig3c", (*Reproduction).fig3c},
	{"fig4a", (*Reproduction).fig4a},
	{"fig4b", (*Reproduction).fig4b},
}

// Targets are the names of the tables and figures, in the order of the paper.
func Targets() []string {
	names := make([]string, len(targets))
	for k, t := range targets {
		names[k] = t.name
	}
	return names
}

// Run computes the named tables and figures and delivers each as soon as it is complete. All cells are counted first,
// so that data too small for one of them are refused before anything is run.
func (r *Reproduction) Run(ctx context.Context, plan *cells.Plan, names []string, deliver func(*Result) error) error {
	r.plan, r.last = plan, ""
	r.prints, r.counts = map[*ratings.Set]string{}, map[*ratings.Set][]int{}
	for _, counting := range []bool{true, false} {
		plan.Start(counting)
		for _, name := range names {
			at := slices.IndexFunc(targets, func(t target) bool { return t.name == name })
			if at < 0 {
				return fmt.Errorf("paper: there is no target %q; there are %s", name, strings.Join(Targets(), ", "))
			}
			result, err := targets[at].run(r, ctx)
			if err != nil {
				return err
			}
			if counting {
				continue
			}
			if err := deliver(r.complete(name, result)); err != nil {
				return err
			}
		}
	}
	return nil
}

// complete adds to a result what all have.
func (r *Reproduction) complete(name string, result *Result) *Result {
	made, unmade := r.plan.Taken()
	result.Target, result.Program, result.Settings, result.Cells = name, r.plan.Runner.Program, r.Size, made
	for _, c := range result.Charts {
		for _, file := range c.Files() {
			result.Pictures = append(result.Pictures, file.Name)
		}
	}
	for _, c := range result.Cells {
		result.WallTime += c.Time
	}
	result.Notes = append(result.Notes, unmade...)
	return result
}

// split divides data. It keeps one split at a time: with a hundred million ratings
// there is no room for all.
func (r *Reproduction) split(d cells.Data, given int, seed uint64) (ratings.Split, error) {
	key := fmt.Sprint(r.digest(d), given, seed)
	if r.last == key {
		return r.inHand, nil
	}
	split, err := d.Split(given, seed)
	if err == nil {
		r.last, r.inHand = key, split
	}
	return split, err
}

// digest is the fingerprint of data, computed once.
func (r *Reproduction) digest(d cells.Data) string {
	if r.prints[d.Set] == "" {
		r.prints[d.Set] = d.Set.Fingerprint()
	}
	return r.prints[d.Set]
}

// fitKey describes a model fitted to a split.
func (r *Reproduction) fitKey(d cells.Data, given int, seed uint64, model string, set map[string]float64) cells.FitKey {
	return cells.FitKey{Data: d.Name, Digest: r.digest(d), Filter: d.Filter, Given: given, Seed: seed, Model: model, Set: set}
}

// result is one on some data, to which [Reproduction.complete] adds the rest.
func (r *Reproduction) result(d cells.Data, seeds []uint64, title string, notes ...string) *Result {
	facts := DataFacts{d.Name, r.digest(d), d.Set.Users().Len(), d.Set.Items().Len(), d.Set.Len()}
	return &Result{Title: title, Data: []DataFacts{facts}, Seeds: seeds, Notes: notes}
}

// seeds are those of n splits.
func (r *Reproduction) seeds(n int) []uint64 {
	list := make([]uint64, n)
	for k := range list {
		list[k] = r.Seed + uint64(k)
	}
	return list
}

// netflix is the second data set; where there is none, the first, with a note that ends in some words more.
func (r *Reproduction) netflix(more string) (d cells.Data, notes []string) {
	if r.Netflix.Set != nil {
		return r.Netflix, nil
	}
	return r.Data, []string{fmt.Sprintf("No Netflix data were given (--netflix): this is %s%s.", r.Data.Name, more)}
}
