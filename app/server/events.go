package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"fubini/app/gate"
	"fubini/app/store"
)

const mostStreams = 64 // open at once

func (s *Server) jobEvents(ctx context.Context, in *jobInput) (*huma.StreamResponse, error) {
	if _, err := s.store.GetJob(ctx, in.ID); err != nil {
		return nil, err
	}
	select {
	case s.streams <- struct{}{}:
	default:
		return nil, gate.NewProblem(http.StatusServiceUnavailable, "too many streams of events are open")
	}
	return &huma.StreamResponse{Body: func(h huma.Context) {
		defer func() { <-s.streams }()
		_, w := humago.Unwrap(h)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusOK)
		control := http.NewResponseController(w)
		s.stream(ctx, in.ID, func(text string) error {
			// The client has a few seconds to take each event; the stream may last.
			if err := control.SetWriteDeadline(time.Now().Add(5 * time.Second)); err != nil {
				return err
			}
			if _, err := w.Write([]byte(text)); err != nil {
				return err
			}
			return control.Flush()
		})
	}}, nil
}

// stream tells of a job until it ends, the client goes, its key is not good any more, or the server closes. The key is
// looked up as often as one that is shown anew.
func (s *Server) stream(ctx context.Context, id string, write func(text string) error) {
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
	if err := s.runner.Follow(ctx, id, func(job store.Job) any { return bodyOf(job) }, write); err != nil {
		gate.CallOf(ctx).Failed = err // the client comes back, and is answered 503
	}
}
