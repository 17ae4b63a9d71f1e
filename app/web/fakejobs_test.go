package web_test

import (
	"fmt"
	"net/http"
)

// adminKey opens the fake's jobs.
const adminKey = "fub_admin"

func admitted(w http.ResponseWriter, r *http.Request) bool {
	if r.Header.Get("Authorization") == "Bearer "+adminKey {
		return true
	}
	problem(w, http.StatusUnauthorized, "an admin key is needed")
	return false
}

// jobs are one that is done and, unless the test says otherwise, one that runs.
func (f *fake) jobs(w http.ResponseWriter, r *http.Request) {
	if !admitted(w, r) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	jobs := []map[string]any{{"id": "6", "state": "done"}}
	if !f.idle {
		jobs = append([]map[string]any{{"id": "7", "state": "running"}}, jobs...)
	}
	answer(w, map[string]any{"jobs": jobs, "next": ""})
}

// events tells of a training run that stays in its 23rd epoch until the page has gone, or the test lets it end.
func (f *fake) events(w http.ResponseWriter, r *http.Request) {
	if !admitted(w, r) {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for epoch := 1; epoch <= 23; epoch++ {
		fmt.Fprintf(w, "event: progress\ndata: {\"epoch\":%d,\"epochs\":60,\"distance\":%g,\"validation\":%g,\"log_likelihood\":0,\"left_s\":4}\n\n", epoch, 0.5-0.005*float64(epoch), 0.6+0.005*float64(epoch))
	}
	w.(http.Flusher).Flush()
	select {
	case <-r.Context().Done():
	case job := <-f.ended:
		fmt.Fprintf(w, "event: end\ndata: %s\n\n", job)
	}
}
