package server

import (
	"context"
	"fmt"
)

// Reload reads the model anew, as a signal does, and returns what became of it.
func (s *Server) Reload(ctx context.Context) (id string, err error) {
	if err := s.turn(ctx); err != nil {
		return "", fmt.Errorf("server: reload: %w", err)
	}
	defer func() { <-s.reloading }()
	next, err := s.replace(ctx)
	if err != nil {
		return "", err
	}
	return next.id, nil
}
