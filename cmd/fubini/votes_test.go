package main

import (
	"os"
	"path/filepath"
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
	follow(t, "votes.md", "## A worked example\n", "\n## ", func(env *testscript.Env) error {
		folder, err := filepath.Abs(filepath.Join(data, "preflib"))
		if err != nil {
			return err
		}
		return os.Symlink(folder, filepath.Join(env.WorkDir, "preflib"))
	})
}
