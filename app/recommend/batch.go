package recommend

import (
	"context"
	"io"
	"slices"
	"sync"

	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/model"
)

// Batch answers for many people: one goroutine reads them in blocks, others answer, and the caller writes the blocks in
// the order of the data. No answer depends on the people beside it, so the bytes are the same for any number of
// goroutines.
type Batch struct {
	*Recommender
	Form       Form
	Name       string // of the data
	Refuse     bool   // items that the model does not know are an error
	Rated      bool   // the data are ratings, not tiers
	Duplicates ratings.Duplicates
	Fault      func(fault any) error // converts a panic into an error; nil lets it through

	Counts
}

// Counts are totals over the people and items of a batch.
type Counts struct {
	Users     int      `json:"people"`
	Rows      int      `json:"rows"`
	Placed    int      `json:"placed"`            // items that users placed
	Missing   int      `json:"unknown"`           // placed items that the model does not know
	Strangers int      `json:"strangers"`         // users of whom the model knows no item
	Guessed   int      `json:"guessed,omitempty"` // titles that are close to that of an item and were taken for it, where parts are counted
	Affected  int      `json:"-"`                 // users who placed an item that the model does not know
	Examples  []string `json:"-"`                 // some of these items
}

// Add adds other counts. The first examples are kept.
func (c *Counts) Add(other Counts) {
	c.Users += other.Users
	c.Rows += other.Rows
	c.Placed += other.Placed
	c.Missing += other.Missing
	c.Strangers += other.Strangers
	c.Guessed += other.Guessed
	c.Affected += other.Affected
	for _, id := range other.Examples {
		if len(c.Examples) < mostExamples && !slices.Contains(c.Examples, id) {
			c.Examples = append(c.Examples, id)
		}
	}
}

const mostExamples = 3

// blockUsers is the number of people who are answered at a time: enough for products of whole blocks, and few enough
// that blocks in flight take little memory.
const blockUsers = 64

// block is some people and their answers.
type block struct {
	users []format.User // of which the first n count
	n     int
	ready chan error // from the goroutine that answers
	out   Answered
	met   Counts
}

// Write answers for all users that next returns, up to io.EOF, in n goroutines, and writes a file in the batch's form.
// Progress is called after every block.
func (b *Batch) Write(ctx context.Context, n int, next func(*format.User) error, w io.Writer, progress func()) error {
	sink := b.Form.Open(w)
	err := b.Run(ctx, n, next, func(a *Answered) error {
		progress()
		return sink.Put(a)
	})
	if err != nil {
		return err
	}
	return sink.Close()
}

// Run answers for all users that next returns, up to io.EOF, in n goroutines, and hands the answers to put, in order.
func (b *Batch) Run(ctx context.Context, n int, next func(*format.User) error, put func(*Answered) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	count := 2*n + 1
	free, work, order := make(chan *block, count), make(chan *block, count), make(chan *block, count)
	for range count {
		free <- &block{users: make([]format.User, blockUsers), ready: make(chan error, 1)}
	}
	var all sync.WaitGroup
	defer all.Wait()
	for range n {
		all.Go(func() {
			var scratch Scratch
			for each := range work {
				each.ready <- b.answer(ctx, each, &scratch)
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
			b.Add(each.met)
			err = put(&each.out)
		}
		if err != nil {
			cancel()
			for range order { // so that the reader ends
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

// answer fills a block's answers. A panic becomes an error, because the program's own recovery watches another
// goroutine.
func (b *Batch) answer(ctx context.Context, each *block, s *Scratch) (err error) {
	defer func() {
		if b.Fault == nil {
			return
		}
		if fault := recover(); fault != nil {
			err = b.Fault(fault)
		}
	}()
	each.met = Counts{}
	people := make([]model.Person, each.n)
	for k := range people {
		if people[k], err = b.person(&each.users[k], &each.met); err != nil {
			return err
		}
	}
	answers, err := b.Answer(ctx, people, s)
	if err != nil {
		return err
	}
	each.out.reset()
	for k, rows := range answers {
		each.met.Rows += len(rows)
		if err := b.Form.Encode(&each.out, b.Recommender, each.users[k].ID, rows); err != nil {
			return err
		}
	}
	return nil
}
