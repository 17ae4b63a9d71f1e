package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// must runs a program in a folder and returns what it printed.
func must(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, text)
	}
	return string(text)
}

// A release for Linux is made twice, from two clones in different folders, the second time with nothing compiled before: the bytes are the
// same, the programs of both processors print their version and commit, the Debian package leaves nothing behind when it is removed, and a
// program that is built from an archive of the sources knows its commit.
func TestRelease(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("long: run ./test --long")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the release of another machine is made on linux-amd64")
	}
	const version = "v0.0.1-rc.1"
	folder := t.TempDir()
	commit := strings.TrimSpace(must(t, ".", "git", "rev-parse", "HEAD"))
	var made []string
	for _, name := range []string{"one", "another/further/down"} {
		clone, out := filepath.Join(folder, name), filepath.Join(folder, "out", name)
		must(t, ".", "git", "clone", "--quiet", "../..", clone)
		must(t, folder, filepath.Join(clone, "tools", "release"), version, out, "linux-amd64", "linux-arm64")
		made = append(made, out)
		t.Setenv("GOCACHE", filepath.Join(folder, "cache"))
	}
	if got := must(t, folder, "diff", "-r", made[0], made[1]); got != "" {
		t.Errorf("two releases differ:\n%s", got)
	}
	must(t, made[0], "sha256sum", "--check", "--quiet", "SHA256SUMS")

	tells := func(how string, command ...string) {
		t.Helper()
		if got := must(t, folder, command[0], append(command[1:], "version", "--format", "json")...); !strings.Contains(got, `"`+version+`"`) || !strings.Contains(got, commit) {
			t.Errorf("%s says\n%s, want the version %s and the commit %s", how, got, version, commit)
		}
	}
	for _, arch := range []string{"amd64", "arm64"} {
		name := "fubini_" + strings.TrimPrefix(version, "v") + "_linux_" + arch
		must(t, folder, "tar", "xzf", filepath.Join(made[0], name+".tar.gz"))
		command := []string{filepath.Join(folder, name, "fubini")}
		if arch == "arm64" {
			emulator, err := exec.LookPath("qemu-aarch64")
			if err != nil {
				t.Log("no qemu-aarch64 (Debian: qemu-user): the program for arm64 is not run")
				continue
			}
			command = []string{emulator, command[0]}
		}
		tells("the program for "+arch, command...)
	}
	t.Run("parts", func(t *testing.T) {
		built := must(t, folder, "go", "version", "-m", filepath.Join(folder, "fubini_"+strings.TrimPrefix(version, "v")+"_linux_amd64", "fubini"))
		checkParts(t, filepath.Join(made[0], "fubini_"+strings.TrimPrefix(version, "v")+".cdx.json"), built)
	})
	t.Run("deb", func(t *testing.T) { installAndRemove(t, made[0], tells) })

	sources := filepath.Join(folder, "sources")
	if err := os.Mkdir(sources, 0o777); err != nil {
		t.Fatal(err)
	}
	must(t, folder, "git", "-C", filepath.Join(folder, "one"), "archive", "--output", filepath.Join(folder, "sources.tar"), "HEAD")
	must(t, sources, "tar", "xf", filepath.Join(folder, "sources.tar"))
	must(t, sources, "go", "build", "-o", filepath.Join(folder, "built"), "./cmd/fubini")
	if got := must(t, folder, filepath.Join(folder, "built"), "version"); !strings.Contains(got, commit[:12]) {
		t.Errorf("a program built from an archive says\n%s, want the commit %s", got, commit)
	}
}

// checkParts compares the list of parts with the build facts of a program: each module with version, checksum and licence.
func checkParts(t *testing.T, file, built string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var parts struct {
		Components []struct {
			Name, Version    string
			Hashes, Licenses []any
		}
	}
	if err := json.Unmarshal(text, &parts); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, c := range parts.Components {
		listed[c.Name+" "+c.Version] = true
		if c.Name != "stdlib" && (len(c.Hashes) != 1 || len(c.Licenses) == 0) {
			t.Errorf("%s %s: checksums %v, licences %v", c.Name, c.Version, c.Hashes, c.Licenses)
		}
	}
	modules := regexp.MustCompile(`(?m)^\tdep\t(\S+)\t(\S+)`).FindAllStringSubmatch(built, -1)
	if len(modules) < 20 || len(modules) >= len(listed) {
		t.Errorf("%d modules in the program, %d parts", len(modules), len(listed))
	}
	for _, m := range modules {
		if !listed[m[1]+" "+m[2]] {
			t.Errorf("%s %s is in the program, and not among the parts", m[1], m[2])
		}
	}
}

// installAndRemove puts the Debian package into a root that has nothing but an empty list of packages, and takes it away again.
func installAndRemove(t *testing.T, made string, tells func(how string, command ...string)) {
	if _, err := exec.LookPath("dpkg"); err != nil || os.Getuid() != 0 {
		t.Skip("dpkg installs as root, on Debian")
	}
	root := t.TempDir()
	for _, name := range []string{"info", "updates", "triggers"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	listed := func() (files []string) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if name := strings.TrimPrefix(path, root); name != "" && !strings.HasPrefix(name, "/var") { // what dpkg keeps for itself
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	packages, err := filepath.Glob(filepath.Join(made, "*_amd64.deb"))
	if err != nil || len(packages) != 1 {
		t.Fatal(packages, err)
	}
	must(t, root, "dpkg", "--root="+root, "-i", packages[0])
	tells("the program in the package", filepath.Join(root, "usr/bin/fubini"))
	there := listed()
	for _, want := range []string{"/usr/share/man/man1/fubini.1.gz", "/usr/share/man/man1/fubini-fit.1.gz", "/usr/share/bash-completion/completions/fubini", "/usr/share/zsh/vendor-completions/_fubini",
		"/usr/share/fish/vendor_completions.d/fubini.fish", "/usr/share/doc/fubini/fubini.ps1", "/usr/share/doc/fubini/copyright", "/usr/share/doc/fubini/THIRD-PARTY"} {
		if !slices.Contains(there, want) {
			t.Errorf("the package has no %s", want)
		}
	}
	must(t, root, "dpkg", "--root="+root, "-P", "fubini")
	if left := listed(); len(left) > 0 {
		t.Errorf("after its removal there is %v", left)
	}
	status, err := os.ReadFile(filepath.Join(root, "var/lib/dpkg/status"))
	if err != nil || regexp.MustCompile(`(?m)^Package:`).Match(status) {
		t.Errorf("dpkg still knows of it (%v):\n%s", err, status)
	}
}
