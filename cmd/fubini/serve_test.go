package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fubini/app/exit"
	"fubini/app/servertest"
)

// served is a server in this process; end ends it and returns its exit code.
func served(t *testing.T, args ...string) (url string, log *servertest.Log, end func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	log = &servertest.Log{}
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--log", "json", "--lame-duck", "0"}, args...), strings.NewReader(""), io.Discard, log)
	}()
	end = sync.OnceValue(func() int {
		cancel()
		return <-code
	})
	t.Cleanup(func() { end() })
	return addressIn(t, log), log, end
}

// post sends a body, or asks for a page where there is none.
func post(t *testing.T, url, body string, headers ...string) (int, string) {
	t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	answer, text := servertest.Ask(t, method, url, body, headers...)
	return answer.StatusCode, text
}

// smallData writes ratings of a few users into a folder.
func smallData(t *testing.T, folder string, users int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("user,item,rating\n")
	for u := range users {
		for i, item := range []string{"alien", "brazil", "clue", "dune"} {
			fmt.Fprintf(&text, "u%d,%s,%d\n", u, item, 1+(u*7+i*3+u*i)%5)
		}
	}
	path := filepath.Join(folder, "ratings.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// From a file to answers; the same as the command's; SIGHUP, a trained model, and a
// good end.
func TestServe(t *testing.T) {
	folder := t.TempDir()
	data := smallData(t, folder, 20)
	model, database := filepath.Join(folder, "m.safetensors"), "sqlite:"+filepath.Join(folder, "f.db")
	fubini(t, "train", data, "-o", model, "--epochs", "5", "--hidden", "2", "--quiet")
	var key struct{ Token string }
	if err := json.Unmarshal([]byte(fubini(t, "key", "add", "test", "--scope", "admin", "--db", database, "--format", "json")), &key); err != nil {
		t.Fatal(err)
	}
	url, log, end := served(t, model, "--db", database, "--data-dir", folder)

	tiers := filepath.Join(folder, "tiers.json")
	if err := os.WriteFile(tiers, []byte(`[["alien"],["clue"]]`), 0o600); err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Item      string
		Score     float64
		TierProbs []float64 `json:"tier_probs"`
	}
	var byCommand []answer
	if err := json.Unmarshal([]byte(fubini(t, "recommend", model, "--tiers", tiers, "--format", "json", "--quiet")), &byCommand); err != nil {
		t.Fatal(err)
	}
	var byServer struct{ Items []answer }
	status, text := post(t, url+"/v1/recommend", `{"tiers":[["alien"],["clue"]]}`)
	if err := json.Unmarshal([]byte(text), &byServer); err != nil || status != 200 {
		t.Fatalf("status %d, %v: %s", status, err, text)
	}
	if fmt.Sprint(byServer.Items) != fmt.Sprint(byCommand) || len(byCommand) != 2 {
		t.Errorf("the server says %v, the command %v", byServer.Items, byCommand)
	}

	before := log.Await(t, `"msg":"serving","model":"([0-9a-f]+)"`)
	fubini(t, "train", data, "-o", model, "--epochs", "7", "--hidden", "2", "--quiet")
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	after := log.Await(t, `"msg":"the model was reloaded",.*"model":"([0-9a-f]+)"`)
	if after == before {
		t.Error("SIGHUP read the same model")
	}
	if err := os.WriteFile(model, []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	log.Await(t, "the model was not reloaded, the old one goes on serving")

	admin := []string{"Authorization", "Bearer " + key.Token}
	if status, text = post(t, url+"/v1/jobs", `{"kind":"train","data":"ratings.csv","epochs":3,"hidden":2}`, admin...); status != 202 {
		t.Fatalf("status %d: %s", status, text)
	}
	log.Await(t, `"msg":"a job ended",.*"state":"(done)"`)
	if _, text = post(t, url+"/v1/model", ""); !strings.Contains(text, `"epoch":[1,2,3]`) {
		t.Errorf("after a job: %s", text)
	}
	if status, text = post(t, url+"/v1/jobs", `{"kind":"train","data":"tiers.json"}`, admin...); status != 202 {
		t.Fatalf("status %d: %s", status, text)
	}
	if code := end(); code != 0 {
		t.Errorf("exit code %d: %s", code, log)
	}
	if strings.Contains(log.String(), key.Token) {
		t.Error("the log has the key")
	}
}

// A request under way when the server is told to end is answered; later ones are not
// taken.
func TestServeEndsInGoodOrder(t *testing.T) {
	folder := t.TempDir()
	model := filepath.Join(folder, "m.safetensors")
	fubini(t, "train", smallData(t, folder, 20), "-o", model, "--epochs", "2", "--hidden", "2", "--quiet")
	url, log, end := served(t, model, "--db", "sqlite::memory:")
	body, writer := io.Pipe()
	status := make(chan int, 1)
	go func() {
		r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodPost, url+"/v1/recommend", body)
		if err != nil {
			status <- -1
			return
		}
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			status <- 0
			return
		}
		answer.Body.Close()
		status <- answer.StatusCode
	}()
	if _, err := io.WriteString(writer, `{"tiers":`); err != nil { // the header is there, half of the body too
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	code := make(chan int, 1)
	go func() { code <- end() }()
	log.Await(t, "ending: requests under way are answered")
	time.Sleep(50 * time.Millisecond)
	if _, err := http.Get(url + "/healthz"); err == nil {
		t.Error("new requests are taken")
	}
	_, _ = io.WriteString(writer, `[]}`)
	writer.Close()
	if got := <-status; got != 200 {
		t.Errorf("the request under way got %d", got)
	}
	if got := <-code; got != 0 {
		t.Errorf("exit code %d: %s", got, log)
	}
}

// Who may listen where.
func TestServeElsewhereNeedsKeys(t *testing.T) {
	folder := t.TempDir()
	model, database := filepath.Join(folder, "m.safetensors"), "sqlite:"+filepath.Join(folder, "f.db")
	fubini(t, "train", smallData(t, folder, 20), "-o", model, "--epochs", "2", "--hidden", "2", "--quiet")
	var messages bytes.Buffer
	if code := run(t.Context(), []string{"serve", model, "--addr", "0.0.0.0:0", "--db", database}, nil, io.Discard, &messages); code != exit.WrongUsage || !strings.Contains(messages.String(), "fubini key add") {
		t.Errorf("exit code %d: %s", code, &messages)
	}
	fubini(t, "key", "add", "reader", "--scope", "read", "--db", database, "--quiet")
	for _, more := range [][]string{nil, {"--insecure-no-keys"}} {
		ctx, cancel := context.WithCancel(t.Context())
		log := &servertest.Log{}
		code := make(chan int, 1)
		go func() {
			code <- run(ctx, append([]string{"serve", model, "--addr", "0.0.0.0:0", "--lame-duck", "0", "--db", database}, more...), nil, io.Discard, log)
		}()
		port := log.Await(t, `http://\S+:(\d+) serves`)
		want := http.StatusUnauthorized
		if more != nil {
			want = http.StatusOK
		}
		if status, text := post(t, "http://127.0.0.1:"+port+"/v1/recommend", `{"tiers":[]}`); status != want {
			t.Errorf("%v: status %d, want %d: %s", more, status, want, text)
		}
		cancel()
		if got := <-code; got != 0 {
			t.Errorf("exit code %d: %s", got, log)
		}
	}
}

// The program can ask a server of its own whether it is ready; ports are asked on
// loopback wherever the server listens.
func TestServeCheck(t *testing.T) {
	folder := t.TempDir()
	model := filepath.Join(folder, "m.safetensors")
	fubini(t, "train", smallData(t, folder, 20), "-o", model, "--epochs", "2", "--hidden", "2", "--quiet")
	url, _, end := served(t, model, "--db", "sqlite::memory:", "--host", "tiers.example")
	address := strings.TrimPrefix(url, "http://")
	if text := fubini(t, "serve", "--check", "--addr", address); !strings.HasPrefix(text, "ready: model ") {
		t.Errorf("%q", text)
	}
	end()
	var messages bytes.Buffer
	if code := run(t.Context(), []string{"serve", "--check", "--addr", address}, nil, io.Discard, &messages); code != exit.Failed || !strings.Contains(messages.String(), "refused") {
		t.Errorf("without a server: exit code %d: %s", code, &messages)
	}
	ending := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
	}))
	defer ending.Close()
	messages.Reset()
	if code := run(t.Context(), []string{"serve", "--check", "--addr", strings.TrimPrefix(ending.URL, "http://")}, nil, io.Discard, &messages); code != exit.Failed || !strings.Contains(messages.String(), "503 Service Unavailable: shutting down") {
		t.Errorf("a server that ends: exit code %d: %s", code, &messages)
	}
}
