package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fubini/app/servertest"
)

// child is `fubini serve` in a process of its own.
type child struct{ *process }

// room sets how large files of the process may grow, which is a disk that is full or
// has room again.
func (c child) room(t *testing.T, bytes uint64) {
	t.Helper()
	limit := unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}
	if err := unix.Prlimit(c.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
		t.Fatal(err)
	}
}

// put makes a list and returns the answer.
func (c child) put(t *testing.T, id, title string) (*http.Response, string) {
	t.Helper()
	body := fmt.Sprintf(`{"title":%q,"tiers":[{"name":%q,"items":[]}],"hidden":[%s]}`, title, "S", strings.Repeat(`"an item that takes some room",`, 150)+`"x"`)
	return servertest.Ask(t, http.MethodPut, c.URL+"/v1/lists/"+id, body, "X-List-Secret", "an owner's own secret", "If-None-Match", "*")
}

// A disk that is full, as clients of the server see it: a clear 503 for what would be
// written, everything else as ever, nothing damaged, and no restart when there is room
// again. Three times, from log and file as they happen to stand.
func TestServeOnAFullDisk(t *testing.T) {
	folder := t.TempDir()
	model, file := filepath.Join(folder, "m.safetensors"), filepath.Join(folder, "f.db")
	fubini(t, "train", smallData(t, folder, 20), "-o", model, "--epochs", "2", "--hidden", "2", "--quiet")
	var key struct{ Token string }
	if err := json.Unmarshal([]byte(fubini(t, "key", "add", "test", "--scope", "admin", "--db", "sqlite:"+file, "--format", "json")), &key); err != nil {
		t.Fatal(err)
	}
	c := child{startServe(t, model, "--db", "sqlite:"+file)}
	kept := map[string]string{} // titles by id, of what was acknowledged
	write := func() (*http.Response, string) {
		id := fmt.Sprintf("full-disk-%016d", len(kept))
		title := fmt.Sprintf("list %d", len(kept))
		answer, text := c.put(t, id, title)
		if answer.StatusCode == http.StatusCreated {
			kept[id] = title
		}
		return answer, text
	}
	check := func(when string) {
		t.Helper()
		for id, title := range kept {
			if status, text := post(t, c.URL+"/v1/lists/"+id, ""); status != http.StatusOK || !strings.Contains(text, title) {
				t.Errorf("%s: list %s: status %d: %.200s", when, id, status, text)
			}
		}
		if status, text := post(t, fmt.Sprintf("%s/v1/lists/full-disk-%016d", c.URL, len(kept)), ""); status != http.StatusNotFound {
			t.Errorf("%s: what was refused is there: status %d: %.200s", when, status, text)
		}
	}
	write()
	for round := range 3 {
		log, err := os.Stat(file + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		c.room(t, uint64(log.Size())+100_000)
		answer, text := write()
		for writes := 0; answer.StatusCode == http.StatusCreated; writes++ {
			if writes > 200 {
				t.Fatal("the disk does not get full")
			}
			answer, text = write()
		}
		for range 3 { // it stays so, and says it
			var problem struct {
				Detail    string `json:"detail"`
				RequestID string `json:"request_id"`
			}
			if err := json.Unmarshal([]byte(text), &problem); err != nil || answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" ||
				!strings.Contains(problem.Detail, "storage is unavailable") || problem.RequestID == "" {
				t.Fatalf("round %d: %s, Retry-After %q: %s", round, answer.Status, answer.Header.Get("Retry-After"), text)
			}
			answer, text = write()
		}
		if !strings.Contains(c.Log.String(), "its disk has room") {
			t.Error("the log does not tell what to look at")
		}
		check("while the disk is full")
		if status, text := post(t, c.URL+"/readyz", ""); status != http.StatusOK || !strings.Contains(text, "storage cannot be written") {
			t.Errorf("/readyz on a full disk: status %d: %s", status, text)
		}
		if _, text := post(t, c.URL+"/metrics", ""); !strings.Contains(text, "\nfubini_store_up 0\n") {
			t.Error("fubini_store_up is not 0 on a full disk")
		}
		if status, text := post(t, c.URL+"/v1/recommend", `{"tiers":[["alien"],["clue"]]}`); status != http.StatusOK {
			t.Errorf("recommending on a full disk: status %d: %s", status, text)
		}
		// What admins do is written down first, so that it is not done. That takes little
		// room, of which now there is none.
		c.room(t, 1)
		if status, text := post(t, c.URL+"/v1/model/reload", "{}", "Authorization", "Bearer "+key.Token); status != http.StatusServiceUnavailable {
			t.Errorf("reloading on a full disk: status %d: %s", status, text)
		}
		c.room(t, unix.RLIM_INFINITY)
		if answer, text := write(); answer.StatusCode != http.StatusCreated {
			t.Fatalf("there is room again, and yet %s: %s", answer.Status, text)
		}
		check("with room again")
		if status, text := post(t, c.URL+"/readyz", ""); status != http.StatusOK || strings.Contains(text, "storage") {
			t.Errorf("/readyz with room again: status %d: %s", status, text)
		}
	}
	// Not even a kill loses what was acknowledged.
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // killed, as it should be
	backup := fubini(t, "db", "backup", "--db", "sqlite:"+file, "--quiet")
	if lists := strings.Count(backup, `{"table":"lists"`); lists != len(kept) {
		t.Errorf("%d lists in the file, %d were acknowledged", lists, len(kept))
	}
	for id := range kept {
		if !bytes.Contains([]byte(backup), []byte(`"`+id+`"`)) {
			t.Errorf("list %s is gone", id)
		}
	}
}
