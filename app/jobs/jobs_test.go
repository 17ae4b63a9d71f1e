package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"fubini/app/jobs"
	"fubini/app/store"
)

// ended are the states in which jobs ended, in their order.
type ended struct {
	mutex  sync.Mutex
	states []store.State
}

func (e *ended) add(state store.State) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.states = append(e.states, state)
}

func start(t *testing.T) (*jobs.Runner, store.Store, *ended) {
	t.Helper()
	kept, err := store.Open(t.Context(), "sqlite::memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = kept.Close() })
	ends := &ended{}
	r := jobs.New(jobs.Options{Store: kept, Silence: time.Minute, Ended: ends.add, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(r.Close)
	return r, kept, ends
}

// here reports whether a job waits or runs.
func here(r *jobs.Runner, id string) bool {
	_, more := r.News(id)
	return more != nil
}

// Jobs run one after the other, in the order in which they came, and the store has the last progress of each.
func TestOneJobAfterTheOther(t *testing.T) {
	r, kept, ends := start(t)
	var running, most int
	var order []int
	var ids []string
	var all sync.WaitGroup
	for k := range 3 {
		all.Add(1)
		job, err := r.Submit(t.Context(), "train", []byte("{}"), func(_ context.Context, report func(json.RawMessage)) error {
			defer all.Done()
			running++ // without a lock: the race detector would see two jobs at once
			most = max(most, running)
			order = append(order, k)
			report(fmt.Appendf(nil, `{"epoch":%d}`, k))
			running--
			if k == 1 {
				return errors.New("of no use")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, job.ID)
	}
	all.Wait()
	for here(r, ids[2]) {
		time.Sleep(time.Millisecond)
	}
	if most != 1 || !slices.Equal(order, []int{0, 1, 2}) || !slices.Equal(ends.states, []store.State{store.Done, store.Failed, store.Done}) {
		t.Errorf("%d at once, in the order %v, ended %v", most, order, ends.states)
	}
	job, err := kept.GetJob(t.Context(), ids[1])
	if err != nil || job.State != store.Failed || job.Failure != "of no use" || string(job.Progress) != `{"epoch":1}` {
		t.Errorf("%+v, %v", job, err)
	}
}

// There are few places. One that waits gives its place back when it is cancelled; one that runs, when it has ended.
func TestPlacesAreFew(t *testing.T) {
	r, kept, _ := start(t)
	submit := func() (store.Job, error) {
		return r.Submit(t.Context(), "train", []byte("{}"), func(ctx context.Context, _ func(json.RawMessage)) error {
			<-ctx.Done()
			return ctx.Err()
		})
	}
	var all []store.Job
	for range jobs.Most {
		job, err := submit()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, job)
	}
	if _, err := submit(); !errors.Is(err, jobs.ErrFull) {
		t.Fatalf("one too many: %v", err)
	}
	for _, at := range []int{jobs.Most - 1, 0} { // the last one waits, the first one runs
		if err := r.Cancel(t.Context(), all[at].ID); err != nil {
			t.Fatal(err)
		}
		for here(r, all[at].ID) {
			time.Sleep(time.Millisecond)
		}
		if job, err := kept.GetJob(t.Context(), all[at].ID); err != nil || job.State != store.Cancelled {
			t.Errorf("%+v, %v", job, err)
		}
		if _, err := submit(); err != nil {
			t.Fatal(err)
		}
		if _, err := submit(); !errors.Is(err, jobs.ErrFull) {
			t.Fatalf("one too many: %v", err)
		}
	}
	if err := r.Cancel(t.Context(), all[0].ID); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a job that has ended: %v", err)
	}
	r.Close()
	left, _, err := kept.ListJobs(t.Context(), store.Page{})
	if err != nil || len(left) != jobs.Most+2 {
		t.Fatal(len(left), err)
	}
	for _, job := range left {
		if !job.State.Ended() {
			t.Errorf("closed, and job %s is %s", job.ID, job.State)
		}
	}
}
