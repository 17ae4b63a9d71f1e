package server_test

import (
	"testing"

	"fubini/app/server"
	"fubini/app/store"
)

// A server that trains nothing leaves the jobs of another one on the same store alone.
func TestAServerThatTrainsNothingLeavesJobsAlone(t *testing.T) {
	s := start(t, nil)
	job, err := s.store.CreateJob(t.Context(), "train", []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	start(t, func(o *server.Options) { o.Store, o.Train = s.store, nil })
	if job, err = s.store.GetJob(t.Context(), job.ID); err != nil || job.State != store.Queued {
		t.Errorf("%+v, %v", job, err)
	}
}
