package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Output shown in the README is what the commands above it print.
func TestReadmeShowsRealOutput(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```sh\ngo run ./cmd/fubini ([^\n#]+)\n```\n\n```json\n(.*?)```")
	found := shown.FindAllSubmatch(text, -1)
	if len(found) < 2 {
		t.Fatalf("%d commands with output in the README", len(found))
	}
	for _, match := range found {
		args := append(strings.Fields(string(match[1])), "--quiet")
		if got := fubini(t, args...); got != string(match[2]) {
			t.Errorf("README, fubini %s: shown\n%s\nprinted\n%s", match[1], match[2], got)
		}
	}
}
