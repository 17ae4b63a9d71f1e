package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fubini/app/exit"
)

// Every command with long work ends soon after it is interrupted, with exit code 130, and
// leaves nothing behind. Uninterrupted each would take minutes to days: one that does not ask
// its context in the middle of the work does not come to an end here.
func TestLongWorkCanBeInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("trains models")
	}
	folder := t.TempDir()
	data, model := filepath.Join(folder, "ratings.csv"), filepath.Join(folder, "m.safetensors")
	var rows strings.Builder
	rows.WriteString("user,item,rating\n")
	for u := range 1500 {
		for k := range 12 {
			fmt.Fprintf(&rows, "u%d,i%d,%d\n", u, (7*u+11*k*k+k)%60, 1+(u*k+k*k)%5)
		}
	}
	if err := os.WriteFile(data, []byte(rows.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	once := filepath.Join(folder, "once.csv")
	fubini(t, "data", "convert", data, once, "--duplicates", "last", "--quiet")
	fubini(t, "train", data, "-o", model, "--hidden", "2", "--epochs", "1", "--calibrate", "0", "--duplicates", "last", "--quiet")
	worths := strings.Repeat("0.5,-0.5,", 20) + "0"
	given := []string{"--protocol", "given", "--given", "4", "--min-test", "2", "--duplicates", "last"}
	commands := [][]string{
		{"logz", "--worths", worths, "--nu", "0", "--method", "ais", "--steps", "3000000", "--runs", "2"},
		{"logz", "--worths", strings.Repeat("0,", 19) + "0", "--nu", "0"},
		{"loglik", model, once, "--steps", "3000000", "--runs", "2"},
		{"sample", "--worths", worths, "--nu", "0", "-n", "1000000000000"},
		{"embed", model, data, "--duplicates", "last", "--method", "tsne"},
		{"train", data, "--duplicates", "last", "--epochs", "1000000"},
		{"train", data, "--duplicates", "last", "--model", "latent-osm-paper", "--epochs", "1000000"},
		{"tune", once, "--model", "latent-osm", "--budget", "100000"},
		append([]string{"evaluate", data, "--models", "osm", "--set", "epochs=1000000"}, given...),
	}
	for _, name := range []string{"pmf", "biased-mf", "listrank-mf", "plpa", "plackett-luce-mf", "pmop", "davidson-luce", "cofirank-regress", "cofirank-ordinal", "cofirank-ndcg"} {
		commands = append(commands, []string{"train", data, "--duplicates", "last", "--model", name, "--set", "epochs=10000000"})
	}
	commands = append(commands, []string{"train", data, "--duplicates", "last", "--model", "bayesian-mf", "--set", "sweeps=10000000"})
	for _, args := range commands {
		t.Run(args[0]+" "+strings.Join(args[max(1, len(args)-4):], " "), func(t *testing.T) {
			results := t.TempDir()
			// An interrupt before the work begins proves less, and is no failure: nothing
			// here depends on how fast the machine is.
			ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, nil)
			defer cancel()
			interrupted, stop := context.WithCancel(t.Context())
			defer stop()
			context.AfterFunc(ctx, stop)
			var out, messages bytes.Buffer
			if code := run(interrupted, append(args, "-o", filepath.Join(results, "file")), strings.NewReader(""), &out, &messages); code != exit.Interrupted {
				t.Errorf("exit code %d, want %d: %s", code, exit.Interrupted, &messages)
			}
			if text := messages.String(); !strings.HasSuffix(text, "fubini: interrupted\n") {
				t.Errorf("stderr ends in %q", text[max(0, len(text)-200):])
			}
			if left, err := os.ReadDir(results); err != nil || len(left) > 0 {
				t.Errorf("left behind %v, %v", left, err)
			}
		})
	}
}
