package server

import "context"

// Reload reads the model anew, as a signal does, and returns what became of it.
func (s *Server) Reload(ctx context.Context) (id string, err error) {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	next, err := s.replace(ctx)
	if err != nil {
		return "", err
	}
	return next.id, nil
}
