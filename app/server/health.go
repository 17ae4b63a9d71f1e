package server

import "net/http"

// routeHealth adds what machines ask: is it alive, is it ready, how is it.
func (s *Server) routeHealth() {
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "alive\n") })
	s.mux.HandleFunc("GET /readyz", s.ready)
	s.mux.Handle("GET /metrics", s.metrics.handler())
	s.scopes["GET /metrics"] = readScope
}

// ready says whether requests should come here: not while shutting down, and not with a
// damaged database. A store that is away or full is told of, but ranking goes on without it.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.closing.Load() {
		w.Header().Set("Retry-After", "5")
		plain(w, http.StatusServiceUnavailable, "shutting down\n")
		return
	}
	text := "ready: model " + s.model.Load().id[:16]
	if s.store != nil {
		told, ready := s.store.state(r.Context())
		if !ready {
			plain(w, http.StatusServiceUnavailable, told+"\n")
			return
		}
		if told != "" {
			text += "\n" + told
		}
	}
	plain(w, http.StatusOK, text+"\n")
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // the client may have gone
}
