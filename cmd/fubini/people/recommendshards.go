package people

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/data/format"
)

// manifestOf describes a batch, by the fingerprint of data that were read whole or the checksum of the file.
func (f *recommendFlags) manifestOf(ctx context.Context, b *recommend.Batch, from *people) (m recommend.Manifest, err error) {
	m = recommend.Manifest{
		Program: cli.BuildVersion().Version, Rules: b.Rules, Unknown: f.unknown, Format: b.Form.Extension,
		DataFormat: f.Format, Duplicates: f.Duplicates, Incomplete: f.Incomplete, Whole: from.set != nil, Shards: f.shards,
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
		if *to[k], err = cli.Checksum(ctx, path); err != nil {
			return m, err
		}
	}
	return m, nil
}

// recommendShards writes a folder of parts, or goes on with one.
func recommendShards(ctx context.Context, p *cli.Program, f *recommendFlags, b *recommend.Batch, from *people) error {
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
			return partFile(p, name).Deliver(func(w *bufio.Writer) error { return write(w) })
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
	if from.total == 0 {
		all, err := f.stream(ctx, p)
		if err != nil {
			return err
		}
		defer all.close()
		if from.total, err = skip(ctx, all.next); err != nil {
			return err
		}
	}
	if err := writeParts(ctx, p, f, b, from); err != nil {
		return err
	}
	from.tell()
	tellMet(p, b)
	if err := folder.Clean(recommend.IsTemporary); err != nil {
		return p.Results().Failed(err)
	}
	return folder.WriteJSON(recommend.CompleteName, map[string]int{"parts": f.shards})
}

func partFile(p *cli.Program, name string) cli.Destination {
	return cli.Destination{Flag: "--output", Path: filepath.Join(p.Output, name)}
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
func writeParts(ctx context.Context, p *cli.Program, f *recommendFlags, b *recommend.Batch, from *people) error {
	at, end := followUsers(p, from.total)
	defer end()
	first := func(part int) int { return from.total * part / f.shards } // user of a part
	for part := range f.shards {
		left := first(part+1) - first(part)
		next := func(user *format.User) error {
			if left == 0 {
				return io.EOF
			}
			left--
			return from.next(user)
		}
		file := partFile(p, fmt.Sprintf("part-%05d.%s", part, b.Form.Extension))
		if _, err := os.Stat(file.Path); err == nil {
			p.Tell("%s is there already", file.Path)
			if _, err := skip(ctx, next); err != nil {
				return err
			}
			continue
		}
		before := b.Users
		err := file.Deliver(func(w *bufio.Writer) error {
			return b.Write(ctx, cli.Cores(p.Jobs), next, w, func() { at(first(part) + b.Users - before) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}
