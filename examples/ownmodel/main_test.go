package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fubini/cmd/fubini/program"
)

// The model is compared with ours, kept in a file and used by the commands.
func TestOwnModel(t *testing.T) {
	folder := t.TempDir()
	ratings, kept, tiers := filepath.Join(folder, "ratings.csv"), filepath.Join(folder, "shrunk.safetensors"), filepath.Join(folder, "tiers.json")
	text := "user,item,rating\n"
	for u := range 80 {
		for k := range 45 {
			film := (7*k + u) % 60
			text += fmt.Sprintf("u%d,film %d,%d\n", u, film, 1+(film+u%3)%5)
		}
	}
	for path, text := range map[string]string{ratings: text, tiers: `[["film 0"],["film 1"]]`} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"evaluate", ratings, "--models", "shrunk,item-mean", "--given", "10", "--quiet"}, "shrunk"},
		{[]string{"model", "settings", "shrunk"}, "pull"},
		{[]string{"train", ratings, "--model", "shrunk", "--set", "pull=2", "-o", kept, "--quiet"}, ""},
		{[]string{"recommend", kept, "--tiers", tiers, "-n", "3", "--format", "jsonl", "--quiet"}, `"rank":3`},
	} {
		var stdout, stderr bytes.Buffer
		if code := program.Run(t.Context(), c.args, strings.NewReader(""), &stdout, &stderr); code != 0 || !strings.Contains(stdout.String(), c.want) {
			t.Errorf("%v: exit code %d, no %q in\n%s%s", c.args, code, c.want, stdout.String(), stderr.String())
		}
	}
}
