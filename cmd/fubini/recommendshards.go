package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fubini/app/recommend"
	"fubini/cmd/fubini/cli"
	"fubini/data/format"
)

// The files of a batch in parts, beside part-00000 and so on: what it is of, written
// first, and the mark that it is complete, written last.
const (
	manifestName = "manifest.json"
	completeName = "_SUCCESS"
)

// manifest says what a folder of parts is of. A run goes on in it only if all of it
// is the same.
type manifest struct {
	Program    string  `json:"program"`
	Model      string  `json:"model"` // checksums
	Data       string  `json:"data"`
	Exclude    string  `json:"exclude,omitempty"`
	Only       string  `json:"only,omitempty"`
	Count      int     `json:"count"`
	Support    int     `json:"min_support"`
	Novelty    float64 `json:"novelty"`
	Unknown    string  `json:"unknown"`
	Odds       bool    `json:"odds"`
	Format     string  `json:"format"`
	DataFormat string  `json:"data_format,omitempty"`
	Duplicates string  `json:"duplicates"`
	Incomplete string  `json:"incomplete"`
	Whole      bool    `json:"whole"`
	Shards     int     `json:"shards,omitempty"`
	ShardSize  int     `json:"shard_size,omitempty"`
}

// manifestOf describes a batch. Data that were read whole lend their own
// fingerprint, others the checksum of the file.
func (f *recommendFlags) manifestOf(ctx context.Context, b *recommend.Batch, from *people) (m manifest, err error) {
	m = manifest{
		Program: cli.BuildVersion().Version, Count: f.count, Support: f.support, Novelty: f.novelty, Unknown: f.unknown, Odds: b.Odds, Format: b.Form.Extension,
		DataFormat: f.Format, Duplicates: f.Duplicates, Incomplete: f.Incomplete, Whole: from.set != nil, Shards: f.shards, ShardSize: f.shardSize,
	}
	file, err := b.Saved.File()
	if err != nil {
		return m, err
	}
	m.Model = file.Checksum()
	if from.set != nil {
		m.Data = from.set.Fingerprint()
	} else if m.Data, err = checksumOf(ctx, f.users); err != nil {
		return m, err
	}
	for _, each := range []struct {
		path string
		to   *string
	}{{f.exclude, &m.Exclude}, {f.only, &m.Only}} {
		if each.path == "" {
			continue
		}
		if *each.to, err = checksumOf(ctx, each.path); err != nil {
			return m, err
		}
	}
	return m, nil
}

func checksumOf(ctx context.Context, path string) (string, error) {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, cli.Interruptible(ctx, file)); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
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
	complete, err := p.enter(m)
	if err != nil {
		return err
	}
	if complete {
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
	if err := p.sweep(); err != nil {
		return err
	}
	return p.writeJSON(completeName, struct {
		Parts int `json:"parts"`
	}{parts})
}

// enter makes the folder, or checks that it is one of the same batch; true if that
// is complete.
func (p *program) enter(m manifest) (complete bool, err error) {
	if err := os.MkdirAll(p.Output, 0o777); err != nil {
		return false, p.Results().Failed(err)
	}
	text, err := os.ReadFile(filepath.Join(p.Output, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		files, err := os.ReadDir(p.Output)
		if err != nil {
			return false, p.Results().Failed(err)
		}
		if slices.ContainsFunc(files, func(e fs.DirEntry) bool { return !isTemporary(e.Name()) }) {
			return false, fmt.Errorf("--output: %s holds other files, %s among them; name a new or an empty folder", p.Output, cli.Quote(files[0].Name()))
		}
		return false, p.writeJSON(manifestName, m)
	} else if err != nil {
		return false, p.Results().Failed(err)
	}
	var there manifest
	if err := json.Unmarshal(text, &there); err != nil {
		return false, fmt.Errorf("%s: %w", filepath.Join(p.Output, manifestName), err)
	}
	if there != m {
		return false, fmt.Errorf("--output: %s holds parts of another batch (%s); name another folder, or delete it", p.Output, differing(there, m))
	}
	_, err = os.Stat(filepath.Join(p.Output, completeName))
	return err == nil, nil
}

// sweep removes what runs that were killed left behind.
func (p *program) sweep() error {
	files, err := os.ReadDir(p.Output)
	if err != nil {
		return p.Results().Failed(err)
	}
	for _, e := range files {
		if isTemporary(e.Name()) {
			if err := os.Remove(filepath.Join(p.Output, e.Name())); err != nil {
				return p.Results().Failed(err)
			}
		}
	}
	return nil
}

// isTemporary says whether a file is what a run that was killed left behind.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, ".fubini-") && strings.HasSuffix(name, ".tmp")
}

// differing names what two manifests do not share.
func differing(a, b manifest) string {
	asMap := func(m manifest) (values map[string]any) {
		text, err := json.Marshal(m)
		if err == nil {
			err = json.Unmarshal(text, &values)
		}
		if err != nil {
			panic(err) // numbers and texts
		}
		return values
	}
	first, second := asMap(a), asMap(b)
	var names []string
	for key := range first {
		if first[key] != second[key] {
			names = append(names, key)
		}
	}
	for key := range second {
		if _, there := first[key]; !there {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	return "other " + strings.Join(names, ", ")
}

// countUsers reads the data once, to know how many users are to be divided.
func (f *recommendFlags) countUsers(ctx context.Context, p *program) (int, error) {
	from, err := f.stream(ctx, p)
	if err != nil {
		return 0, err
	}
	defer from.close()
	var user format.User
	for n := 0; ; n++ {
		if err := from.next(&user); err == io.EOF {
			return n, nil
		} else if err != nil {
			return 0, err
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
}

// writeParts writes the parts that are missing, each whole or not at all.
func (p *program) writeParts(ctx context.Context, f *recommendFlags, b *recommend.Batch, from *people) (parts int, err error) {
	at, end := p.followUsers(from.total)
	defer end()
	source := &ahead{from: from.next}
	seen := 0 // users in parts so far
	for part := 0; ; part++ {
		more, err := source.more()
		if err != nil {
			return part, err
		}
		size := f.shardSize
		if f.shards > 0 {
			size = from.total*(part+1)/f.shards - from.total*part/f.shards
			more = part < f.shards
		}
		if !more {
			return part, nil
		}
		path := filepath.Join(p.Output, fmt.Sprintf("part-%05d.%s", part, b.Form.Extension))
		left := size
		next := func(user *format.User) error {
			if left == 0 {
				return io.EOF
			}
			left--
			return source.next(user)
		}
		if _, err := os.Stat(path); err == nil {
			p.Tell("%s is there already", path)
			if err := passOver(ctx, next); err != nil {
				return part, err
			}
			seen += size
			continue
		}
		before := b.Users
		err = cli.Destination{Flag: "--output", Path: path}.Deliver(func(w *bufio.Writer) error {
			sink := b.Form.Open(w)
			err := b.Run(ctx, cli.Cores(p.Jobs), next, func(a *recommend.Answered) error {
				at(seen + b.Users - before)
				return sink.Put(a)
			})
			if err != nil {
				return err
			}
			return sink.Close()
		})
		if err != nil {
			return part, err
		}
		seen += b.Users - before
	}
}

// passOver reads users without answering.
func passOver(ctx context.Context, next func(*format.User) error) error {
	var user format.User
	for ctx.Err() == nil {
		if err := next(&user); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// ahead reads one user ahead, to know whether another part begins.
type ahead struct {
	from func(*format.User) error
	user format.User
	has  bool
	end  error
}

func (a *ahead) more() (bool, error) {
	if !a.has && a.end == nil {
		a.end = a.from(&a.user)
		a.has = a.end == nil
	}
	if a.end != nil && a.end != io.EOF {
		return false, a.end
	}
	return a.has, nil
}

func (a *ahead) next(user *format.User) error {
	if _, err := a.more(); err != nil {
		return err
	}
	if !a.has {
		return io.EOF
	}
	*user, a.user = a.user, *user // each keeps memory of its own
	a.has = false
	return nil
}

// writeJSON writes a file of the folder, whole or not at all.
func (p *program) writeJSON(name string, content any) error {
	return cli.Destination{Flag: "--output", Path: filepath.Join(p.Output, name)}.Deliver(func(w *bufio.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(content)
	})
}
