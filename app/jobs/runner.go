package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"fubini/app/store"
)

// Most is the number of jobs that may wait or run at the same time.
const Most = 8

// Options are the store of a runner, its time limits, and what it calls when a job ends.
type Options struct {
	Store   store.Jobs
	Silence time.Duration           // time without a heartbeat of a server after which others end its jobs
	Idle    bool                    // this server runs no jobs, and ends none of other servers
	Ended   func(state store.State) // called when a job ends
	Log     *slog.Logger
}

// Work is the function of a job. It calls report with its progress.
type Work func(ctx context.Context, report func(progress json.RawMessage)) error

// Runner runs jobs one at a time, because training takes all cores that a server can spare. [New] makes one.
type Runner struct {
	Options
	owner string          // of the jobs of this server
	ctx   context.Context //nolint:containedctx // jobs live as long as the server, not as a request
	stop  context.CancelFunc
	done  sync.WaitGroup

	mutex   sync.Mutex
	closed  bool            // no more jobs are taken
	working bool            // a goroutine takes one job after the other
	taken   int             // places of jobs that wait or run, or are about to
	waiting []*job          // the next first
	jobs    map[string]*job // that wait or run

	closing sync.Once
}

// job is a job of this server that waits or runs.
type job struct {
	id       string
	about    string // its parameters, for the log
	work     Work
	ctx      context.Context //nolint:containedctx // cancelled from another request
	cancel   context.CancelFunc
	progress json.RawMessage
	changed  chan struct{} // is closed and made anew with each news
}

// New starts a runner.
func New(o Options) *Runner {
	r := &Runner{Options: o, owner: store.NewID(), jobs: map[string]*job{}}
	r.ctx, r.stop = context.WithCancel(context.Background())
	if !o.Idle {
		r.done.Go(r.keep)
	}
	return r
}

// ErrFull is the error of a new job when [Most] jobs wait or run.
var ErrFull = errors.New("too many jobs are waiting; come back when one has ended")

// Submit writes a job into the store and appends it to the queue; a full queue is [ErrFull].
func (r *Runner) Submit(ctx context.Context, kind string, parameters []byte, work Work) (store.Job, error) {
	r.mutex.Lock()
	full := r.taken == Most
	if !full {
		r.taken++
	}
	r.mutex.Unlock()
	if full {
		return store.Job{}, ErrFull
	}
	made, err := r.Store.CreateJob(ctx, r.owner, kind, parameters)
	j := &job{id: made.ID, about: string(parameters), work: work, changed: make(chan struct{})}
	j.ctx, j.cancel = context.WithCancel(r.ctx)
	if err != nil {
		r.forget(j)
		return store.Job{}, err
	}
	r.mutex.Lock()
	r.jobs[j.id] = j
	closed := r.closed
	if !closed {
		r.waiting = append(r.waiting, j)
	}
	if !closed && !r.working {
		r.working = true
		r.done.Go(r.work)
	}
	r.mutex.Unlock()
	if closed { // while its request was under way
		r.giveUp(j)
	}
	return made, nil
}

// next takes the job whose turn it is; nil if none waits, or the runner closes.
func (r *Runner) next() *job {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.working = !r.closed && len(r.waiting) > 0; !r.working {
		return nil
	}
	j := r.waiting[0]
	r.waiting = slices.Delete(r.waiting, 0, 1)
	return j
}

// News returns the last progress of a job of this server, nil before the first, and a channel that closes with the next
// progress or the end. The channel is nil for a job that has ended or belongs to another server.
func (r *Runner) News(id string) (progress json.RawMessage, more <-chan struct{}) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if j := r.jobs[id]; j != nil {
		return j.progress, j.changed
	}
	return nil, nil
}

// Context returns a context that ends when the runner closes.
func (r *Runner) Context() context.Context { return r.ctx }

// Cancel ends a job: at once if it waits, soon if it runs. The store decides between a start and an end at the same
// time; a server that runs the job learns of it with its next heartbeat. A job that has ended is [store.ErrConflict].
func (r *Runner) Cancel(ctx context.Context, id string) error {
	_, err := r.Store.UpdateJob(ctx, id, store.Queued, store.Cancelled, nil, "")
	r.mutex.Lock()
	j := r.jobs[id]
	r.mutex.Unlock()
	switch {
	case errors.Is(err, store.ErrConflict) && j != nil: // it runs here
		j.cancel()
		return nil
	case errors.Is(err, store.ErrConflict): // or elsewhere
		_, err = r.Store.UpdateJob(ctx, id, store.Running, store.Cancelled, nil, "")
		return err
	case err != nil || j == nil:
		return err
	}
	r.Ended(store.Cancelled)
	r.drop(j)
	return nil
}

// drop lets go of a job whose end somebody has written.
func (r *Runner) drop(j *job) {
	j.cancel()
	r.mutex.Lock()
	at := slices.Index(r.waiting, j)
	if at >= 0 {
		r.waiting = slices.Delete(r.waiting, at, at+1)
	}
	r.mutex.Unlock()
	if at >= 0 { // if not, it was just taken, and will be let go
		r.forget(j)
	}
}

// forget gives the place of a job back, and tells those who watch that it ended.
func (r *Runner) forget(j *job) {
	r.mutex.Lock()
	delete(r.jobs, j.id)
	r.taken--
	close(j.changed)
	r.mutex.Unlock()
	j.cancel()
}

// Close ends all jobs and returns when they have ended. Jobs that wait are cancelled; if the store does not answer, other
// servers end them for want of a heartbeat.
func (r *Runner) Close() {
	r.closing.Do(func() {
		r.mutex.Lock()
		r.closed = true
		left := r.waiting
		r.waiting = nil
		r.mutex.Unlock()
		r.stop()
		r.done.Wait()
		r.giveUp(left...)
	})
}

// tell keeps the progress of a job, and wakes those who watch it.
func (r *Runner) tell(j *job, progress json.RawMessage) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	j.progress = progress
	close(j.changed)
	j.changed = make(chan struct{})
}

// giveUp cancels jobs that wait, in a server that ends. A store that fails is not asked again for the next of them.
func (r *Runner) giveUp(jobs ...*job) {
	var err error
	for _, j := range jobs {
		if err == nil || errors.Is(err, store.ErrConflict) { // cancelled just before
			err = r.write(j.id, store.Queued, store.Cancelled, nil, "")
		}
		r.forget(j)
	}
	if err != nil && !errors.Is(err, store.ErrConflict) {
		r.Log.Warn("jobs that wait were not cancelled", "error", err.Error())
	}
}
