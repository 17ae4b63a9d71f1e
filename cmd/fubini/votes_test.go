package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The worked example of docs/votes.md does what the page says; with -update the page gets what it does.
func TestVotesExample(t *testing.T) {
	skipIfShort(t)
	data := os.Getenv("FUBINI_DATA")
	if data == "" {
		t.Skip("set FUBINI_DATA to a folder with preflib/00071-00000001.cat")
	}
	page, err := os.ReadFile("../../docs/votes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, found := strings.Cut(string(page), "## A worked example\n")
	if !found {
		t.Fatal("docs/votes.md has no worked example")
	}
	block := func(language string) string {
		_, text, found := strings.Cut(example, "```"+language+"\n")
		text, _, closed := strings.Cut(text, "```\n")
		if !found || !closed {
			t.Fatalf("the worked example has no block of %s", language)
		}
		return text
	}
	script := fmt.Sprintf("exec sh -eu steps.sh\ncmp stdout want.txt\n-- steps.sh --\n%s-- candidates.csv --\n%s-- want.txt --\n%s", block("sh"), block("csv"), block("text"))
	file := filepath.Join(t.TempDir(), "example.txtar")
	if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	if *update {
		t.Cleanup(func() {
			done, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, want, _ := strings.Cut(string(done), "-- want.txt --\n") // the last file
			text := strings.Replace(string(page), "```text\n"+block("text"), "```text\n"+want, 1)
			if err := os.WriteFile("../../docs/votes.md", []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	testscript.Run(t, testscript.Params{Files: []string{file}, UpdateScripts: *update, Setup: func(env *testscript.Env) error {
		folder, err := filepath.Abs(filepath.Join(data, "preflib"))
		if err != nil {
			return err
		}
		return os.Symlink(folder, filepath.Join(env.WorkDir, "preflib"))
	}})
}
