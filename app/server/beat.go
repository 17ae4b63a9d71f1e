package server

import (
	"context"
	"slices"
	"time"
)

// keep tells the store that this server is there, and ends jobs of servers that are not:
// several servers may share a store. After an outage of the store all servers have been
// silent, so that nobody is judged before this one has had its answers for as long as it
// gives the others.
func (r *runner) keep() {
	silence := r.server.limits.Silence
	tick := time.NewTicker(silence / 3)
	defer tick.Stop()
	for since := time.Now(); ; {
		select {
		case <-r.ctx.Done():
			return
		case <-tick.C:
		}
		if err := r.beat(); err != nil {
			since = time.Now()
			continue
		}
		if time.Since(since) < silence {
			continue
		}
		ended, err := r.server.store.EndSilentJobs(r.ctx, silence)
		switch {
		case err != nil:
			since = time.Now()
		case ended > 0:
			r.server.options.Log.Info("jobs of a server that is gone were ended", "jobs", ended)
		}
	}
}

// beat tells the store that this server is there. A job of which the store says that it
// has ended was cancelled elsewhere, or given up because this server was silent for too
// long: it ends here too.
func (r *runner) beat() error {
	r.mutex.Lock()
	mine := make([]*running, 0, len(r.jobs))
	for _, j := range r.jobs {
		mine = append(mine, j)
	}
	r.mutex.Unlock()
	ctx, cancel := context.WithTimeout(r.ctx, r.server.limits.Silence/3)
	defer cancel()
	left, err := r.server.store.BeatJobs(ctx, r.owner)
	if err != nil {
		return err
	}
	for _, j := range mine {
		if !slices.Contains(left, j.id) {
			r.server.options.Log.Info("a job was ended elsewhere", "job", j.id)
			r.drop(j)
		}
	}
	return nil
}
