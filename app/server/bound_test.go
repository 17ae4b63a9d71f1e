package server_test

import (
	"fmt"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"fubini/app/server"
)

// hostileBodies are bodies of a megabyte with a fault at every step.
func hostileBodies() map[string]string {
	const room = 1<<20 - 100
	fill := func(begin, each, end string) string { return begin + strings.Repeat(each, room/len(each)) + end }
	var names strings.Builder
	for k := 0; names.Len() < room-20; k++ {
		fmt.Fprintf(&names, `,"x%d":0`, k)
	}
	return map[string]string{
		"items that are numbers": fill(`{"tiers":[[0`, `,0`, `]]}`),
		"items that are empty":   fill(`{"tiers":[[""`, `,""`, `]]}`),
		"items that are null":    fill(`{"tiers":[[null`, `,null`, `]]}`),
		"tiers without end":      fill(`{"tiers":[[]`, `,[]`, `]}`),
		"tiers of one item":      fill(`{"tiers":[["a"]`, `,["a"]`, `]}`),
		"objects for tiers":      fill(`{"tiers":[{}`, `,{}`, `]}`),
		"unknown fields":         `{"tiers":[]` + names.String() + `}`,
		"an unknown list":        fill(`{"tiers":[],"x":[0`, `,0`, `]}`),
		"one item":               fill(`{"tiers":[["`, `x`, `"]]}`),
		"no object":              fill(`[0`, `,0`, `]`),
	}
}

// What a hostile body makes the server allocate is little more than the body itself.
func TestHostileBodiesCostLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and the race detector allocates")
	}
	s := start(t, func(o *server.Options) { o.Log = nil })
	for name, body := range hostileBodies() {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "http://localhost/v1/recommend", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s.server.ServeHTTP(w, r)
			runtime.ReadMemStats(&after)
			if w.Code != 422 {
				t.Errorf("status %d: %.300s", w.Code, w.Body)
			}
			// Reading a body of 1 MiB into a growing buffer takes 4 MiB; a mistake of the
			// client's may double that, and not make it a hundred.
			if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
				t.Errorf("%d MiB were allocated", used>>20)
			}
			if size := w.Body.Len(); size > 8<<10 {
				t.Errorf("the answer has %d bytes", size)
			}
		})
	}
}

// The bounds leave room for the largest bodies that the document allows.
func TestTheLargestBodiesAreTaken(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	short := func(n int, prefix string) string {
		ids := make([]string, n)
		for k := range ids {
			ids[k] = fmt.Sprintf(`"%s%d"`, prefix, k)
		}
		return "[" + strings.Join(ids, ",") + "]"
	}
	tiers := strings.Repeat(`{"name":"A","colour":"red","items":[]},`, 999) + `{"name":"🍕 \ud83c\udf55","colour":"red","items":` + short(5_000, "i") + `}`
	list := `{"title":"` + strings.Repeat(`\ud83c\udf55`, 200) + `","guesses":true,"tiers":[` + tiers + `],"unranked":` + short(10_000, "u") + `,"hidden":` + short(10_000, "h") + `}`
	if got := s.ask("PUT", someList, list, "X-List-Secret", aSecret, "If-None-Match", "*"); got.status != 201 {
		t.Errorf("the largest list: %d: %.300s", got.status, got.text)
	}
	if got := s.ask("PUT", someList, strings.Replace(list, `"title":"`, `"title":"x`, 1), "X-List-Secret", aSecret, "If-Match", "*"); got.status != 422 {
		t.Errorf("one letter more: %d: %.300s", got.status, got.text)
	}
	ranked := `{"tiers":[` + strings.Repeat(`[],`, 999) + short(5_000, "i") + `],"exclude":` + short(10_000, "u") + `,"only":` + short(10_000, "h") + `}`
	if got := s.ask("POST", "/v1/recommend", ranked); got.status != 200 {
		t.Errorf("the largest question: %d: %.300s", got.status, got.text)
	}
}

// A body that is too large is refused at the place where it is.
func TestExcessIsNamed(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for body, location := range map[string]string{
		`{"tiers":[` + strings.Repeat("[],", 1_000) + `[]]}`:                                 "body.tiers",
		`{"tiers":[[],[` + strings.Repeat(`"a",`, 5_000) + `"a"]]}`:                          "body.tiers[1]",
		`{"tiers":[["` + strings.Repeat("x", 10_000) + `"]]}`:                                "body.tiers[0][0]",
		`{"tiers":[],"only":[` + strings.Repeat("0,", 30) + `0]}`:                            "body.only[20]",
		`{"tiers":[` + strings.Repeat(`[`+strings.Repeat(`"a",`, 400)+`"a"],`, 100) + `[]]}`: "body.tiers[81][203]", // 2 + 82 + 81·401 + 204 values
	} {
		expectProblem(t, s.ask("POST", "/v1/recommend", body), 422, location)
	}
}

// The time for an answer includes the look at the question.
func TestTheTimeLimitCoversValidation(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Time = time.Nanosecond })
	for name, body := range hostileBodies() {
		if got := s.ask("POST", "/v1/recommend", body); got.status != 503 || !strings.Contains(string(got.text), "took too long") {
			t.Errorf("%s: %d: %.300s", name, got.status, got.text)
		}
	}
}
