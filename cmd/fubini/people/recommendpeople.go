package people

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"fubini/app/exit"
	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/cmd/fubini/terminal"
	"fubini/data/codec"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/data/text"
	"fubini/learn/modelstore"
)

// people are the users of some data, one after another.
type people struct {
	next  func(*format.User) error // io.EOF after the last
	total int                      // number of users, where it is known
	rated bool                     // by ratings, not by tiers
	picks bool                     // without ratings and tiers
	set   *ratings.Set             // of data that were read whole
	close func()
	tell  func() // reports what was read
}

// open opens the data of a batch, to be read user by user, or whole where that is not possible.
func (f *recommendFlags) open(ctx context.Context, p *cli.Program) (*people, error) {
	if !f.whole {
		one, err := f.stream(ctx, p)
		if !errors.Is(err, format.ErrWhole) {
			return one, err
		}
		if f.users == "-" {
			return nil, fmt.Errorf("%w: put it into a file first, or give --whole", err)
		}
		p.Tell("%v: memory grows with the data, and users come by id", err)
	}
	set, report, err := input.Read(ctx, p, f.users, *f.DataFlags)
	if err != nil {
		return nil, err
	}
	return &people{next: setReader(set), total: set.Users().Len(), rated: recommend.AreRatings(report), picks: report.Format == codec.Picks.Name, set: set, close: func() {}, tell: func() {}}, nil
}

func (f *recommendFlags) stream(ctx context.Context, p *cli.Program) (*people, error) {
	var r *format.UserReader
	files, name, err := input.Locate(f.users)
	switch {
	case f.users == "-":
		r, err = format.NewUserReader(awaited(ctx, p.Stdin), "standard input", format.Options{Format: f.Format, Columns: f.Columns})
	case err == nil:
		r, err = format.OpenUsers(files, name, format.Options{Format: f.Format, Columns: f.Columns, Name: f.users})
	}
	if err != nil {
		return nil, err
	}
	next := func(user *format.User) error {
		err := r.Next(user)
		if errors.Is(err, format.ErrUserTwice) {
			err = fmt.Errorf("%w (--whole)", err)
		}
		return err
	}
	return &people{next: next, rated: recommend.AreRatings(r.Report()), picks: r.Report().Format == codec.Picks.Name, close: r.Close, tell: func() {
		report := r.Report()
		line := fmt.Sprintf("%s: %s, %s read", f.users, report.Format, text.Count(report.Lines, "record", "records"))
		if report.Latin1 > 0 {
			line += ", " + input.NotUTF8(report.Latin1)
		}
		if report.BadTimes > 0 && f.Aim == modelstore.AimNext.String() { // they count for nothing else
			line += ", " + input.BadTimes(report)
		}
		p.Tell("%s", line)
	}}, nil
}

func setReader(set *ratings.Set) func(*format.User) error {
	u := 0
	return func(user *format.User) error {
		if u == set.Users().Len() {
			return io.EOF
		}
		row := set.Row(u)
		user.ID, user.Lines, user.Items = set.Users().ID(uint32(u)), nil, user.Items[:0]
		for _, i := range row.Items {
			user.Items = append(user.Items, []byte(set.Items().ID(i)))
		}
		user.Values, user.Times = append(user.Values[:0], row.Values...), append(user.Times[:0], row.Times...)
		u++
		return nil
	}
}

// awaited is a reader that ends with its context, though the one below may wait for a person to type.
func awaited(ctx context.Context, from io.Reader) io.Reader {
	buffer := make([]byte, 1<<16)
	return cli.ReaderFunc(func(to []byte) (int, error) {
		n, err := cli.Await(ctx, func() (int, error) { return from.Read(buffer[:min(len(to), len(buffer))]) })
		return copy(to, buffer[:n]), err
	})
}

// followUsers shows the number of users done, with the time left where the total is known.
func followUsers(p *cli.Program, total int) (at func(done int), end func()) {
	if total > 0 {
		bar := p.Follow("users", total)
		return bar.At, bar.Clear
	}
	const often = 10 * time.Second
	start := time.Now()
	next := start.Add(often)
	return func(done int) {
		if now := time.Now(); now.After(next) {
			p.Tell("%s, %.0f/s", text.Count(done, "user", "users"), float64(done)/now.Sub(start).Seconds())
			next = now.Add(often)
		}
	}, func() {}
}

func recommendAll(ctx context.Context, p *cli.Program, f *recommendFlags, r *recommend.Recommender, items *input.Items) error {
	if p.Format == "parquet" && p.Output == "-" && terminal.IsTerminal(p.Stdout) {
		return exit.Usagef("--format parquet is not for a terminal; give -o/--output")
	}
	if r.Catalogue == nil && r.Saved.Interest == nil {
		r.Odds = false
		p.Tell("a model %s has scores alone: no tier and no odds", r.Saved.Name)
	}
	b, err := newBatch(r, f, formOf(p, p.Format, r))
	if err != nil {
		return err
	}
	from, err := f.open(ctx, p)
	if err != nil {
		return err
	}
	defer from.close()
	b.Rated = from.rated
	if from.picks && b.Duplicates == ratings.Refuse {
		b.Duplicates = ratings.KeepLast // an item that was picked again is no contradiction
	}
	next, report := items.Users(from.next)
	from.next = next
	if f.shards > 0 {
		return errors.Join(recommendShards(ctx, p, f, b, from), report())
	}
	at, end := followUsers(p, from.total)
	err = p.Deliver(func(w *bufio.Writer) error {
		return b.Write(ctx, cli.Cores(p.Jobs), from.next, w, func() { at(b.Users) })
	})
	end()
	if err != nil {
		return err
	}
	from.tell()
	err = report()
	tellMet(p, b)
	return err
}

func newBatch(r *recommend.Recommender, f *recommendFlags, form recommend.Form) (*recommend.Batch, error) {
	duplicates, err := ratings.ParseDuplicates(f.Duplicates)
	if err != nil {
		return nil, exit.Usage(err)
	}
	b := &recommend.Batch{Recommender: r, Form: form, Name: f.users, Refuse: f.unknown == "error", Duplicates: duplicates}
	if os.Getenv("FUBINI_TRACE") == "" {
		b.Fault = cli.FaultError
	}
	return b, nil
}

func tellMet(p *cli.Program, b *recommend.Batch) {
	if b.Missing > 0 {
		p.Tell("ignored, because not in the model: %s of %s, such as %s", text.Count(b.Missing, "placed item", "placed items"), text.Count(b.Affected, "user", "users"), strings.Join(b.Examples, ", "))
	}
	if b.Strangers > 0 {
		p.Tell("the general order for %s without tiers that the model knows", text.Count(b.Strangers, "user", "users"))
	}
	p.Tell("%s, %s", text.Count(b.Users, "user", "users"), text.Count(b.Rows, "recommendation", "recommendations"))
}
