package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
)

// manifestOf describes a batch. Data that were read whole have a fingerprint of their own, others the checksum of the
// file.
func (f *recommendFlags) manifestOf(ctx context.Context, b *recommend.Batch, from *people) (m recommend.Manifest, err error) {
	m = recommend.Manifest{
		Program: cli.BuildVersion().Version, Rules: b.Rules, Unknown: f.unknown, Format: b.Form.Extension,
		DataFormat: f.Format, Duplicates: f.Duplicates, Incomplete: f.Incomplete, Whole: from.set != nil, Shards: f.shards, ShardSize: f.shardSize,
	}
	file, err := b.Saved.File()
	if err != nil {
		return m, err
	}
	m.Model = file.Checksum()
	data := f.users
	if from.set != nil {
		m.Data, data = from.set.Fingerprint(), ""
	}
	to := []*string{&m.Data, &m.Exclude, &m.Only}
	for k, path := range []string{data, f.exclude, f.only} {
		if path == "" {
			continue
		}
		if *to[k], err = input.Checksum(ctx, path); err != nil {
			return m, err
		}
	}
	return m, nil
}

// recommendShards writes a folder of parts, or goes on with one.
func (p *program) recommendShards(ctx context.Context, f *recommendFlags, b *recommend.Batch) error {
	from, err := f.open(ctx, p)
	if err != nil {
		return err
	}
	defer from.close()
	b.Rated = from.rated
	m, err := f.manifestOf(ctx, b, from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.Output, 0o777); err != nil {
		return p.Results().Failed(err)
	}
	folder := recommend.Folder{
		FS: os.DirFS(p.Output), Name: "--output: " + p.Output,
		Write: func(name string, write func(w io.Writer) error) error {
			return p.part(name).Deliver(func(w *bufio.Writer) error { return write(w) })
		},
		Remove: func(name string) error { return os.Remove(filepath.Join(p.Output, name)) },
	}
	mark, err := folder.Enter(m)
	if err != nil {
		return err
	}
	if mark != nil {
		p.Tell("%s is complete already", p.Output)
		return nil
	}
	if f.shards > 0 && from.total == 0 {
		if from.total, err = f.countUsers(ctx, p); err != nil {
			return err
		}
	}
	parts, err := p.writeParts(ctx, f, b, from)
	if err != nil {
		return err
	}
	from.tell()
	p.tellMet(b)
	if err := folder.Clean(recommend.IsTemporary); err != nil {
		return p.Results().Failed(err)
	}
	return folder.WriteJSON(recommend.CompleteName, map[string]int{"parts": parts})
}

// part is a file in the folder of --output.
func (p *program) part(name string) cli.Destination {
	return cli.Destination{Flag: "--output", Path: filepath.Join(p.Output, name)}
}

// countUsers reads the data once, for the number of users to divide.
func (f *recommendFlags) countUsers(ctx context.Context, p *program) (int, error) {
	from, err := f.stream(ctx, p)
	if err != nil {
		return 0, err
	}
	defer from.close()
	return skip(ctx, from.next)
}

// skip reads users up to the end, and counts them.
func skip(ctx context.Context, next func(*format.User) error) (n int, err error) {
	var user format.User
	for ; ctx.Err() == nil; n++ {
		if err := next(&user); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
	return n, ctx.Err()
}

// writeParts writes the parts that are missing, each whole or not at all.
func (p *program) writeParts(ctx context.Context, f *recommendFlags, b *recommend.Batch, from *people) (parts int, err error) {
	at, end := p.followUsers(from.total)
	defer end()
	var ahead format.User // the first user of the next part, where the number of parts is not known
	has, ended := false, false
	read := func(user *format.User) error {
		if has {
			has = false
			*user, ahead = ahead, *user // each keeps memory of its own
			return nil
		}
		if ended {
			return io.EOF
		}
		err := from.next(user)
		ended = err != nil
		return err
	}
	seen := 0 // users in parts so far
	for part := 0; ; part++ {
		left := f.shardSize
		if f.shards > 0 {
			if part == f.shards {
				return part, nil
			}
			left = from.total*(part+1)/f.shards - from.total*part/f.shards
		} else if err := read(&ahead); err == io.EOF {
			return part, nil
		} else if err != nil {
			return part, err
		} else {
			has = true
		}
		next := func(user *format.User) error {
			if left == 0 {
				return io.EOF
			}
			left--
			return read(user)
		}
		file := p.part(fmt.Sprintf("part-%05d.%s", part, b.Form.Extension))
		if _, err := os.Stat(file.Path); err == nil {
			p.Tell("%s is there already", file.Path)
			n, err := skip(ctx, next)
			if err != nil {
				return part, err
			}
			seen += n
			continue
		}
		before := b.Users
		err = file.Deliver(func(w *bufio.Writer) error {
			return b.Write(ctx, cli.Cores(p.Jobs), next, w, func() { at(seen + b.Users - before) })
		})
		if err != nil {
			return part, err
		}
		seen += b.Users - before
	}
}
