package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"fubini/app/gate"
	"fubini/app/jobs"
	"fubini/app/store"
)

type jobBody struct {
	ID       string     `json:"id"`
	Kind     string     `json:"kind"`
	State    string     `json:"state" enum:"queued,running,done,failed,cancelled,interrupted"`
	Order    TrainOrder `json:"order" doc:"What was asked for"`
	Progress *Progress  `json:"progress,omitempty"`
	Failure  string     `json:"failure,omitempty" doc:"Why it failed"`
	Created  time.Time  `json:"created"`
	Started  time.Time  `json:"started,omitzero"`
	Ended    time.Time  `json:"ended,omitzero"`
}

type startJobInput struct{ Body TrainOrder }

type jobInput struct {
	ID string `path:"id" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9_-]+$" patternDescription:"id of a job" doc:"Id of a job"`
}

type jobsOutputBody struct {
	Jobs []jobBody `json:"jobs" doc:"The newest first"`
	Next string    `json:"next" doc:"Cursor of the next page; empty on the last"`
}

// newRunner makes the runner of training jobs.
func (s *Server) newRunner() *jobs.Runner {
	ended := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fubini_jobs_total", Help: "Jobs that ended, by state."}, []string{"state"})
	s.registry.MustRegister(ended)
	return jobs.New(jobs.Options{
		Store: s.store, Silence: s.limits.Silence, Idle: s.options.Train == nil, Log: s.options.Log,
		Ended: func(state store.State) { ended.WithLabelValues(string(state)).Inc() },
	})
}

func (s *Server) startJob(ctx context.Context, in *startJobInput) (*jobBody, error) {
	if s.options.Train == nil {
		return nil, gate.NewProblem(http.StatusConflict, "this server trains nothing: start it with --data-dir, the folder with the ratings")
	}
	if err := s.options.HasData(in.Body.Data); err != nil {
		return nil, gate.NewProblem(http.StatusNotFound, "the data folder has no such file", &gate.Fault{Message: "unknown file", Location: "body.data", Value: in.Body.Data})
	}
	order, err := json.Marshal(in.Body)
	if err != nil {
		return nil, err
	}
	if err := s.audit(ctx, "job.start", string(order)); err != nil {
		return nil, err
	}
	job, err := s.runner.Submit(ctx, in.Body.Kind, order, func(ctx context.Context, report func(json.RawMessage)) error {
		return s.train(ctx, in.Body, report)
	})
	switch {
	case errors.Is(err, jobs.ErrFull):
		return nil, gate.NewProblem(http.StatusTooManyRequests, err.Error())
	case err != nil:
		return nil, err
	}
	return bodyOf(job), nil
}

// train trains and then serves what was trained. A panic is the end of the job, not of the server.
func (s *Server) train(ctx context.Context, order TrainOrder, report func(json.RawMessage)) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			s.Panics.Inc()
			s.options.Log.Error("a mistake of the server", "order", order, "fault", fmt.Sprint(fault), "stack", string(debug.Stack()))
			err = fmt.Errorf("a mistake of the server: %v", fault)
		}
		if err != nil {
			err = errors.New(gate.Short(err.Error(), 500)) // it is kept with the job
		}
	}()
	started := time.Now()
	candidate, err := s.options.Train(ctx, order, func(p Progress) {
		if p.Epoch > 0 {
			p.Left = time.Since(started).Seconds() / float64(p.Epoch) * float64(max(0, p.Epochs-p.Epoch))
		}
		if text, err := json.Marshal(p); err == nil { // else a number is infinite, or none
			report(text)
		}
	})
	if err != nil {
		return err
	}
	return s.promote(ctx, candidate)
}

func (s *Server) job(ctx context.Context, in *jobInput) (*jobBody, error) {
	job, err := s.store.GetJob(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return s.latest(job), nil
}

func (s *Server) listJobs(ctx context.Context, in *Paged) (*jobsOutputBody, error) {
	all, next, err := s.store.ListJobs(ctx, store.Page(*in))
	if err != nil {
		return nil, pageFailure(err)
	}
	body := &jobsOutputBody{Jobs: []jobBody{}, Next: next}
	for _, job := range all {
		body.Jobs = append(body.Jobs, *s.latest(job))
	}
	return body, nil
}

func (s *Server) cancelJob(ctx context.Context, in *jobInput) (*jobBody, error) {
	job, err := s.store.GetJob(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	ended := gate.NewProblem(http.StatusConflict, "the job has ended already")
	if job.State.Ended() {
		return nil, ended
	}
	if err := s.audit(ctx, "job.cancel", job.ID); err != nil {
		return nil, err
	}
	switch err := s.runner.Cancel(ctx, job.ID); {
	case errors.Is(err, store.ErrConflict):
		return nil, ended
	case err != nil:
		return nil, err
	}
	if job, err = s.store.GetJob(ctx, in.ID); err != nil {
		return nil, err
	}
	return bodyOf(job), nil
}

// latest is a job with progress that the store does not have yet.
func (s *Server) latest(job store.Job) *jobBody {
	if progress, _ := s.runner.News(job.ID); progress != nil {
		job.Progress = progress
	}
	return bodyOf(job)
}

func bodyOf(job store.Job) *jobBody {
	b := &jobBody{ID: job.ID, Kind: job.Kind, State: string(job.State), Failure: job.Failure, Created: job.Created, Started: job.Started, Ended: job.Ended}
	_ = json.Unmarshal(job.Parameters, &b.Order) // our own JSON; without it the order is empty
	if job.Progress != nil && json.Unmarshal(job.Progress, &b.Progress) != nil {
		b.Progress = nil
	}
	return b
}
