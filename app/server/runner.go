package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"fubini/app/store"
)

// mostJobs may wait or run.
const mostJobs = 8

// runner trains, one job after the other: training takes all that the server can
// spare.
type runner struct {
	server *Server
	owner  string        // what the jobs of this server are told from others' by
	wake   chan struct{} // holds one when there may be a job to take
	places chan struct{}
	ctx    context.Context //nolint:containedctx // jobs live as long as the server, not as a request
	stop   context.CancelFunc
	done   sync.WaitGroup

	mutex   sync.Mutex
	closed  bool                // no more jobs are taken
	waiting []*running          // the next first
	jobs    map[string]*running // that wait or run

	closing sync.Once
}

// running is a job on its way; changed is closed and made anew with each news.
type running struct {
	id      string
	order   TrainOrder
	ctx     context.Context //nolint:containedctx // cancelled from another request
	cancel  context.CancelFunc
	started time.Time

	mutex    sync.Mutex
	progress *Progress
	ended    bool
	changed  chan struct{}
}

func newRunner(s *Server) *runner {
	r := &runner{server: s, owner: store.NewID(), wake: make(chan struct{}, 1), places: make(chan struct{}, mostJobs), jobs: map[string]*running{}}
	r.ctx, r.stop = context.WithCancel(context.Background())
	r.done.Go(r.work)
	if s.options.Train != nil { // who trains nothing has no jobs, and leaves those of others to others
		r.done.Go(r.keep)
	}
	return r
}

// reserve takes one of the places for jobs.
func (r *runner) reserve() bool {
	select {
	case r.places <- struct{}{}:
		return true
	default:
		return false
	}
}

func (r *runner) release() { <-r.places }

// submit hands over a job that has a place.
func (r *runner) submit(job store.Job, order TrainOrder) {
	j := &running{id: job.ID, order: order, changed: make(chan struct{})}
	j.ctx, j.cancel = context.WithCancel(r.ctx)
	r.mutex.Lock()
	r.jobs[job.ID] = j
	closed := r.closed
	if !closed {
		r.waiting = append(r.waiting, j)
	}
	r.mutex.Unlock()
	if closed { // while its request was under way
		r.giveUp(j)
		return
	}
	select {
	case r.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// next takes the job whose turn it is; nil if none waits.
func (r *runner) next() *running {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(r.waiting) == 0 {
		return nil
	}
	j := r.waiting[0]
	r.waiting = slices.Delete(r.waiting, 0, 1)
	return j
}

// remove takes a job that waits, if it still does.
func (r *runner) remove(j *running) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	k := slices.Index(r.waiting, j)
	if k < 0 {
		return false
	}
	r.waiting = slices.Delete(r.waiting, k, k+1)
	return true
}

// find is a job that has not ended.
func (r *runner) find(id string) *running {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.jobs[id]
}

// cancel ends a job: at once if it waits, soon if it runs. The store decides between a
// start and an end at the same time, and passes it on to the server that runs the job:
// see beat. A job that has ended is [store.ErrConflict].
func (r *runner) cancel(ctx context.Context, id string) error {
	_, err := r.server.store.UpdateJob(ctx, id, store.Queued, store.Cancelled, nil, "")
	j := r.find(id)
	switch {
	case errors.Is(err, store.ErrConflict) && j != nil: // it runs here
		j.cancel()
		return nil
	case errors.Is(err, store.ErrConflict): // or elsewhere
		_, err = r.server.store.UpdateJob(ctx, id, store.Running, store.Cancelled, nil, "")
		return err
	case err != nil || j == nil:
		return err
	}
	r.server.metrics.jobs.WithLabelValues(string(store.Cancelled)).Inc()
	r.drop(j)
	return nil
}

// drop lets go of a job whose end somebody has written.
func (r *runner) drop(j *running) {
	j.cancel()
	if r.remove(j) { // if not, it was just taken, and will be let go
		r.forget(j)
	}
}

// forget gives the place of a job back, and tells those who watch that it ended.
func (r *runner) forget(j *running) {
	r.mutex.Lock()
	delete(r.jobs, j.id)
	r.mutex.Unlock()
	j.cancel()
	j.tell(nil, true)
	r.release()
}

// latest adds progress that the store does not have yet.
func (r *runner) latest(b jobBody) jobBody {
	if j := r.find(b.ID); j != nil {
		if p, _, _ := j.news(); p != nil {
			b.Progress = p
		}
	}
	return b
}

// close ends all jobs and waits for them. Those that wait are cancelled, for nobody
// else runs them; if the store does not answer, the silence of this server ends them.
// Whoever calls it while it is under way waits for its end.
func (r *runner) close() {
	r.closing.Do(func() {
		r.mutex.Lock()
		r.closed = true
		r.mutex.Unlock()
		r.stop()
		r.done.Wait()
		var left []*running
		for j := r.next(); j != nil; j = r.next() {
			left = append(left, j)
		}
		r.giveUp(left...)
	})
}

// giveUp cancels jobs that wait, in a server that ends. A store that fails is not asked
// again for the next of them.
func (r *runner) giveUp(jobs ...*running) {
	var err error
	for _, j := range jobs {
		if err == nil || errors.Is(err, store.ErrConflict) { // cancelled just before
			err = r.write(j.id, store.Queued, store.Cancelled, nil, "")
		}
		r.forget(j)
	}
	if err != nil && !errors.Is(err, store.ErrConflict) {
		r.server.options.Log.Warn("jobs that wait were not cancelled", "error", err.Error())
	}
}

func (r *runner) work() {
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-r.wake:
		}
		for r.ctx.Err() == nil {
			j := r.next()
			if j == nil {
				break
			}
			r.run(j)
			r.forget(j)
		}
	}
}

// run takes a job from its start to its end. Its states are written whatever
// becomes of it; a store that is away is tried for a while.
func (r *runner) run(j *running) {
	log := r.server.options.Log.With("job", j.id)
	j.started = time.Now()
	if err := r.write(j.id, store.Queued, store.Running, nil, ""); err != nil {
		if errors.Is(err, store.ErrConflict) {
			return // cancelled just before
		}
		log.Error("a job was not started", "error", err.Error())
		return
	}
	log.Info("a job starts", "data", j.order.Data, "model", j.order.Model)
	err := r.train(j)
	to, failure := store.Done, ""
	switch {
	case err == nil:
	case r.ctx.Err() != nil:
		to, failure = store.Interrupted, "the server ended"
	case j.ctx.Err() != nil:
		to = store.Cancelled
	default:
		to, failure = store.Failed, shortText(err.Error(), 500)
	}
	progress, _, _ := j.news()
	text, _ := json.Marshal(progress) // of numbers
	if progress == nil {
		text = nil
	}
	switch err := r.write(j.id, store.Running, to, text, failure); {
	case errors.Is(err, store.ErrConflict) && to == store.Cancelled: // by another server
	case err != nil:
		log.Error("the end of a job was not written", "state", string(to), "error", err.Error())
	}
	r.server.metrics.jobs.WithLabelValues(string(to)).Inc()
	log.Info("a job ended", "state", string(to), "failure", failure, "took_s", time.Since(j.started).Seconds())
}

// train trains and then serves what was trained. A panic is the end of the job, not of
// the server.
func (r *runner) train(j *running) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			r.server.panics.Inc()
			r.server.options.Log.Error("a mistake of the server", "job", j.id, "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
			err = fmt.Errorf("a mistake of the server: %v", fault)
		}
	}()
	if j.ctx.Err() != nil { // cancelled while it waited
		return j.ctx.Err()
	}
	var written time.Time
	candidate, err := r.server.options.Train(j.ctx, j.order, func(p Progress) {
		if p.Epoch > 0 {
			p.Left = time.Since(j.started).Seconds() / float64(p.Epoch) * float64(max(0, p.Epochs-p.Epoch))
		}
		j.tell(&p, false)
		if text, err := json.Marshal(p); err == nil && time.Since(written) > time.Second {
			written = time.Now()
			// Only a report: the next one, or the end, will tell as much.
			_, _ = r.server.store.UpdateJob(j.ctx, j.id, store.Running, store.Running, text, "")
		}
	})
	if err != nil {
		return err
	}
	return r.server.promote(j.ctx, candidate)
}

// write changes the state of a job, for up to half a minute if the store is away.
func (r *runner) write(id string, from, to store.State, progress []byte, failure string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), 30*time.Second)
	defer cancel()
	for {
		_, err := r.server.store.UpdateJob(ctx, id, from, to, progress, failure)
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

// tell wakes those who watch.
func (j *running) tell(p *Progress, ended bool) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if p != nil {
		j.progress = p
	}
	j.ended = j.ended || ended
	close(j.changed)
	j.changed = make(chan struct{})
}

// news is what there is to tell, and a channel that closes when there is more.
func (j *running) news() (p *Progress, ended bool, more <-chan struct{}) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.progress, j.ended, j.changed
}
