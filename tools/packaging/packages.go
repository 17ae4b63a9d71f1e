package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// nfpm makes packages of Linux distributions. It is downloaded when a release is made, and is no dependency otherwise. Versions after
// 2.43 depend on modules that the public module proxy did not hand out when this was written.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4"

// fetchPackager downloads and builds nfpm, before the long work begins, into a folder, and returns the program.
func (s *source) fetchPackager(ctx context.Context, folder string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "install", nfpm)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOBIN="+folder, "GOWORK=off")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", nfpm, err, text)
	}
	return filepath.Join(folder, "nfpm"), nil
}

// packages are the Debian and the RPM package for a processor: the program, its licences, manual pages and completions.
func (s *source) packages(ctx context.Context, packager string, p platform, program []byte, shared []entry) (files []entry, err error) {
	folder, err := os.MkdirTemp("", "fubini-package-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	var contents []map[string]any
	put := func(e entry, to string) error {
		path := filepath.Join(folder, strings.ReplaceAll(to, "/", "_"))
		if err := os.WriteFile(path, e.content, os.FileMode(e.mode())); err != nil {
			return err
		}
		contents = append(contents, map[string]any{"src": path, "dst": to, "file_info": map[string]any{"mode": e.mode(), "mtime": s.time.Format(time.RFC3339)}})
		return nil
	}
	if err := put(entry{"fubini", program, true}, "/usr/bin/fubini"); err != nil {
		return nil, err
	}
	for _, e := range shared {
		to := installed(e.name)
		if strings.HasPrefix(to, "/usr/share/man/") { // distributions want them compressed
			if e.content, err = gzipped(e.content); err != nil {
				return nil, err
			}
			to += ".gz"
		}
		if err := put(e, to); err != nil {
			return nil, err
		}
	}
	config, err := json.Marshal(map[string]any{ // YAML too
		"name": "fubini", "arch": p.arch, "platform": "linux", "version": s.version, "section": "science", "priority": "optional",
		"maintainer":  "the authors of fubini <maintainers@fubini.invalid>",
		"description": summary,
		"license":     "Apache-2.0", "mtime": s.time.Format(time.RFC3339), "contents": contents,
		"rpm": map[string]any{"buildhost": "fubini"},
	})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "nfpm.yaml"), config, 0o666); err != nil {
		return nil, err
	}
	for _, kind := range []string{"deb", "rpm"} {
		name := fmt.Sprintf("fubini_%s_linux_%s.%s", strings.TrimPrefix(s.version, "v"), p.arch, kind)
		cmd := exec.CommandContext(ctx, packager, "package", "-f", "nfpm.yaml", "-p", kind, "-t", name)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), fmt.Sprint("SOURCE_DATE_EPOCH=", s.time.Unix()))
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("nfpm: %w\n%s", err, text)
		}
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		files = append(files, entry{name, content, false})
	}
	return files, nil
}

// installed is where a file of the archives stands on a system.
func installed(name string) string {
	folder, file := filepath.Split(name)
	switch {
	case folder == "man/":
		return "/usr/share/man/man1/" + file
	case file == "fubini.bash":
		return "/usr/share/bash-completion/completions/fubini"
	case file == "_fubini":
		return "/usr/share/zsh/vendor-completions/_fubini"
	case file == "fubini.fish":
		return "/usr/share/fish/vendor_completions.d/fubini.fish"
	case file == "LICENSE":
		return "/usr/share/doc/fubini/copyright"
	}
	return "/usr/share/doc/fubini/" + file
}
