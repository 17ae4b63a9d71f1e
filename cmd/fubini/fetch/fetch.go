// Package fetch downloads public sets of ratings from their publishers: fubini data fetch.
package fetch

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/data/text"
)

//go:embed help
var pages embed.FS

// receiptName is the file in a fetched folder by which a second fetch checks it.
const receiptName = ".fubini-fetch.json"

// Command is the command fubini data fetch, which downloads a public set of ratings.
func Command(p *cli.Program) *cobra.Command {
	return newFetch(p, datasets, newDownloader)
}

// newFetch makes the command; tests have sets and a downloader of their own.
func newFetch(p *cli.Program, sets []dataset, connect func(p *cli.Program, anyCertificate bool) *downloader) *cobra.Command {
	anyCertificate := false
	cmd := cli.Page(pages, "fetch")
	cmd.Long += " " + strings.Join(datasetNames(sets), ", ") + "."
	cmd.Args = cli.Arguments(0, 2)
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		switch len(args) {
		case 0:
			return datasetNames(sets), cobra.ShellCompDirectiveNoFileComp
		case 1:
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	flags := cmd.Flags()
	cli.AddSwitch(flags, "ignore-certificate", &anyCertificate, "accept any certificate of the server, even an expired one; the SHA-256 must agree all the same")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return p.Records(datasetRecords(sets, !p.InTables()))
		}
		set, folder, err := fetchArguments(cmd, sets, args)
		if err != nil {
			return err
		}
		job := fetchJob{downloader: connect(p, anyCertificate), set: set, dir: folder}
		path, err := job.run(cmd.Context())
		if err != nil {
			return err
		}
		return p.Record(cli.Record{{"name", set.Name}, {"path", path}, {"ratings", set.Ratings}, {"bytes", set.bytes()}, {"downloaded", job.received}})
	}
	return cmd
}

func fetchArguments(cmd *cobra.Command, sets []dataset, args []string) (set *dataset, folder string, err error) {
	names := datasetNames(sets)
	at := slices.Index(names, args[0])
	if at < 0 {
		hint := "there are"
		if near := cli.Nearest(args[0], names); near != "" {
			hint = fmt.Sprintf("did you mean %s? There are", near)
		}
		return nil, "", exit.Usagef("there is no set %s; %s %s", cli.Quote(args[0]), hint, strings.Join(names, ", "))
	}
	if len(args) == 1 || args[1] == "" {
		return nil, "", exit.Usagef("the folder for %s is missing, as in: %s %s data", args[0], cmd.CommandPath(), args[0])
	}
	return &sets[at], args[1], nil
}

// datasetRecords are the rows of the list of sets; a table has no room for all fields.
func datasetRecords(sets []dataset, all bool) (records []cli.Record) {
	for _, set := range sets {
		record := cli.Record{{"name", set.Name}, {"ratings", set.Ratings}, {"bytes", set.bytes()}, {"licence", set.Licence}}
		if all {
			record = append(record, cli.Field{"terms", strings.Join(set.Terms, " ")}, cli.Field{"files", set.Files})
		}
		records = append(records, record)
	}
	return records
}

type fetchJob struct {
	*downloader
	set      *dataset
	dir      string
	received int64 // bytes that came over the network
}

// run brings the set, unless it is there, and returns where it is.
func (j *fetchJob) run(ctx context.Context) (path string, err error) {
	path = filepath.Join(j.dir, j.set.Name)
	bring := j.folder
	if j.set.archive() {
		bring = j.unpacked
	}
	there, err := j.there(ctx, path)
	if err != nil {
		return "", err
	}
	if there {
		j.Tell("%s is there already, and right", path)
		return path, nil
	}
	for _, line := range j.set.Terms {
		j.Tell("%s", line)
	}
	if err := cli.CheckFolder("DIR", j.dir); err != nil {
		return "", err
	}
	if _, err := os.Stat(j.dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(j.dir, 0o777); err != nil {
			return "", err
		}
		defer os.Remove(j.dir) // which only an empty folder allows, after a failure
	}
	if err := bring(ctx, path); err != nil {
		if errors.Is(err, syscall.ENOSPC) {
			err = fmt.Errorf("%w; %s takes %s, and several times that once unpacked", err, j.set.Name, megabytes(j.set.bytes()))
		}
		return "", err
	}
	j.Tell("%s: %d ratings", path, j.set.Ratings)
	return path, nil
}

// there reports whether the set is in its place. What else may be there is not ours to replace.
func (j *fetchJob) there(ctx context.Context, path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case errors.Is(err, syscall.ENOTDIR): // DIR, or a part of it
		return false, exit.Usagef("%s is not a folder", j.dir)
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, fmt.Errorf("%s is a file, where the folder of the set should be; move it away", path)
	}
	text, err := os.ReadFile(filepath.Join(path, receiptName))
	var got receipt
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("%s is there already, and not from fetch: move it away, or name another folder", path)
	case err != nil:
		return false, err
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return false, remedy(fmt.Errorf("%s: %w", filepath.Join(path, receiptName), err), path)
	}
	if got.Set != j.set.Name || !slices.Equal(got.From, j.set.Files.sums()) {
		return false, remedy(fmt.Errorf("%s holds another version of %s", path, j.set.Name), path)
	}
	for _, file := range got.Files {
		if err := file.check(ctx, filepath.Join(path, filepath.FromSlash(file.Name))); err != nil {
			return false, remedy(err, path)
		}
	}
	return true, nil
}

// remedy says what to do about a path that is not as it should be.
func remedy(err error, path string) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w; move %s away and fetch again", err, path)
}

// unpacked brings the archive and makes the folder of it.
func (j *fetchJob) unpacked(ctx context.Context, path string) error {
	archive := path + ".zip"
	_, err := os.Stat(archive)
	before := err == nil
	if err := j.obtain(ctx, j.set.Files[0], archive); err != nil {
		return err
	}
	// Not os.MkdirTemp, which would keep the folder from all but its owner.
	staging := filepath.Join(j.dir, fmt.Sprintf(".fubini-%016x.tmp", rand.Uint64()))
	if err := os.Mkdir(staging, 0o777); err != nil {
		return err
	}
	defer os.RemoveAll(staging)       // gone by then, if all went well
	limit := 20*j.set.bytes() + 1<<20 // the archives of MovieLens unpack to less than five times their size
	files, left, err := unpack(ctx, j.Program, archive, staging, limit)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	if left > 0 {
		j.Tell("left out %s that macOS adds to archives", text.Count(left, "file", "files"))
	}
	if err := j.rename(staging, path, files); err != nil {
		return err
	}
	if before { // a zip file from before is not ours to remove
		return nil
	}
	return os.Remove(archive)
}

// folder brings the files of a set that is no archive, which gather in DIR/NAME.part.
func (j *fetchJob) folder(ctx context.Context, path string) error {
	staging := path + ".part"
	if err := os.MkdirAll(staging, 0o777); err != nil {
		return err
	}
	for _, file := range j.set.Files {
		if err := j.obtain(ctx, file, filepath.Join(staging, file.Name)); err != nil {
			os.Remove(staging) // if it is empty
			return err
		}
	}
	return j.rename(staging, path, j.set.Files)
}

// obtain makes sure that a file is there and right: downloads it, or finds it.
func (j *fetchJob) obtain(ctx context.Context, file remoteFile, path string) error {
	if _, err := os.Stat(path); err == nil {
		if err := file.check(ctx, path); err != nil {
			return remedy(err, path)
		}
		j.Tell("%s is there already, and right", path)
		return nil
	}
	j.Tell("%s, %s", file.URL, megabytes(file.Bytes))
	n, err := j.download(ctx, file, path)
	j.received += n
	return err
}

// receipt is the published files that a fetched folder came from, and the files in it.
type receipt struct {
	Set   string      `json:"set"`
	From  remoteFiles `json:"from"`
	Files remoteFiles `json:"files"`
}

// sums are the files without their addresses, which may change.
func (files remoteFiles) sums() remoteFiles {
	bare := make(remoteFiles, len(files))
	for i, f := range files {
		bare[i] = remoteFile{Name: f.Name, Bytes: f.Bytes, SHA256: f.SHA256}
	}
	return bare
}

// rename writes the receipt and gives the folder its name.
func (j *fetchJob) rename(staging, path string, files remoteFiles) error {
	text, err := json.MarshalIndent(receipt{j.set.Name, j.set.Files.sums(), files.sums()}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(staging, receiptName), append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(staging, path)
}
