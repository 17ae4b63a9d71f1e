package server

import (
	"context"
	"fmt"

	"fubini/data/modelfile"
)

// Candidate is a trained model that is not served yet. The served model stays where [Options].Load finds it until the
// candidate has been tried.
type Candidate interface {
	// Load reads it.
	Load(ctx context.Context) (*modelfile.File, error)
	// Keep puts it where Options.Load finds it: wholly or not at all, whatever moment the
	// process ends in.
	Keep() error
	// Drop removes it.
	Drop() error
}

// promote reads and tries a candidate, and only then keeps and serves it. A candidate that fails is dropped, and nothing
// has changed.
func (s *Server) promote(ctx context.Context, candidate Candidate) (err error) {
	result := "failed"
	defer func() {
		if result != "ok" {
			if dropped := candidate.Drop(); dropped != nil {
				s.log(ctx).Warn("a model that failed its trial was not removed", "error", dropped.Error())
			}
		}
		s.reloads.WithLabelValues(result).Inc()
	}()
	if err := s.turn(ctx); err != nil {
		return fmt.Errorf("server: the trained model: %w", err)
	}
	defer func() { <-s.reloading }()
	next, err := prepare(ctx, candidate.Load, s.log(ctx))
	if err != nil {
		return fmt.Errorf("the trained model was refused, the old one goes on serving: %w", err)
	}
	if err := candidate.Keep(); err != nil {
		return fmt.Errorf("the trained model was not kept, the old one goes on serving: %w", err)
	}
	result = "ok"
	s.swap(ctx, next)
	return nil
}
