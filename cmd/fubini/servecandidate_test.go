package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fubini/cmd/fubini/input"
)

// jobServer has a model, data to train on, and an admin's key.
type jobServer struct {
	folder, model, database string
	admin                   []string // header
}

func newJobServer(t *testing.T) jobServer {
	t.Helper()
	folder := t.TempDir()
	s := jobServer{folder: folder, model: filepath.Join(folder, "m.safetensors"), database: "sqlite:" + filepath.Join(folder, "f.db")}
	fubini(t, "train", smallData(t, folder, 20), "-o", s.model, "--epochs", "2", "--hidden", "2", "--quiet")
	var key struct{ Token string }
	if err := json.Unmarshal([]byte(fubini(t, "key", "add", "test", "--scope", "admin", "--db", s.database, "--format", "json")), &key); err != nil {
		t.Fatal(err)
	}
	s.admin = []string{"Authorization", "Bearer " + key.Token}
	return s
}

// args are those of serve.
func (s jobServer) args() []string {
	return []string{s.model, "--db", s.database, "--data-dir", s.folder}
}

func (s jobServer) bytes(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(s.model)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// left are the temporary files beside the model.
func (s jobServer) left(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range entries {
		if strings.HasPrefix(each.Name(), ".") {
			names = append(names, each.Name())
		}
	}
	return names
}

// A model that cannot be served is trained: the file of the one that is served is as it
// was, and the next start finds it. The next job, which does well, leaves the model before
// it under a name of its own.
func TestServeKeepsItsModelThroughABadJob(t *testing.T) {
	s := newJobServer(t)
	var text strings.Builder
	text.WriteString("user,item,rating\n")
	long := strings.Repeat("x", 300) // the API takes ids of up to 200 bytes
	for u := range 20 {
		for i := range 4 {
			fmt.Fprintf(&text, "u%d,%s%d,%d\n", u, long, i, 1+(u*7+i*3+u*i)%5)
		}
	}
	if err := os.WriteFile(filepath.Join(s.folder, "long.csv"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	before := s.bytes(t)
	url, log, end := served(t, s.args()...)
	if status, text := post(t, url+"/v1/jobs", `{"kind":"train","data":"long.csv","epochs":2,"hidden":2}`, s.admin...); status != 202 {
		t.Fatalf("status %d: %s", status, text)
	}
	log.Await(t, `"msg":"a job ended",.*"state":"(failed)"`)
	if !bytes.Equal(s.bytes(t), before) {
		t.Error("the file is not that of the model which is served")
	}
	if names := s.left(t); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
	end()
	url, log, _ = served(t, s.args()...) // the next start
	if status, text := post(t, url+"/v1/recommend", `{"tiers":[["alien"]]}`); status != 200 {
		t.Fatalf("status %d: %s", status, text)
	}
	for round := range 2 { // twice: there is a previous one then
		before = s.bytes(t)
		if status, text := post(t, url+"/v1/jobs", fmt.Sprintf(`{"kind":"train","data":"ratings.csv","epochs":%d,"hidden":2}`, 3+round), s.admin...); status != 202 {
			t.Fatalf("status %d: %s", status, text)
		}
		log.Await(t, `(?s)`+strings.Repeat(`"msg":"a job ended",[^\n]*"state":"done".*`, round+1))
		previous, err := os.ReadFile(s.model + ".previous")
		if err != nil || !bytes.Equal(previous, before) || bytes.Equal(s.bytes(t), before) {
			t.Errorf("round %d: the model before the last is not kept: %v", round, err)
		}
		if _, err := input.ReadModel(s.model); err != nil {
			t.Error(err)
		}
		if names := s.left(t); len(names) > 0 {
			t.Errorf("left behind: %v", names)
		}
	}
}

// A server that is killed in the middle of its jobs leaves a model that can be served, and
// the next start tidies up: what nobody works on, and nothing else.
func TestServeTidiesUpAfterAKill(t *testing.T) {
	s := newJobServer(t)
	for round := range 4 {
		c := startServe(t, s.args()...)
		for range 3 {
			if status, text := post(t, c.URL+"/v1/jobs", `{"kind":"train","data":"ratings.csv","epochs":2,"hidden":2}`, s.admin...); status != 202 {
				t.Fatalf("status %d: %s", status, text)
			}
		}
		c.Log.Await(t, `"msg":"a job (starts)"`)
		time.Sleep(time.Duration(round*7) * time.Millisecond)
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // killed, as it should be
		if _, err := input.ReadModel(s.model); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	name := func(text string) string { return filepath.Join(s.folder, ".m.safetensors."+text+".candidate") }
	for _, each := range []string{"0123", "busy"} {
		if err := os.WriteFile(name(each), []byte("half a mod"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	busy, err := os.OpenFile(name("busy"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	if syscall.Flock(int(busy.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		t.Fatal("no lock")
	}
	_, _, end := served(t, s.args()...)
	if names := s.left(t); len(names) != 1 || !strings.Contains(names[0], "busy") {
		t.Errorf("left behind: %v", names)
	}
	end()
}

// A pipe in place of the model is refused and waited for by nobody; the next reload
// reads what is there then.
func TestServeRefusesAPipe(t *testing.T) {
	s := newJobServer(t)
	_, log, _ := served(t, s.args()...)
	whole := s.bytes(t)
	if err := os.Remove(s.model); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(s.model, 0o600); err != nil {
		t.Fatal(err)
	}
	signal := func() {
		t.Helper()
		if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	signal()
	log.Await(t, "is a (pipe) or a device, not a model")
	if err := os.Remove(s.model); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.model, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	signal()
	log.Await(t, `"msg":"(the model was reloaded)"`)
	for _, path := range []string{"/dev/zero", "/dev/null", s.folder} {
		if _, err := input.ReadModelFile(path); err == nil || !strings.Contains(err.Error(), "not a model") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
