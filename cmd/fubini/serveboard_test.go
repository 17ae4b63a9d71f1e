package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"fubini/use/board"
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

// Fits with weights of tier sizes and with features of pairs are served like others, and the pairs of lists have what is expected in
// them.
func TestServeOfOtherForms(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	lists := write("lists.jsonl", `{"tiers":[["a"],["b","c"],["d"]],"weight":3}
{"tiers":[["b"],["a"],["c","d"]],"weight":2}
{"tiers":[["d"],["a"],["b"],["c"]],"weight":1}
{"tiers":[["c"],["a","b"],["d"]],"weight":1}
`)
	items := write("items.csv", "item,price\na,1\nb,2\nc,2\nd,4\n")
	for _, flags := range [][]string{{"--sizes", "--prior", "1"}, {"--covariates", items, "--alike", "price"}} {
		model := filepath.Join(folder, "board.safetensors")
		printed := fubini(t, append([]string{"fit", lists, "--save", model, "--format", "json", "--quiet"}, flags...)...)
		url, _, end := served(t, model, "--db", "sqlite:"+filepath.Join(folder, "store.db"))
		if status, got := post(t, url+"/v1/board", ""); status != 200 || compact(t, got) != compact(t, printed) {
			t.Errorf("%v: %d %s, and fit prints %s", flags, status, got, printed)
		}
		status, got := post(t, url+"/v1/board/pair?a=a&b=d", "")
		var pair board.PairReport
		if err := json.Unmarshal([]byte(got), &pair); err != nil || status != 200 {
			t.Fatalf("%v: %d %s", flags, status, got)
		}
		if e := pair.Expected; e == nil || *pair.Counted != [3]float64{6, 0, 1} || !(math.Abs(e[0]+e[1]+e[2]-7) <= 1e-9) || !(math.Abs(e[0]/7-pair.Fitted[0]) > 0.02) {
			t.Errorf("%v: %s", flags, got)
		}
		if code := end(); code != 0 {
			t.Errorf("exit code %d", code)
		}
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
