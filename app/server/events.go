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

	"fubini/app/gate"
)

const (
	mostStreams = 64               // open at once
	heartbeat   = 15 * time.Second // keeps proxies from closing a stream
	lookEvery   = time.Second      // into the store, for a job that another server runs
)

func (s *Server) routeEvents(api huma.API) {
	const path = "/v1/jobs/{id}/events"
	s.routes["GET "+path] = gate.Route{Stream: true}
	op := s.operation(huma.Operation{
		OperationID: "job-events", Method: http.MethodGet, Path: path, Summary: "Watch a job", Tags: []string{"admin"},
		Description: "Server-sent events: progress with each epoch, and at last end with the job itself.",
	}, adminScope, http.StatusNotFound)
	op.Responses["200"] = &huma.Response{Description: "A stream of events", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}}
	huma.Register(api, op, s.jobEvents)
}

func (s *Server) jobEvents(ctx context.Context, in *jobInput) (*huma.StreamResponse, error) {
	if _, err := s.store.GetJob(ctx, in.ID); err != nil {
		return nil, s.failure(ctx, err)
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

// stream tells of a job until it ends, the client goes, its key is not good any more, or the server closes. The key is
// looked up as often as one that is shown anew.
func (s *Server) stream(ctx context.Context, id string, to *events) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(s.runner.Context(), end)()
	if good := gate.CallOf(ctx).Good; good != nil {
		go func() {
			for ctx.Err() == nil {
				select {
				case <-ctx.Done():
				case <-time.After(s.limits.KeyFresh):
					if !good(ctx) {
						end()
					}
				}
			}
		}()
	}
	if to.comment() != nil { // sends the header: the client knows that it is connected
		return
	}
	var sent []byte
	tell := func(progress []byte) error {
		if bytes.Equal(sent, progress) {
			return to.comment()
		}
		sent = progress
		return to.send("progress", json.RawMessage(progress))
	}
	for j := s.runner.Find(id); j != nil; { // of a job that runs here, the runner knows more than the store
		progress, ended, more := j.News()
		if ended {
			break
		}
		if tell(progress) != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-more:
		case <-time.After(heartbeat):
		}
	}
	for {
		job, err := s.store.GetJob(ctx, id)
		if err != nil {
			if ctx.Err() == nil {
				gate.CallOf(ctx).Failed = err
			}
			return // the client comes back, and is answered 503
		}
		if job.State.Ended() {
			_ = to.send("end", bodyOf(job)) // the last word, heard or not
			return
		}
		if tell(job.Progress) != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookEvery):
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

// write gives a client a few seconds to take each event, and the stream as long as it lasts.
func (e *events) write(text string) error {
	if err := e.control.SetWriteDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	if _, err := e.w.Write([]byte(text)); err != nil {
		return err
	}
	return e.control.Flush()
}
