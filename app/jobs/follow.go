package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"fubini/app/store"
)

const (
	heartbeat = 15 * time.Second // keeps proxies from closing a stream
	lookEvery = time.Second      // into the store, for a job that another server runs
)

// Follow writes server-sent events of a job until it ends, the context ends or nobody reads any more. Body is what the last
// event says of the job. The error is that of a store which cannot be asked.
func (r *Runner) Follow(ctx context.Context, id string, body func(store.Job) any, write func(text string) error) error {
	const comment = ": still here\n\n"
	err := write(comment) // sends the header: the client knows that it is connected
	for sent := json.RawMessage(nil); err == nil; {
		wait := heartbeat
		progress, more := r.News(id) // of a job that runs here, the runner knows more than the store
		if more == nil {
			job, err := r.Store.GetJob(ctx, id)
			if err == nil && job.State.Ended() {
				_ = write(event("end", body(job))) // the last word, heard or not
				return nil
			}
			if err != nil {
				if ctx.Err() != nil {
					return nil
				}
				return err
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
			return nil
		case <-more:
		case <-time.After(wait):
		}
	}
	return nil // the client has gone
}

// event is a server-sent event.
func event(name string, data any) string {
	text, err := json.Marshal(data)
	if err != nil {
		return ": " + strconv.Quote(err.Error()) + "\n\n" // the store has JSON that we did not write
	}
	return fmt.Sprintf("event: %s\ndata: %s\n\n", name, text)
}
