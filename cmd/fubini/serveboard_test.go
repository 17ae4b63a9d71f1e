package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// What fit prints is what serve answers from the kept file.
func TestServeOfAFit(t *testing.T) {
	folder := t.TempDir()
	votes, model := filepath.Join(folder, "votes.csv"), filepath.Join(folder, "board.safetensors")
	database := "sqlite:" + filepath.Join(folder, "store.db")
	text := "model_a,model_b,winner,votes\na,b,a,40\na,b,b,30\na,b,tie,20\nb,c,b,45\nb,c,c,25\nb,c,tie,35\na,c,a,50\na,c,c,20\na,c,tie,15\n"
	if err := os.WriteFile(votes, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	printed := fubini(t, "fit", votes, "--ties", "item", "--save", model, "--format", "json", "--quiet")
	url, _, end := served(t, model, "--db", database)
	if status, got := post(t, url+"/v1/board", ""); status != 200 || compact(t, got) != compact(t, printed) {
		t.Errorf("%d %s, and fit prints %s", status, got, printed)
	}
	elo := fubini(t, "fit", votes, "--ties", "item", "--elo", "--level", "0.8", "--save", model, "--format", "json", "--quiet")
	if elo == printed {
		t.Error("the scale of Elo changes nothing")
	}
	if code := end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	plain := fubini(t, "fit", votes, "--ties", "item", "--level", "0.8", "--format", "json", "--quiet")
	url, _, _ = served(t, model, "--db", database) // on the raw scale, whatever was printed
	if status, got := post(t, url+"/v1/board", ""); status != 200 || compact(t, got) != compact(t, plain) {
		t.Errorf("%d %s, and fit prints %s", status, got, plain)
	}
	if status, got := post(t, url+"/v1/board?level=0.95", ""); status != 200 || compact(t, got) != compact(t, printed) {
		t.Errorf("%d %s, and fit at that level prints %s", status, got, printed)
	}
}

// compact is JSON without spaces.
func compact(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
