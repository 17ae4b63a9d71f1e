// Command packaging makes what users install. From the root of a checkout:
//
//	tools/wheel OUT             the Python wheel of this machine, in the folder OUT
//	tools/release VERSION OUT   all files of a release; PLATFORM... behind it, such as linux-amd64, makes those of some platforms
//
// Two runs on one commit give the same bytes: files carry the time of the commit, names are in order, and programs are built
// with -trimpath.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 2 && args[0] == "wheel":
		s, err := newSource(ctx, "")
		if err != nil {
			return err
		}
		return s.buildWheel(ctx, platform{runtime.GOOS, runtime.GOARCH}, args[1])
	case len(args) >= 3 && args[0] == "release":
		s, err := newSource(ctx, args[1])
		if err != nil {
			return err
		}
		chosen, err := choosePlatforms(args[3:])
		if err != nil {
			return err
		}
		return s.release(ctx, args[2], chosen)
	}
	return errors.New("usage: tools/wheel OUT, or tools/release VERSION OUT [PLATFORM...]")
}

// source is the checkout that is packaged.
type source struct {
	root    string
	version string    // v1.2.0, or empty for a build that is no release
	commit  string    // empty outside version control
	time    time.Time // of the commit
}

// newSource finds out about the checkout around the working folder.
func newSource(ctx context.Context, version string) (*source, error) {
	root, err := filepath.Abs("..")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(root, "cmd", "fubini")); err != nil {
		return nil, fmt.Errorf("%s is no checkout of fubini: call tools/wheel or tools/release", root)
	}
	if version != "" && !validVersion(version) {
		return nil, fmt.Errorf("%q is no version; write one such as v1.2.0 or v1.3.0-rc.1", version)
	}
	s := &source{root: root, version: version, time: time.Unix(0, 0).UTC()}
	if text, err := s.output(ctx, "git", "log", "-1", "--format=%H %ct"); err == nil {
		hash, seconds, _ := strings.Cut(text, " ")
		n, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil {
			return nil, err
		}
		s.commit, s.time = hash, time.Unix(n, 0).UTC()
	}
	return s, nil
}

// validVersion is whether a text is a semantic version behind a v.
func validVersion(text string) bool {
	core, _, _ := strings.Cut(strings.TrimPrefix(text, "v"), "-")
	parts := strings.Split(core, ".")
	for _, part := range parts {
		if n, err := strconv.Atoi(part); err != nil || n < 0 || strconv.Itoa(n) != part {
			return false
		}
	}
	return strings.HasPrefix(text, "v") && len(parts) == 3 && !strings.ContainsAny(text, " +/")
}

// output runs a program in the checkout and returns what it printed.
func (s *source) output(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.root
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// platform is an operating system and a processor, by Go's names.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "-" + p.arch }

// program is the name of the program there.
func (p platform) program() string {
	if p.os == "windows" {
		return "fubini.exe"
	}
	return "fubini"
}

// platforms are those of a release.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}

// choosePlatforms are those of some names, in the order of all; all without a name.
func choosePlatforms(names []string) ([]platform, error) {
	if len(names) == 0 {
		return platforms, nil
	}
	var chosen []platform
	for _, p := range platforms {
		if slices.Contains(names, p.String()) {
			chosen = append(chosen, p)
		}
	}
	if len(chosen) != len(names) {
		return nil, fmt.Errorf("%v: the platforms are %v", names, platforms)
	}
	return chosen, nil
}

// build compiles the program for a platform, static and stripped, and returns its bytes.
func (s *source) build(ctx context.Context, p platform) ([]byte, error) {
	folder, err := os.MkdirTemp("", "fubini-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, p.program())
	flags := "-s -w -buildid="
	if s.version != "" {
		flags += " -X main.release=" + s.version
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags", flags, "-o", file, "./cmd/fubini")
	cmd.Dir = s.root
	// Flags of the user's own must not change the program; empty ones would leave those of `go env -w`.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=-trimpath", "GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build for %s: %w\n%s", p, err, text)
	}
	return os.ReadFile(file)
}
