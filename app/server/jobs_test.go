package server_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fubini/app/server"
	"fubini/app/store"
	"fubini/data/modelfile"
)

type job struct {
	ID       string           `json:"id"`
	State    string           `json:"state"`
	Failure  string           `json:"failure"`
	Progress *server.Progress `json:"progress"`
}

// ended waits for the end of a job.
func (s *setup) ended(id string) job {
	s.t.Helper()
	for range 500 {
		j := read[job](s.t, s.ask("GET", "/v1/jobs/"+id, "", s.key()...), 200)
		if store.State(j.State).Ended() {
			return j
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatal("the job does not end")
	return job{}
}

func TestATrainedModelIsServed(t *testing.T) {
	s := start(t, nil)
	before := s.server.ModelID()
	made := read[job](t, s.ask("POST", "/v1/jobs", `{"kind":"train","data":"ratings.csv","epochs":4}`, s.key()...), 202)
	done := s.ended(made.ID)
	if done.State != "done" || done.Progress == nil || done.Progress.Epoch != 4 || s.server.ModelID() == before {
		t.Errorf("%+v, model %s", done, s.server.ModelID())
	}
	list := read[struct{ Jobs []job }](t, s.ask("GET", "/v1/jobs", "", s.key()...), 200)
	if len(list.Jobs) != 1 || list.Jobs[0].ID != made.ID {
		t.Errorf("%+v", list)
	}
	expectProblem(t, s.ask("POST", "/v1/jobs/"+made.ID+"/cancel", "", s.key()...), 409, "")
	expectProblem(t, s.ask("GET", "/v1/jobs/nothing", "", s.key()...), 404, "")
	expectProblem(t, s.ask("POST", "/v1/jobs", `{"kind":"train","data":"../../etc/passwd"}`, s.key()...), 422, "body.data")
	expectProblem(t, s.ask("POST", "/v1/jobs", `{"kind":"train","data":"nothing.csv"}`, s.key()...), 404, "body.data")
}

// Watching a job, cancelling it, and one that fails.
func TestEventsOfAJob(t *testing.T) {
	step := make(chan struct{})
	s := start(t, func(o *server.Options) {
		o.Train = func(ctx context.Context, order server.TrainOrder, observe func(server.Progress)) (server.Candidate, error) {
			if order.Seed == 13 {
				return nil, errors.New("the data are of no use")
			}
			for e := range order.Epochs {
				select {
				case <-step:
				case <-ctx.Done():
					return nil, ctx.Err()
				}
				observe(server.Progress{Epoch: e + 1, Epochs: order.Epochs})
			}
			return &trained{file: world(t, 7, 30, 3), keep: func(*modelfile.File) {}}, nil
		}
	})
	made := read[job](t, s.ask("POST", "/v1/jobs", `{"kind":"train","data":"ratings.csv","epochs":2}`, s.key()...), 202)
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/jobs/"+made.ID+"/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.admin)
	stream, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	if kind := stream.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("content type %q", kind)
	}
	lines := bufio.NewScanner(stream.Body)
	var names []string
	step <- struct{}{}
	for lines.Scan() {
		line := lines.Text()
		if name, is := strings.CutPrefix(line, "event: "); is {
			names = append(names, name)
		}
		if strings.HasPrefix(line, `data: {"epoch":1,`) {
			step <- struct{}{} // the first is heard before the second comes
		}
		if strings.HasPrefix(line, `data: {"id"`) && !strings.Contains(line, `"state":"done"`) {
			t.Errorf("the end: %s", line)
		}
	}
	if strings.Join(names, " ") != "progress progress end" && strings.Join(names, " ") != "progress end" {
		t.Errorf("events %v", names)
	}
	again := s.ask("GET", "/v1/jobs/"+made.ID+"/events", "", s.key()...)
	if !strings.Contains(string(again.text), "event: end\ndata: {") {
		t.Errorf("of a job that ended: %s", again.text)
	}
	expectProblem(t, s.ask("GET", "/v1/jobs/nothing/events", "", s.key()...), 404, "")

	running := read[job](t, s.ask("POST", "/v1/jobs", `{"kind":"train","data":"ratings.csv","epochs":2}`, s.key()...), 202)
	waiting := read[job](t, s.ask("POST", "/v1/jobs", `{"kind":"train","data":"ratings.csv","epochs":2}`, s.key()...), 202)
	for _, id := range []string{waiting.ID, running.ID} {
		if got := s.ask("POST", "/v1/jobs/"+id+"/cancel", "", s.key()...); got.status != 200 {
			t.Errorf("status %d: %s", got.status, got.text)
		}
	}
	for _, id := range []string{waiting.ID, running.ID} {
		if j := s.ended(id); j.State != "cancelled" {
			t.Errorf("%+v", j)
		}
	}
	failed := read[job](t, s.ask("POST", "/v1/jobs", `{"kind":"train","data":"ratings.csv","seed":13}`, s.key()...), 202)
	if j := s.ended(failed.ID); j.State != "failed" || j.Failure != "the data are of no use" {
		t.Errorf("%+v", j)
	}
}

// The queue of jobs has an end, and a server that closes leaves no job behind.
func TestJobsAreFewAndEnd(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Train = func(ctx context.Context, _ server.TrainOrder, _ func(server.Progress)) (server.Candidate, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	})
	var first job
	for k := range 9 {
		got := s.ask("POST", "/v1/jobs", `{"kind":"train","data":"ratings.csv"}`, s.key()...)
		if k == 8 {
			expectProblem(t, got, 429, "")
			break
		}
		if made := read[job](t, got, 202); k == 0 {
			first = made
		}
	}
	for range 200 { // until the first one runs
		if read[job](t, s.ask("GET", "/v1/jobs/"+first.ID, "", s.key()...), 200).State == "running" {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.server.Close()
	left, err := s.store.GetJob(t.Context(), first.ID)
	if err != nil || left.State != store.Interrupted {
		t.Errorf("%+v, %v", left, err)
	}
	jobs, _, err := s.store.ListJobs(t.Context(), store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		if !j.State.Ended() {
			t.Errorf("job %s is still %s", j.ID, j.State)
		}
	}
}

// A job that waits is cancelled at once, whatever runs before it, and its place is free.
func TestAWaitingJobIsCancelledAtOnce(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Train = func(ctx context.Context, _ server.TrainOrder, _ func(server.Progress)) (server.Candidate, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	})
	order := func() reply {
		return s.ask("POST", "/v1/jobs", `{"kind":"train","data":"ratings.csv"}`, s.key()...)
	}
	var last job
	for range 8 {
		last = read[job](t, order(), 202)
	}
	for range 10 { // more often than there are places
		expectProblem(t, order(), 429, "")
		if got := read[job](t, s.ask("POST", "/v1/jobs/"+last.ID+"/cancel", "", s.key()...), 200); got.State != "cancelled" {
			t.Fatalf("%+v", got)
		}
		expectProblem(t, s.ask("POST", "/v1/jobs/"+last.ID+"/cancel", "", s.key()...), 409, "")
		last = read[job](t, order(), 202)
	}
}

// A trained model is kept and served only if it passes its trial. One that does not is
// dropped; training that panics ends the job alone.
func TestTrainedModelsAreTriedFirst(t *testing.T) {
	var kept atomic.Int64
	bad := &trained{file: weighted(t, "u", 1.7e308, true), keep: func(*modelfile.File) { kept.Add(1) }}
	s := start(t, func(o *server.Options) {
		o.Train = func(_ context.Context, order server.TrainOrder, _ func(server.Progress)) (server.Candidate, error) {
			switch order.Seed {
			case 13:
				panic("a fault in training")
			case 14:
				return bad, nil
			}
			return &trained{file: world(t, 7, 30, 3), keep: func(*modelfile.File) { kept.Add(1) }}, nil
		}
	})
	before := s.server.ModelID()
	for seed, says := range map[int]string{13: "a fault in training", 14: "the trained model was refused, the old one goes on serving"} {
		made := read[job](t, s.ask("POST", "/v1/jobs", fmt.Sprintf(`{"kind":"train","data":"ratings.csv","seed":%d}`, seed), s.key()...), 202)
		if j := s.ended(made.ID); j.State != "failed" || !strings.Contains(j.Failure, says) {
			t.Errorf("seed %d: %+v", seed, j)
		}
	}
	if !bad.dropped || kept.Load() != 0 || s.server.ModelID() != before {
		t.Errorf("a model that is no good: dropped %t, kept %d times", bad.dropped, kept.Load())
	}
	made := read[job](t, s.ask("POST", "/v1/jobs", `{"kind":"train","data":"ratings.csv","seed":15}`, s.key()...), 202)
	if j := s.ended(made.ID); j.State != "done" || kept.Load() != 1 || s.server.ModelID() == before {
		t.Errorf("%+v, kept %d times", j, kept.Load())
	}
}

// slowEnd is a store that takes its time to write that a job is cancelled.
type slowEnd struct {
	store.Store
	entered, release chan struct{}
}

func (s *slowEnd) UpdateJob(ctx context.Context, id string, from, to store.State, progress []byte, failure string) (store.Job, error) {
	if to == store.Cancelled {
		s.entered <- struct{}{}
		<-s.release
	}
	return s.Store.UpdateJob(ctx, id, from, to, progress, failure)
}

// Whoever closes a server finds its jobs ended, also if somebody else was first.
func TestClosingTwiceAtOnce(t *testing.T) {
	slow := &slowEnd{entered: make(chan struct{}, 10), release: make(chan struct{})}
	s := start(t, func(o *server.Options) {
		slow.Store, o.Store, o.Train = o.Store, slow, endlessly
	})
	for range 3 {
		read[job](t, s.ask("POST", "/v1/jobs", `{"kind":"train","data":"ratings.csv","epochs":2}`, s.key()...), 202)
	}
	var both sync.WaitGroup
	both.Go(s.server.Close)
	<-slow.entered
	both.Go(func() {
		s.server.Close()
		jobs, _, err := slow.ListJobs(t.Context(), store.Page{})
		if err != nil {
			t.Error(err)
		}
		for _, j := range jobs {
			if !j.State.Ended() {
				t.Errorf("closed, and job %s is still %s", j.ID, j.State)
			}
		}
	})
	time.Sleep(50 * time.Millisecond) // for the second to return, if it does not wait
	close(slow.release)
	both.Wait()
}
