package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// board is what a person reads on the board, row by row.
const board = `[...document.querySelectorAll(".tier")].map((e) => e.querySelector(".spine").innerText + ": " + [...e.querySelectorAll(".lane .tile")].map((x) => x.innerText).join(", ")).join("\n")`

// The real program with the real model, from the first drag to Ctrl-C.
func TestDemo(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	server := demo(t)
	b := open(t, ctx, server.fake, desktop.lively(), "")
	b.settled()
	b.wantText("header.top", "Demo world: synthetic people")
	b.wantText(".next h2", "Everyone's favourites")

	// Sorted by drag: guesses appear, with odds that add up, and the record says what we had thought.
	for i, food := range []string{"ramen", "sushi", "pizza", "burger", "bagel", "olives", "doughnut"} {
		b.place(food, []int{0, 0, 1, 2, 3, 4, 4}[i])
		b.settled()
	}
	b.wait(`document.querySelectorAll(".ghost").length >= 3 && document.querySelectorAll(".next .row").length === 6`)
	b.wantText(".record h2", "We guessed")
	for _, fault := range eval[[]string](b, `[...document.querySelectorAll(".next .row")].flatMap((row) => {
		const dots = row.querySelectorAll(".dots i").length;
		const sum = [...row.querySelector(".unseen").textContent.matchAll(/(\d+)%%/g)].reduce((n, m) => n + Number(m[1]), 0);
		return dots === 20 && sum === 100 ? [] : [row.textContent + ": " + dots + " dots, " + sum + "%%"];
	})`) {
		t.Error(fault)
	}
	b.do(`document.querySelector(".next .row").click()`)
	b.wantText(".whyCard tfoot", "Score")
	if sums := eval[[]float64](b, `(() => { const n = (s) => Number(s.replace("−", "-").replace("+", "")); const rows = [...document.querySelectorAll(".reasons tbody .number")].map((e) => n(e.textContent)); return [rows.reduce((a, b) => a + b, 0), n(document.querySelector(".reasons tfoot .number").textContent)]; })()`); fmt.Sprintf("%.2f", sums[0]) != fmt.Sprintf("%.2f", sums[1]) {
		t.Errorf("the reasons add up to %.2f, the score is %.2f", sums[0], sums[1])
	}
	b.keys(kb.Escape)
	b.wait(`document.querySelector(".mapBox .you") && document.querySelectorAll(".mapBox .mapEmoji").length === 7`)

	// Kept on the device.
	sorted := eval[string](b, "%s", board)
	b.visit("/?again")
	b.settled()
	if now := eval[string](b, "%s", board); now != sorted {
		t.Errorf("after a reload the board is\n%s\nwant\n%s", now, sorted)
	}

	// A link, opened in a clean profile.
	b.click(".share")
	b.click(".sheet .filled")
	b.wait(`document.querySelector("#share-link")?.value.includes("/list/")`)
	link := eval[string](b, `document.querySelector("#share-link").value`)
	b.keys(kb.Escape)
	b.wantText(".saved", "Saved with a link")
	visitor := newTab(t, ctx, server.fake)
	visitor.device(desktop)
	visitor.visit(strings.TrimPrefix(link, server.URL))
	visitor.wait(`document.querySelectorAll(".board .tile .emoji").length === 7`)
	if theirs := eval[string](visitor, "%s", board); theirs != sorted {
		t.Errorf("the visitor sees\n%s\nwant\n%s", theirs, sorted)
	}
	visitor.wait(`!document.querySelector(".tray, .ghost, .share")`)
	visitor.visit("/#/list/AAAAAAAAAAAAAAAAAAAAAAAA")
	visitor.wantText(".message", "This list doesn't exist, or its owner removed it.")
	visitor.visit("/#/list/%zz")
	visitor.wantText(".message", "This list doesn't exist, or its owner removed it.")
	visitor.clean()
	b.place("cookie", 0) // goes to the link by itself
	b.wantText(".saved", "Saved with a link")

	// What it learned: what is known, and what is not.
	b.visit("/#/learning")
	b.wait(`document.querySelector(".calibration .chart") && document.querySelectorAll(".units tbody tr").length === 8`)
	b.wantText(".facts", "to make it, 20 epochs")
	b.wantText(".calibration", "predictions kept out of training")
	b.wantText(".unknown", "Not measured in this training: how far imagined lists are from real ones and how many moves of a sampler were accepted.")
	b.visit("/#/learning/job")
	b.wantText(".training", "Only admins can follow a training")
	b.visit("/#/")
	b.settled()

	// Ctrl-C: the program ends well, and nothing placed is lost.
	server.interrupt(t)
	b.place("peach", 0)
	b.wantText(".next", "Offline: sorting still works, guesses wait.")
	if list := b.list(); !strings.Contains(list, "peach") {
		t.Errorf("a placement made offline was lost: %s", list)
	}
	b.clean() // no violation of the policy, and no request to anybody else
}

// An admin follows a training on the real server by its key, and sees it end.
func TestTrainingIsFollowed(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	folder := t.TempDir()
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
	model, database := filepath.Join(folder, "m.safetensors"), "sqlite:"+filepath.Join(folder, "f.db")
	fubini(t, "train", filepath.Join(folder, "ratings.csv"), "-o", model, "--epochs", "3", "--hidden", "2", "--quiet")
	var key struct{ Token string }
	if err := json.Unmarshal([]byte(fubini(t, "key", "add", "test", "--scope", "admin", "--db", database, "--format", "json")), &key); err != nil {
		t.Fatal(err)
	}
	server := start(t, "serve", model, "--addr", "127.0.0.1:0", "--db", database, "--data-dir", folder)
	b := newTab(t, ctx, server.fake)
	b.device(desktop)
	b.visit("/#/learning/job")
	b.wantText(".training", "Only admins can follow a training")
	b.wantText(".facts", "time not kept")
	b.follow("fub_somebody")
	b.wantText(".training", "That key is no admin's.")
	b.follow(key.Token)
	b.wantText(".training", "Nothing is training.")

	ask := func(path, body string) (job struct{ ID, State string }) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+key.Token)
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode > 299 {
			t.Fatalf("%s: %s %v %s", path, answer.Status, err, text)
		}
		if err := json.Unmarshal(text, &job); err != nil {
			t.Fatal(err)
		}
		return job
	}
	job := ask("/v1/jobs", `{"kind":"train","data":"ratings.csv","hidden":4,"epochs":10000}`) // longer than this test
	b.visit("/?again#/learning/job")
	b.follow(key.Token)
	b.wantText(".training", "of 10000, about")
	b.wait(`document.querySelector(".curvePanel .curve")?.points.length > 2`) // the curves grow
	ask("/v1/jobs/"+job.ID+"/cancel", "{}")
	b.wantText(".training", "It was cancelled. The old model goes on.")
	b.clean()
	server.interrupt(t)
}
