package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
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
	const comment = ": still here\n\n"
	err := write(comment) // sends the header: the client knows that it is connected
	for sent := json.RawMessage(nil); err == nil; {
		wait := heartbeat
		progress, more := s.runner.News(id) // of a job that runs here, the runner knows more than the store
		if more == nil {
			job, err := s.store.GetJob(ctx, id)
			if err != nil && ctx.Err() == nil {
				gate.CallOf(ctx).Failed = err // the client comes back, and is answered 503
			}
			if err == nil && job.State.Ended() {
				_ = write(event("end", bodyOf(job))) // the last word, heard or not
			}
			if err != nil || job.State.Ended() {
				return
			}
			progress, wait = job.Progress, lookEvery
		}
		text := comment
		if !bytes.Equal(sent, progress) {
			text, sent = event("progress", progress), progress
		}
		err = write(text)
		select {
		case <-ctx.Done():
			return
		case <-more:
		case <-time.After(wait):
		}
	}
}

// event is a server-sent event.
func event(name string, data any) string {
	text, err := json.Marshal(data)
	if err != nil {
		return ": " + strconv.Quote(err.Error()) + "\n\n" // the store has JSON that we did not write
	}
	return fmt.Sprintf("event: %s\ndata: %s\n\n", name, text)
}
