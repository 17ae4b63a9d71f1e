package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"fubini/app/store"
)

// writeTime is how long the state of a job is tried to be written if the store is away.
const writeTime = 30 * time.Second

// work takes one job after the other, until none waits.
func (r *Runner) work() {
	for j := r.next(); j != nil; j = r.next() {
		r.run(j)
		r.forget(j)
	}
}

// run takes a job from its start to its end. Its states are written whatever becomes of it.
func (r *Runner) run(j *job) {
	log := r.Log.With("job", j.id)
	started := time.Now()
	if err := r.write(j.id, store.Queued, store.Running, nil, ""); err != nil {
		if !errors.Is(err, store.ErrConflict) { // cancelled just before
			log.Error("a job was not started", "error", err.Error())
		}
		return
	}
	log.Info("a job starts", "parameters", j.about)
	var written time.Time
	err := j.ctx.Err() // it may have been cancelled while it waited
	if err == nil {
		err = j.work(j.ctx, func(progress json.RawMessage) {
			r.tell(j, progress)
			if time.Since(written) > time.Second {
				written = time.Now()
				// Only a report: the next one, or the end, will tell as much.
				_, _ = r.Store.UpdateJob(j.ctx, j.id, store.Running, store.Running, progress, "")
			}
		})
	}
	to, failure := store.Done, ""
	switch {
	case err == nil:
	case r.ctx.Err() != nil:
		to, failure = store.Interrupted, "the server ended"
	case j.ctx.Err() != nil:
		to = store.Cancelled
	default:
		to, failure = store.Failed, err.Error()
	}
	progress, _ := r.News(j.id)
	switch err := r.write(j.id, store.Running, to, progress, failure); {
	case errors.Is(err, store.ErrConflict) && to == store.Cancelled: // by another server
	case err != nil:
		log.Error("the end of a job was not written", "state", string(to), "error", err.Error())
	}
	r.Ended(to)
	log.Info("a job ended", "state", string(to), "failure", failure, "took_s", time.Since(started).Seconds())
}

// write changes the state of a job, for up to writeTime if the store is away.
func (r *Runner) write(id string, from, to store.State, progress []byte, failure string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), writeTime)
	defer cancel()
	for {
		_, err := r.Store.UpdateJob(ctx, id, from, to, progress, failure)
		if err == nil || !errors.Is(err, store.ErrUnavailable) || r.ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}

// keep tells the store that this server is there, and ends jobs of servers that are not. After an outage of the
// store all servers have been silent, so that nobody is judged before this one has had its answers for as long as it
// gives the others.
func (r *Runner) keep() {
	tick := time.NewTicker(r.Silence / 3)
	defer tick.Stop()
	for since := time.Now(); ; {
		select {
		case <-r.ctx.Done():
			return
		case <-tick.C:
		}
		ended, err := int64(0), r.beat()
		if err == nil && time.Since(since) >= r.Silence {
			ended, err = r.Store.EndSilentJobs(r.ctx, r.Silence)
		}
		if err != nil {
			since = time.Now()
		}
		if ended > 0 {
			r.Log.Info("jobs of a server that is gone were ended", "jobs", ended)
		}
	}
}

// beat tells the store that this server is there. A job of which the store says that it has ended was cancelled
// elsewhere, or given up because this server was silent for too long: it ends here too.
func (r *Runner) beat() error {
	var mine []*job
	r.mutex.Lock()
	for _, j := range r.jobs {
		mine = append(mine, j)
	}
	r.mutex.Unlock()
	ctx, cancel := context.WithTimeout(r.ctx, r.Silence/3)
	defer cancel()
	left, err := r.Store.BeatJobs(ctx, r.owner)
	if err != nil {
		return err
	}
	for _, j := range mine {
		if !slices.Contains(left, j.id) {
			r.Log.Info("a job was ended elsewhere", "job", j.id)
			r.drop(j)
		}
	}
	return nil
}
