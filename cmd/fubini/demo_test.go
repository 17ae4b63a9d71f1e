package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// One command trains, serves page and API and prints where; when it is interrupted it
// ends well and leaves nothing behind.
func TestDemoServesThePage(t *testing.T) {
	skipIfShort(t)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	said, saying := io.Pipe()
	ended := make(chan int, 1)
	var stdout bytes.Buffer
	go func() {
		code := run(ctx, []string{"demo", "--addr", "127.0.0.1:0"}, strings.NewReader(""), &stdout, saying)
		saying.Close()
		ended <- code
	}()
	address := make(chan string, 1)
	var told strings.Builder
	go func() {
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			told.WriteString(lines.Text() + "\n")
			if found := regexp.MustCompile(`http://[0-9.:]+`).FindString(lines.Text()); found != "" {
				address <- found
			}
		}
		close(address)
	}()
	url, there := <-address
	if !there {
		t.Fatalf("no address was told: %s", told.String())
	}
	get := func(path string) string {
		t.Helper()
		answer, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %v", path, answer.StatusCode, err)
		}
		return string(text)
	}
	if page := get("/"); !strings.Contains(page, "<script") || !strings.Contains(page, "fubini") {
		t.Errorf("the page is %.200s", page)
	}
	about := get("/v1/model")
	for _, want := range []string{`"title":"Demo world: synthetic people"`, `"synthetic":true`, `"model":"latent-osm"`, `"hidden":8`, `"units":"binary"`, `"ece":0.0`} {
		if !strings.Contains(about, want) {
			t.Errorf("what is served has no %s: %.2000s", want, about)
		}
	}
	answer, err := http.Post(url+"/v1/recommend", "application/json", strings.NewReader(`{"tiers":[["ramen","pho"],["pizza"]],"n":3}`))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var got struct {
		Items []struct {
			Item      string    `json:"item"`
			TierProbs []float64 `json:"tier_probs"`
			GapProbs  []float64 `json:"gap_probs"`
		} `json:"items"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %v", answer.StatusCode, err)
	}
	if len(got.Items) != 3 || len(got.Items[0].TierProbs) != 2 || len(got.Items[0].GapProbs) != 3 {
		t.Errorf("recommended: %+v", got)
	}
	interrupt()
	select {
	case code := <-ended:
		if code != 0 {
			t.Errorf("exit code %d: %s", code, told.String())
		}
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
	if left, err := filepath.Glob(filepath.Join(temporary, "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	for _, want := range []string{"Demo world: synthetic people\n", "people who do not exist", "Tastes it found", "% of people   up "} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("stdout does not have %q: %s", want, stdout.String())
		}
	}
	if strings.Contains(stdout.String(), "\x1b") {
		t.Error("colours, and no terminal")
	}
}

// The model that demo writes is labelled, and good for the other commands.
func TestDemoWritesItsModel(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("trains as TestDemoServesThePage does; set FUBINI_LONG=1")
	}
	file := filepath.Join(t.TempDir(), "foods.safetensors")
	fubini(t, "demo", "-o", file, "--quiet")
	if info := fubini(t, "model", "info", file, "--format", "jsonl"); !strings.Contains(info, `"title":"Demo world: synthetic people","synthetic":true,"calibration_error":0.0`) {
		t.Errorf("it is labelled %s", info)
	}
	rows := fed(t, `[["ramen","pho","sushi"],["pizza","ice-cream"],["brussels-sprouts","coffee"]]`, "recommend", file, "--tiers", "-", "-n", "3", "--format", "jsonl", "--quiet")
	if n := strings.Count(rows, `"tier_probs":[`); n != 3 {
		t.Errorf("%d items with odds: %s", n, rows)
	}
}
