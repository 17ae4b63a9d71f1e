package server_test

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"fubini/app/server"
	"fubini/app/store"
)

// endlessly trains until it is told to end.
func endlessly(ctx context.Context, order server.TrainOrder, observe func(server.Progress)) (server.Candidate, error) {
	observe(server.Progress{Epoch: 1, Epochs: order.Epochs})
	<-ctx.Done()
	return nil, ctx.Err()
}

// sharing starts a server that trains until it is told to end, on a store that others
// have too; servers that are silent for as long as given are taken to be gone.
func sharing(t *testing.T, kept store.Store, silence time.Duration) *setup {
	t.Helper()
	return start(t, func(o *server.Options) {
		o.Train, o.Limits.Silence = endlessly, silence
		if kept != nil {
			o.Store = kept
		}
	})
}

// state waits until a job is in a state, and says whether it came to be.
func state(t *testing.T, kept store.Store, id string, want store.State) bool {
	t.Helper()
	for range 500 {
		if job, err := kept.GetJob(t.Context(), id); err == nil && job.State == want {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

const aJob = `{"kind":"train","data":"ratings.csv","epochs":5}`

// A server that starts beside another one leaves its jobs alone for as long as the
// other stirs, shows them, and ends those of a server that is gone.
func TestServersOnOneStoreLeaveEachOthersJobsAlone(t *testing.T) {
	t.Parallel()
	const silence = 2 * time.Second // long beside the pauses of a busy machine
	one := sharing(t, nil, silence)
	running := read[job](t, one.ask("POST", "/v1/jobs", aJob, one.key()...), 202)
	waiting := read[job](t, one.ask("POST", "/v1/jobs", aJob, one.key()...), 202)
	gone, err := one.store.CreateJob(t.Context(), "a server that was killed", "train", []byte(aJob))
	if err != nil {
		t.Fatal(err)
	}
	other := sharing(t, one.store, silence)
	if !state(t, one.store, gone.ID, store.Cancelled) {
		t.Error("the job of a server that is gone goes on")
	}
	time.Sleep(2 * silence)
	for id, want := range map[string]store.State{running.ID: store.Running, waiting.ID: store.Queued} {
		if left, err := one.store.GetJob(t.Context(), id); err != nil || left.State != want {
			t.Errorf("a job that was %s is %s, %v", want, left.State, err)
		}
	}
	// Both are known to the other server, which can watch and cancel them.
	r, err := http.NewRequestWithContext(t.Context(), "GET", other.URL+"/v1/jobs/"+running.ID+"/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+one.admin)
	stream, err := other.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), `data: {"epoch":1,`) {
	}
	for _, id := range []string{waiting.ID, running.ID} {
		if got := other.ask("POST", "/v1/jobs/"+id+"/cancel", "", "Authorization", "Bearer "+one.admin); got.status != 200 {
			t.Errorf("status %d: %s", got.status, got.text)
		}
	}
	last := ""
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data: ") {
			last = lines.Text()
		}
	}
	if !strings.Contains(last, `"state":"cancelled"`) {
		t.Errorf("the stream ends with %q", last)
	}
	// The first one hears of it: its place is free for another job.
	next := read[job](t, one.ask("POST", "/v1/jobs", aJob, one.key()...), 202)
	if !state(t, one.store, next.ID, store.Running) {
		t.Error("a job cancelled elsewhere goes on running")
	}
}

// After an outage of the store all servers have been silent; that is nobody's end.
func TestAnOutageOfTheStoreEndsNoJobs(t *testing.T) {
	t.Parallel()
	const silence = 2 * time.Second // long beside the pauses of a busy machine
	var kept *flaky
	one := start(t, func(o *server.Options) {
		kept = &flaky{Store: o.Store}
		o.Store, o.Train, o.Limits.Silence = kept, endlessly, silence
	})
	running := read[job](t, one.ask("POST", "/v1/jobs", aJob, one.key()...), 202)
	if !state(t, one.store, running.ID, store.Running) {
		t.Fatal("the job does not start")
	}
	sharing(t, kept, silence)
	time.Sleep(2 * silence)
	kept.away.Store(true)
	time.Sleep(2 * silence)
	kept.away.Store(false)
	time.Sleep(2 * silence)
	if left, err := one.store.GetJob(t.Context(), running.ID); err != nil || left.State != store.Running {
		t.Errorf("after the outage the job is %s, %v", left.State, err)
	}
}

// A server that trains nothing leaves the jobs of another one on the same store alone.
func TestAServerThatTrainsNothingLeavesJobsAlone(t *testing.T) {
	s := start(t, nil)
	job, err := s.store.CreateJob(t.Context(), "a server that was killed", "train", []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	start(t, func(o *server.Options) { o.Store, o.Train, o.Limits.Silence = s.store, nil, 10*time.Millisecond })
	time.Sleep(100 * time.Millisecond)
	if job, err = s.store.GetJob(t.Context(), job.ID); err != nil || job.State != store.Queued {
		t.Errorf("%+v, %v", job, err)
	}
}
