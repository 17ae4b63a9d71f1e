package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// smallWorld trains a model of twelve films on ratings in a folder, and makes a key of an admin: what a server with
// everything needs.
func smallWorld(t *testing.T) (folder, model, database, key string) {
	t.Helper()
	folder = t.TempDir()
	var ratings strings.Builder
	ratings.WriteString("user,item,rating\n")
	for u := range 200 {
		for i := range 8 {
			fmt.Fprintf(&ratings, "u%d,film %d,%d\n", u, (u+i*5)%12, 1+(u*7+i*3+u*i)%5)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "ratings.csv"), []byte(ratings.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	model, database = filepath.Join(folder, "m.safetensors"), "sqlite:"+filepath.Join(folder, "f.db")
	fubini(t, "train", filepath.Join(folder, "ratings.csv"), "-o", model, "--epochs", "3", "--hidden", "2", "--quiet")
	var made struct{ Token string }
	if err := json.Unmarshal([]byte(fubini(t, "key", "add", "test", "--scope", "admin", "--db", database, "--format", "json")), &made); err != nil {
		t.Fatal(err)
	}
	return folder, model, database, made.Token
}

// The operator's view on the real program: a key that is no admin's, then model, health, load, jobs, a shared list with
// what we recommend and why, an item's neighbours, and calibration from what people placed. On a desk and a phone, light
// and dark, without serious findings of axe.
func TestOperator(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	folder, model, database, key := smallWorld(t)
	server := start(t, "serve", model, "--addr", "127.0.0.1:0", "--db", database, "--data-dir", folder)
	for n := range 3 {
		body := fmt.Sprintf(`{"title": "Somebody's", "tiers": [{"name": "S", "colour": "#8a1c4a", "items": ["film %d", "film 1"]}, {"name": "A", "colour": "#68717a", "items": ["film 3", "film 4"]}]}`, 5+n)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, fmt.Sprintf("%s/v1/lists/the-list-of-some-person-%d", server.URL, n), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-List-Secret", "a-secret-of-the-owner")
		r.Header.Set("If-None-Match", "*")
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil || answer.StatusCode != http.StatusCreated {
			t.Fatalf("%v %v", answer, err)
		}
		_ = answer.Body.Close()
	}
	for _, on := range []screen{desktop, {width: 390, height: 844, touch: true, still: true, dark: true, density: 2}} {
		b := newTab(t, ctx, server.fake)
		b.device(on)
		b.visit("/#/operator")
		b.wantText(".operator", "Only a key with the scope admin opens it")
		b.axe("operator without a key", "document")
		open := func(word string) {
			b.do(`document.querySelector(".operator .asking input").value = %q; document.querySelector(".operator .asking").requestSubmit()`, word)
		}
		open("fub_somebody")
		b.wantText(".operator", "That key is no admin's.")
		open(key)
		b.wantText(".operator .lead", "Ready")
		b.wantText(".operator .facts", "latent-osm")
		b.wantText(".op-load", "/v1/lists/{id}")
		b.wantText(".op-jobs", "No job yet.")
		b.wantText(".op-held", "points")
		if got := eval[string](b, `[...document.querySelectorAll(".op-held tbody tr")].map((e) => [...e.children].slice(1, 3).map((c) => c.textContent).join(" ")).join()`); got != "3 12" {
			t.Errorf("lists and placements held against the odds: %q, want 3 lists of 4", got)
		}
		b.do(`const f = document.querySelector(".op-somebody form"); f.querySelector("input").value = %q; f.requestSubmit()`, server.URL+"/#/list/the-list-of-some-person-0")
		b.wantText(".op-somebody", "Somebody's: S 2, A 2")
		b.wait(`document.querySelectorAll(".op-somebody .opRows li").length === 8`)
		b.do(`document.querySelector(".op-somebody .opRows button").click()`)
		b.wantText(".op-somebody .plainTable", "Score")
		if sums := eval[[]float64](b, `(() => { const n = [...document.querySelectorAll(".op-somebody .plainTable tbody td")].map((e) => Number(e.textContent.replace("−", "-").replace("+", ""))); return [n.slice(0, -1).reduce((a, b) => a + b, 0), n.at(-1)]; })()`); fmt.Sprintf("%.2f", sums[0]) != fmt.Sprintf("%.2f", sums[1]) {
			t.Errorf("the reasons add up to %.2f, the score is %.2f", sums[0], sums[1])
		}
		b.do(`const f = document.querySelector(".op-somebody form"); f.querySelector("input").value = "S: film 1, film 2"; f.requestSubmit()`)
		b.wantText(".op-somebody", "The list as typed: S 2")
		b.do(`const f = document.querySelector(".op-somebody form"); f.querySelector("input").value = "no-such-list-anywhere-at-all"; f.requestSubmit()`)
		b.wait(`document.querySelector(".op-somebody .bad")`)
		b.do(`const f = document.querySelector(".op-neighbours form"); f.querySelector("input").value = "film 3"; f.requestSubmit()`)
		b.wait(`document.querySelector(".op-neighbours .opRows button")`)
		b.do(`document.querySelector(".op-neighbours .opRows button").click()`)
		b.wait(`document.querySelectorAll(".op-neighbours tbody tr").length >= 10`)
		if sideways := eval[[]int](b, `[document.documentElement.scrollWidth, innerWidth]`); sideways[0] > sideways[1] {
			t.Errorf("the page is %d wide of %d", sideways[0], sideways[1])
		}
		b.axe("operator", "document")
		b.picture(fmt.Sprintf("operator-%d", on.width))
		if kept := eval[bool](b, `JSON.stringify([Object.values(localStorage), Object.values(sessionStorage), location.href]).includes(%q)`, key); kept {
			t.Error("the admin's key is kept")
		}
		b.clean()
	}
}
