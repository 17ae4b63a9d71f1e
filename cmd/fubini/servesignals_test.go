package main

import (
	"database/sql"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fubini/app/servertest"
)

// A server that is told to end says so where balancers ask, and answers those who come
// all the same, before it stops to listen. A second signal ends it at once.
func TestServeIsALameDuckFirst(t *testing.T) {
	folder := t.TempDir()
	model := filepath.Join(folder, "m.safetensors")
	fubini(t, "train", smallData(t, folder, 20), "-o", model, "--epochs", "2", "--hidden", "2", "--quiet")
	c := startServe(t, model, "--db", "sqlite::memory:", "--lame-duck", "3600")
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.Log.Await(t, "ending (soon)")
	if status, text := post(t, c.URL+"/readyz", ""); status != http.StatusServiceUnavailable || !strings.Contains(text, "shutting down") {
		t.Errorf("/readyz: status %d: %s", status, text)
	}
	if status, text := post(t, c.URL+"/v1/recommend", `{"tiers":[["alien"]]}`); status != http.StatusOK {
		t.Errorf("recommend: status %d: %s", status, text)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // by the signal; the test would wait for an hour otherwise
}

// A SIGHUP that comes while the server is still opening its store ends nothing: it reloads
// once there is something to reload. The database that everybody can write is warned of.
func TestServeTakesEarlySignals(t *testing.T) {
	s := newJobServer(t)
	path := strings.TrimPrefix(s.database, "sqlite:")
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	lock, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	lock.SetMaxOpenConns(1)
	if _, err := lock.Exec("BEGIN IMMEDIATE"); err != nil { // the server waits for the end of it
		t.Fatal(err)
	}
	log := &servertest.Log{}
	cmd := exec.CommandContext(t.Context(), "fubini", append([]string{"serve", "--addr", "127.0.0.1:0", "--log", "json"}, s.args()...)...)
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	log.Await(t, `can be written by (everybody)`)
	if strings.Contains(log.String(), " serves ") {
		t.Error("it serves already: the test comes too late to tell anything")
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if _, err := lock.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	url := addressIn(t, log)
	log.Await(t, `"msg":"(the model was reloaded)"`)
	if status, text := post(t, url+"/v1/recommend", `{"tiers":[["alien"]]}`); status != http.StatusOK {
		t.Errorf("recommend: status %d: %s", status, text)
	}
}
