package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/learn/zoo"
)

// batch answers for many people: one goroutine reads them in blocks, some answer,
// and the caller writes the blocks in the order of the data. As every answer is the
// same whoever stands beside it, so are the bytes, for any number of goroutines.
type batch struct {
	*recommender
	form       form
	name       string // of the data
	unknown    string // policy
	rated      bool   // the data are ratings, not tiers
	duplicates ratings.Duplicates
	desks      []*desk // one for each goroutine

	// What was met on the way.
	users, rows       int
	strangers         int      // users of whom the model knows no item
	missing, affected int      // placed items that it does not know, and whose
	examples          []string // a few of them
}

// blockUsers is how many people are answered at a time: enough to make products of
// whole blocks, and few enough that blocks in flight take no memory to speak of.
const blockUsers = 64

// block is some people and their answers.
type block struct {
	users   []format.User // of which the first n count
	n       int
	ready   chan error // from the one who answers
	out     answered
	strange int
	missing int
	touched int
	unknown []string
}

// newBatch prepares as many desks as there are cores to use.
func newBatch(r *recommender, f *recommendFlags, form form, jobs int) (*batch, error) {
	duplicates, err := ratings.ParseDuplicates(f.duplicates)
	if err != nil {
		return nil, usageError{err}
	}
	b := &batch{recommender: r, form: form, name: f.users, unknown: f.unknown, duplicates: duplicates}
	for range cores(jobs) {
		b.desks = append(b.desks, r.desk())
	}
	return b, nil
}

// run answers for everybody that next gives, up to io.EOF, and hands the answers to
// put, in order.
func (b *batch) run(ctx context.Context, next func(*format.User) error, put func(*answered) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	count := 2*len(b.desks) + 1
	free, work, order := make(chan *block, count), make(chan *block, count), make(chan *block, count)
	for range count {
		free <- &block{users: make([]format.User, blockUsers), ready: make(chan error, 1)}
	}
	var all sync.WaitGroup
	defer all.Wait()
	for _, d := range b.desks {
		all.Go(func() {
			for each := range work {
				each.ready <- b.answer(d, each)
			}
		})
	}
	var failed error // of reading; seen once order is closed
	all.Go(func() {
		defer close(order)
		defer close(work)
		failed = readBlocks(ctx, next, free, func(each *block) {
			order <- each
			work <- each
		})
	})
	for each := range order {
		err := <-each.ready
		if err == nil {
			b.count(each)
			err = put(&each.out)
		}
		if err != nil {
			cancel()
			for range order { // so that the reader can leave
			}
			return err
		}
		free <- each
	}
	return failed
}

// readBlocks fills free blocks and sends them off, up to the end or an error.
func readBlocks(ctx context.Context, next func(*format.User) error, free <-chan *block, send func(*block)) error {
	for ctx.Err() == nil {
		var each *block
		select {
		case <-ctx.Done():
			return ctx.Err()
		case each = <-free:
		}
		each.n = 0
		var err error
		for each.n < blockUsers && err == nil {
			if err = next(&each.users[each.n]); err == nil {
				each.n++
			}
		}
		if each.n > 0 {
			send(each)
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// count adds what a block met, in the order of the data.
func (b *batch) count(each *block) {
	b.users += each.n
	b.rows += each.out.rows
	b.strangers += each.strange
	b.missing += each.missing
	b.affected += each.touched
	for _, id := range each.unknown {
		if len(b.examples) < 3 && !slices.Contains(b.examples, id) {
			b.examples = append(b.examples, id)
		}
	}
}

// answer fills a block's answers. A panic becomes an error: it is not in the
// goroutine that the program watches.
func (b *batch) answer(d *desk, each *block) (err error) {
	defer func() {
		if fault := recover(); fault != nil && os.Getenv("FUBINI_TRACE") == "" {
			err = faultError(fault)
		} else if fault != nil {
			panic(fault)
		}
	}()
	each.strange, each.missing, each.touched, each.unknown = 0, 0, 0, each.unknown[:0]
	people := make([]told, each.n)
	for k := range people {
		if people[k], err = b.list(&each.users[k], each); err != nil {
			return err
		}
	}
	answers, err := d.answer(people)
	if err != nil {
		return err
	}
	each.out.reset()
	for k, rows := range answers {
		each.out.rows += len(rows)
		if err := b.form.encode(&each.out, b.recommender, each.users[k].ID, rows); err != nil {
			return err
		}
	}
	return nil
}

// placed is a rating of a known item.
type placed struct {
	item, line int
	value      float64
}

// list is the tier list of a user over the model's items.
func (b *batch) list(user *format.User, each *block) (told, error) {
	known := make([]placed, 0, len(user.Items))
	missing := 0
	for k, id := range user.Items {
		i, there := b.saved.Find(string(id))
		line := 0
		if user.Lines != nil {
			line = user.Lines[k]
		}
		if !there {
			if b.unknown == "error" {
				return told{}, fmt.Errorf("%s: user %s: the model has no item %s", b.where(line), quote(user.ID), quote(string(id)))
			}
			if missing++; len(each.unknown) < 3 {
				each.unknown = append(each.unknown, string(id))
			}
			continue
		}
		known = append(known, placed{i, line, float64(user.Values[k])})
	}
	if missing > 0 {
		each.missing += missing
		each.touched++
	}
	known, err := b.settle(user, known)
	if err != nil {
		return told{}, err
	}
	if len(known) == 0 {
		each.strange++
		return told{}, nil
	}
	return listOf(known, b.rated)
}

// where is a line of the data, where it is known.
func (b *batch) where(line int) string {
	if line == 0 {
		return b.name
	}
	return fmt.Sprintf("%s:%d", b.name, line)
}

// settle sorts a user's ratings by the ids of items, as reading them whole does, so
// that sums come out the same, and does to a second rating of one what the policy says.
func (b *batch) settle(user *format.User, known []placed) ([]placed, error) {
	slices.SortStableFunc(known, func(a, c placed) int { return cmp.Compare(b.place[a.item], b.place[c.item]) })
	kept := known[:0]
	for from := 0; from < len(known); {
		to := from + 1
		sum := known[from].value
		for ; to < len(known) && known[to].item == known[from].item; to++ {
			sum += known[to].value
		}
		one := known[from]
		if to > from+1 {
			switch b.duplicates {
			case ratings.Refuse:
				return nil, fmt.Errorf("%s: user %s: item %s is %w, here and in line %d; choose which to keep: first, last or mean (--duplicates)",
					b.where(known[from+1].line), quote(user.ID), quote(b.saved.ItemIDs[one.item]), ratings.ErrDuplicate, one.line)
			case ratings.KeepLast:
				one = known[to-1]
			case ratings.KeepMean:
				one.value = sum / float64(to-from)
			}
		}
		kept = append(kept, one)
		from = to
	}
	return kept, nil
}

// listOf makes the tier list of ratings.
func listOf(known []placed, rated bool) (told, error) {
	row := ratings.Row{Values: make([]float32, len(known))}
	row.Items = make([]uint32, len(known))
	for k, each := range known {
		row.Items[k], row.Values[k] = uint32(each.item), float32(each.value)
	}
	list, err := zoo.TierList(row)
	if err != nil || !rated {
		return told{List: list}, err
	}
	return toldBy(list, row.Values), nil
}

// tellMet says what was met on the way.
func (b *batch) tellMet(p *program) {
	if b.missing > 0 {
		p.tell("%d placed items, of %d users, are not in the model and were ignored, such as %s", b.missing, b.affected, strings.Join(b.examples, ", "))
	}
	if b.strangers > 0 {
		p.tell("%d users have no tiers that the model knows: they get the general order", b.strangers)
	}
	p.tell("%d users, %d recommendations", b.users, b.rows)
}
