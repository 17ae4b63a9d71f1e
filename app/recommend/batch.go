package recommend

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/learn/zoo"
)

// Batch answers for many people: one goroutine reads them in blocks, some answer,
// and the caller writes the blocks in the order of the data. As every answer is the
// same whoever stands beside it, so are the bytes, for any number of goroutines.
type Batch struct {
	*Recommender
	Form       Form
	Name       string // of the data
	Refuse     bool   // placed items that the model does not know are an error
	Rated      bool   // the data are ratings, not tiers
	Duplicates ratings.Duplicates
	Fault      func(fault any) error // makes an error of a panic; nil lets it through

	// What was met on the way.
	Users, Rows       int
	Strangers         int      // users of whom the model knows no item
	Placed            int      // items that were placed
	Missing, Affected int      // placed items that it does not know, and whose
	Examples          []string // a few of them
}

// BlockUsers is how many people are answered at a time: enough to make products of
// whole blocks, and few enough that blocks in flight take no memory to speak of.
const BlockUsers = 64

// block is some people and their answers.
type block struct {
	users   []format.User // of which the first n count
	n       int
	ready   chan error // from the one who answers
	out     Answered
	strange int
	placed  int
	missing int
	touched int
	unknown []string
}

// Run answers for everybody that next gives, up to io.EOF, in so many goroutines, and
// hands the answers to put, in order.
func (b *Batch) Run(ctx context.Context, jobs int, next func(*format.User) error, put func(*Answered) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	count := 2*jobs + 1
	free, work, order := make(chan *block, count), make(chan *block, count), make(chan *block, count)
	for range count {
		free <- &block{users: make([]format.User, BlockUsers), ready: make(chan error, 1)}
	}
	var all sync.WaitGroup
	defer all.Wait()
	for range jobs {
		all.Go(func() {
			d := b.Desk()
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
		for each.n < BlockUsers && err == nil {
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
func (b *Batch) count(each *block) {
	b.Users += each.n
	b.Rows += each.out.Rows
	b.Strangers += each.strange
	b.Placed += each.placed
	b.Missing += each.missing
	b.Affected += each.touched
	for _, id := range each.unknown {
		if len(b.Examples) < 3 && !slices.Contains(b.Examples, id) {
			b.Examples = append(b.Examples, id)
		}
	}
}

// answer fills a block's answers. A panic becomes an error: it is not in the
// goroutine that the program watches.
func (b *Batch) answer(d *Desk, each *block) (err error) {
	defer func() {
		if b.Fault == nil {
			return
		}
		if fault := recover(); fault != nil {
			err = b.Fault(fault)
		}
	}()
	each.strange, each.placed, each.missing, each.touched, each.unknown = 0, 0, 0, 0, each.unknown[:0]
	people := make([]Told, each.n)
	for k := range people {
		if people[k], err = b.list(&each.users[k], each); err != nil {
			return err
		}
	}
	answers, err := d.Answer(people)
	if err != nil {
		return err
	}
	each.out.reset()
	for k, rows := range answers {
		each.out.Rows += len(rows)
		if err := b.Form.Encode(&each.out, b.Recommender, each.users[k].ID, rows); err != nil {
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
func (b *Batch) list(user *format.User, each *block) (Told, error) {
	known := make([]placed, 0, len(user.Items))
	missing := 0
	each.placed += len(user.Items)
	for k, id := range user.Items {
		i, there := b.Saved.Find(string(id))
		line := 0
		if user.Lines != nil {
			line = user.Lines[k]
		}
		if !there {
			if b.Refuse {
				return Told{}, fmt.Errorf("%s: user %.40q: the model has no item %.40q", b.where(line), user.ID, id)
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
		return Told{}, err
	}
	if len(known) == 0 {
		each.strange++
		return Told{}, nil
	}
	return listOf(known, b.Rated)
}

// where is a line of the data, where it is known.
func (b *Batch) where(line int) string {
	if line == 0 {
		return b.Name
	}
	return fmt.Sprintf("%s:%d", b.Name, line)
}

// settle sorts a user's ratings by the ids of items, as reading them whole does, so
// that sums come out the same, and does to a second rating of one what the policy says.
func (b *Batch) settle(user *format.User, known []placed) ([]placed, error) {
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
			switch b.Duplicates {
			case ratings.Refuse:
				return nil, fmt.Errorf("%s: user %.40q: item %.40q is %w, here and in line %d; choose which to keep: first, last or mean (--duplicates)",
					b.where(known[from+1].line), user.ID, b.Saved.ItemIDs[one.item], ratings.ErrDuplicate, one.line)
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
func listOf(known []placed, rated bool) (Told, error) {
	row := ratings.Row{Values: make([]float32, len(known))}
	row.Items = make([]uint32, len(known))
	for k, each := range known {
		row.Items[k], row.Values[k] = uint32(each.item), float32(each.value)
	}
	list, err := zoo.TierList(row)
	if err != nil || !rated {
		return Told{List: list}, err
	}
	return ToldBy(list, row.Values), nil
}
