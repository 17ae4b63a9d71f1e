package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// release writes all files of a release for some platforms into a folder, which must be empty.
func (s *source) release(ctx context.Context, folder string, platforms []platform) error {
	if there, err := os.ReadDir(folder); err != nil {
		return err
	} else if len(there) > 0 {
		return fmt.Errorf("%s is not empty: name a new folder", folder)
	}
	if s.commit == "" {
		return errors.New("a release is made from a git checkout, whose commit it names")
	}
	if changed, err := s.output(ctx, "git", "status", "--porcelain"); err != nil {
		return err
	} else if changed != "" {
		return fmt.Errorf("files differ from the commit: commit or remove them first\n%s", changed)
	}
	host := platform{runtime.GOOS, runtime.GOARCH}
	if !slices.Contains(platforms, host) {
		return fmt.Errorf("manual pages are made by running the program, and this machine, %s, is none of %v", host, platforms)
	}
	tools, err := os.MkdirTemp("", "fubini-tools-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tools)
	packager, err := s.fetchPackager(ctx, tools)
	if err != nil {
		return err
	}
	programs := map[platform][]byte{}
	for _, p := range platforms {
		fmt.Println("build", p)
		program, err := s.build(ctx, p)
		if err == nil {
			err = s.checkProgram(p, program)
		}
		if err != nil {
			return err
		}
		programs[p] = program
	}
	shared, err := s.shared(ctx, programs[host])
	if err != nil {
		return err
	}
	files := []entry{}
	add := func(name string, content []byte, err error) error {
		files = append(files, entry{name, content, false})
		return err
	}
	version := strings.TrimPrefix(s.version, "v")
	for _, p := range platforms {
		name := fmt.Sprintf("fubini_%s_%s_%s", version, p.os, p.arch)
		all := append(slices.Clone(shared), entry{p.program(), programs[p], true})
		for k := range all {
			all[k].name = name + "/" + all[k].name
		}
		pack, ending := tarred, ".tar.gz"
		if p.os == "windows" {
			pack, ending = zipped, ".zip"
		}
		content, err := pack(all, s.time)
		if err := add(name+ending, content, err); err != nil {
			return err
		}
		wheelName, content, err := s.wheel(p, programs[p])
		if err := add(wheelName, content, err); err != nil {
			return err
		}
		if p.os == "linux" {
			packages, err := s.packages(ctx, packager, p, programs[p], shared)
			if err != nil {
				return err
			}
			files = append(files, packages...)
		}
	}
	image, err := s.image(platforms, programs)
	if err := add("fubini_"+version+"_oci.tar", image, err); err != nil {
		return err
	}
	parts, err := s.parts(programs)
	if err := add("fubini_"+version+".cdx.json", parts, err); err != nil {
		return err
	}
	changes, err := s.changes()
	if err := add("CHANGES.md", changes, err); err != nil {
		return err
	}
	files = append(files, entry{"SHA256SUMS", sums(files), false})
	for _, f := range sorted(files) {
		fmt.Println(f.name, len(f.content))
		if err := os.WriteFile(filepath.Join(folder, f.name), f.content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// shared are the files that stand beside the program in every archive: licences, manual pages, completions.
func (s *source) shared(ctx context.Context, program []byte) ([]entry, error) {
	var entries []entry
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		text, err := os.ReadFile(filepath.Join(s.root, name))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name, text, false})
	}
	folder, err := os.MkdirTemp("", "fubini-run-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "fubini")
	if err := os.WriteFile(file, program, 0o700); err != nil {
		return nil, err
	}
	printed := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, file, args...)
		cmd.Env = append(os.Environ(), "COLUMNS=80")
		text, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("fubini %s: %w", strings.Join(args, " "), err)
		}
		return text, nil
	}
	third, err := printed("version", "--licences")
	if err != nil {
		return nil, err
	}
	entries = append(entries, entry{"THIRD-PARTY", third, false})
	for shell, name := range map[string]string{"bash": "fubini.bash", "zsh": "_fubini", "fish": "fubini.fish", "powershell": "fubini.ps1"} {
		text, err := printed("completion", shell)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{"completions/" + name, text, false})
	}
	pages, err := manual(s, printed)
	return sorted(append(entries, pages...)), err
}

// sums are the checksums of the files, as sha256sum -c reads them.
func sums(files []entry) []byte {
	var text bytes.Buffer
	for _, f := range sorted(files) {
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(f.content), f.name)
	}
	return text.Bytes()
}

// changes is the part of the changelog for this version, or for what is not released yet.
func (s *source) changes() ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(s.root, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	return section(string(text), strings.TrimPrefix(s.version, "v"))
}

func section(text, version string) ([]byte, error) {
	for _, name := range []string{version, "Unreleased"} {
		_, rest, found := strings.Cut(text, "\n## ["+name+"]")
		if !found {
			continue
		}
		_, rest, _ = strings.Cut(rest, "\n")
		if end := strings.Index(rest, "\n## ["); end >= 0 {
			rest = rest[:end]
		}
		return []byte(strings.TrimSpace(rest) + "\n"), nil
	}
	return nil, fmt.Errorf("CHANGELOG.md has no section of %s, and none of what is unreleased", version)
}
