package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// steering are ids that would do something to a terminal or a spreadsheet.
var steering = []string{"\x1b]0;owned\x07", "\u009b31mred", "\u202eevil", "two\tcells", "=1+1", "+1+1", "-1+1", "@SUM(1)", "-5", "plain"}

// steered is a CSV of ratings of such items by such users, and a model of it.
func steered(t *testing.T) (data, model string) {
	t.Helper()
	folder := t.TempDir()
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	rows := [][]string{{"user", "item", "rating"}}
	for u, user := range steering {
		for i, item := range steering {
			if (u+i)%3 > 0 {
				rows = append(rows, []string{user, item, []string{"1", "3", "5"}[(u+2*i)%3]})
			}
		}
	}
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	data, model = filepath.Join(folder, "ratings.csv"), filepath.Join(folder, "m.safetensors")
	if err := os.WriteFile(data, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	fubini(t, "train", data, "-o", model, "--epochs", "2", "--hidden", "2", "--calibrate", "0", "--quiet")
	return data, model
}

func steersTerminal(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' || r == '\u202e' })
}

// Texts from files steer no terminal, in tables, notes and errors.
func TestTablesSteerNoTerminal(t *testing.T) {
	data, model := steered(t)
	for _, args := range [][]string{
		{"recommend", model, "--users", data, "--min-support", "0"},
		{"recommend", model, "--users", data, "--min-support", "0", "--unknown", "error"},
		{"embed", model, data},
		{"similar", model, "--item", steering[0], "--min-support", "0"},
		{"similar", model, "--item", "\x1b[2J"},
		{"loglik", model, data, "--steps", "2", "--runs", "2"},
		{"data", "info", data},
		{"data", "info", filepath.Join(t.TempDir(), "\x1b[2J.csv")},
	} {
		var out, messages bytes.Buffer
		run(t.Context(), args, nil, &out, &messages)
		if text := out.String() + messages.String(); text == "" || steersTerminal(text) {
			t.Errorf("%q writes %q", args, text)
		}
	}
	for line := range strings.Lines(fubini(t, "recommend", model, "--users", data, "--min-support", "0", "--no-odds", "--quiet")) {
		if fields := strings.Fields(line); len(fields) != 0 && len(fields) != 5 && !strings.Contains(line, `two\tcells`) {
			t.Errorf("a row of %d fields: %q", len(fields), line)
		}
	}
}

// In CSV no text begins a formula; what is a number stays one, and other formats have
// every id as it is.
func TestCSVHasNoFormulas(t *testing.T) {
	data, model := steered(t)
	perUser := filepath.Join(t.TempDir(), "users.csv")
	fubini(t, "evaluate", data, "--protocol", "random", "--models", "item-mean", "--per-user", perUser, "--quiet")
	judged, err := os.ReadFile(perUser)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, text := range []string{
		string(judged),
		fubini(t, "recommend", model, "--users", data, "--min-support", "0", "--format", "csv", "--quiet"),
		fubini(t, "embed", model, data, "--with-items", "--min-support", "0", "--format", "csv", "--quiet"),
	} {
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			for _, cell := range row {
				seen[cell] = true
			}
		}
	}
	for _, id := range steering {
		switch guarded := strings.ContainsAny(id[:1], "=+-@") && id != "-5"; {
		case guarded && (seen[id] || !seen["'"+id]):
			t.Errorf("%q is as it was, or missing", id)
		case !guarded && !seen[id]:
			t.Errorf("%q is missing", id)
		}
	}
	found := map[string]bool{}
	for line := range strings.Lines(fubini(t, "recommend", model, "--users", data, "--min-support", "0", "--format", "jsonl", "--quiet")) {
		var row struct{ Item string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		found[row.Item] = true
	}
	for _, id := range steering {
		if !found[id] {
			t.Errorf("JSON has no %q", id)
		}
	}
}
