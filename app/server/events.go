package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// eventsRoute is the one route that answers for as long as a job lasts.
const eventsRoute = "GET /v1/jobs/{id}/events"

// mostStreams may be open at once; heartbeat keeps proxies from closing them. The store
// is looked into so often for a job that another server runs.
const (
	mostStreams = 64
	heartbeat   = 15 * time.Second
	lookEvery   = time.Second
)

func (s *Server) routeEvents(api huma.API) {
	op := s.operation(huma.Operation{
		OperationID: "job-events", Method: http.MethodGet, Path: "/v1/jobs/{id}/events", Summary: "Watch a job", Tags: []string{"admin"},
		Description: "Server-sent events: progress with each epoch, and at last end with the job itself.",
	}, adminScope, http.StatusNotFound)
	op.Responses["200"] = &huma.Response{Description: "A stream of events", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}}
	huma.Register(api, op, s.jobEvents)
}

func (s *Server) jobEvents(ctx context.Context, in *jobInput) (*huma.StreamResponse, error) {
	if _, err := s.store.GetJob(ctx, in.ID); err != nil {
		return nil, s.jobFailure(ctx, err)
	}
	select {
	case s.streams <- struct{}{}:
	default:
		return nil, problem(http.StatusServiceUnavailable, "too many streams of events are open")
	}
	return &huma.StreamResponse{Body: func(h huma.Context) {
		defer func() { <-s.streams }()
		_, w := humago.Unwrap(h)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusOK)
		s.stream(ctx, in.ID, &events{w, http.NewResponseController(w)})
	}}, nil
}

// stream tells of a job until it ends, the client goes, its key is not good any more, or
// the server closes. The key is looked up as often as one that is shown anew.
func (s *Server) stream(ctx context.Context, id string, to *events) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	if good := callOf(ctx).good; good != nil {
		go func() {
			every := time.NewTicker(s.limits.KeyFresh)
			defer every.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-every.C:
					if !good(ctx) && ctx.Err() == nil {
						end()
					}
				}
			}
		}()
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	if to.comment() != nil { // sends the header: the client knows that it is connected
		return
	}
	var told *Progress
	for j := s.runner.find(id); j != nil; {
		p, ended, more := j.news()
		if ended {
			break
		}
		if p != told && to.send("progress", p) != nil {
			return
		}
		told = p
		select {
		case <-more:
		case <-beat.C:
			if to.comment() != nil {
				return
			}
		case <-ctx.Done():
			return
		case <-s.runner.ctx.Done():
			return
		}
	}
	s.follow(ctx, id, to)
}

// follow tells of a job what the store knows: all there is of a job that has ended, or
// that another server runs.
func (s *Server) follow(ctx context.Context, id string, to *events) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for told := []byte(nil); ; {
		job, err := s.store.GetJob(ctx, id)
		if err != nil {
			if ctx.Err() == nil {
				callOf(ctx).failed = err
			}
			return // the client comes back, and is answered 503
		}
		if job.State.Ended() {
			_ = to.send("end", bodyOf(job)) // the last word, heard or not
			return
		}
		if err := to.comment(); err != nil {
			return
		}
		if !bytes.Equal(told, job.Progress) && to.send("progress", bodyOf(job).Progress) != nil {
			return
		}
		told = job.Progress
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		case <-s.runner.ctx.Done():
			return
		}
	}
}

// events writes server-sent events.
type events struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (e *events) send(name string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return e.write(fmt.Sprintf("event: %s\ndata: %s\n\n", name, text))
}

func (e *events) comment() error { return e.write(": still here\n\n") }

// write gives a client a few seconds to take each event, and the stream as long as
// it lasts.
func (e *events) write(text string) error {
	if err := e.control.SetWriteDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	if _, err := e.w.Write([]byte(text)); err != nil {
		return err
	}
	return e.control.Flush()
}
