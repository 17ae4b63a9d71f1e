package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// The commands of a tutorial run one after another, as its reader types them, and print what the page shows. With -update the
// page gets what they print.
func TestTutorials(t *testing.T) {
	skipIfShort(t)
	for _, name := range []string{"tutorial.md", "tutorial-votes.md"} {
		t.Run(name, func(t *testing.T) {
			follow(t, name, "", "", nil)
		})
	}
}

// follow runs the steps of a document, or of its part between two lines, after a set-up of its folder.
func follow(t *testing.T, name, from, to string, setUp func(*testscript.Env) error) {
	t.Helper()
	page := filepath.Join("..", "..", "docs", name)
	whole, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(whole), from)
	if to != "" {
		text, _, _ = strings.Cut(text, to)
	}
	steps := tutorialSteps(text, freeAddress(t))
	if !found || len(steps.Files) < 3 {
		t.Fatalf("%s has %d steps and files: are its blocks marked as sh, text, and LANGUAGE FILE?", name, len(steps.Files))
	}
	file := filepath.Join(t.TempDir(), "steps.txtar")
	if err := os.WriteFile(file, txtar.Format(steps), 0o644); err != nil {
		t.Fatal(err)
	}
	if *update {
		t.Cleanup(func() {
			done, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(page, []byte(strings.Replace(string(whole), text, withOutputs(text, done), 1)), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	testscript.Run(t, testscript.Params{Files: []string{file}, UpdateScripts: *update, Setup: setUp})
}

// A block of a page: what stands after its ``` (a language, and a word more), and its text.
var block = regexp.MustCompile("(?ms)^```(.*?)\n(.*?)^```$")

// tutorialSteps is the script of a page: of a block "sh" the commands run, and print what stands in the block "text" behind it;
// a block with a language and a name is a file. A block "sh serve" starts a server, which has to answer; the demonstration,
// which has a script of its own, is left out.
func tutorialSteps(page, address string) *txtar.Archive {
	var script bytes.Buffer
	archive := &txtar.Archive{}
	last := ""
	for i, b := range block.FindAllStringSubmatch(page, -1) {
		language, name, _ := strings.Cut(b[1], " ")
		step := fmt.Sprintf("%d-%s", i, language)
		switch {
		case language == "sh" && name == "serve" && strings.HasPrefix(b[2], "fubini demo"):
		case language == "sh" && name == "serve":
			fmt.Fprintf(&script, "exec %s --addr %s &server&\n", strings.TrimSpace(b[2]), address)
			fmt.Fprintf(&script, "exec sh -c 'for i in $(seq 300); do fubini serve --check --addr %s 2>/dev/null && exit; sleep 0.1; done; exit 1'\n", address)
			fmt.Fprintf(&script, "kill -INT server\nwait server\n")
		case language == "sh":
			fmt.Fprintf(&script, "exec sh -eu %s\n", step)
			archive.Files = append(archive.Files, txtar.File{Name: step, Data: []byte(b[2])})
		case b[1] == "text" && last == "sh":
			fmt.Fprintf(&script, "cmp stdout %s\n", step)
			archive.Files = append(archive.Files, txtar.File{Name: step, Data: []byte(b[2])})
		case name != "":
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(b[2])})
		}
		last = b[1]
	}
	archive.Comment = script.Bytes()
	return archive
}

// withOutputs is the page with the outputs of the steps in its blocks of text.
func withOutputs(page string, done *txtar.Archive) string {
	i := -1
	return block.ReplaceAllStringFunc(page, func(old string) string {
		i++
		for _, f := range done.Files {
			if f.Name == fmt.Sprintf("%d-text", i) {
				return "```text\n" + string(f.Data) + "```"
			}
		}
		return old
	})
}

func freeAddress(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}
