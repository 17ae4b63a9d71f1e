package server

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"fubini/app/gate"
	"fubini/app/store"
)

// routeHealth adds what machines ask: is it alive, is it ready, how is it.
func (s *Server) routeHealth() {
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "alive\n") })
	s.mux.HandleFunc("GET /readyz", s.ready)
	s.mux.Handle("GET /metrics", promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{}))
	s.routes["GET /metrics"] = gate.Route{Scope: store.Read}
}

// ready answers whether requests should come here: not while shutting down, and not with a damaged database. A store
// that is away or full is named, but ranking goes on without it.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.closing.Load() {
		w.Header().Set("Retry-After", "5")
		plain(w, http.StatusServiceUnavailable, "shutting down\n")
		return
	}
	text := "ready: model " + s.model.Load().id[:16] + "\n"
	if s.store != nil {
		trouble, ready := s.store.State(r.Context())
		if !ready {
			plain(w, http.StatusServiceUnavailable, trouble+"\n")
			return
		}
		if trouble != "" {
			text += trouble + "\n"
		}
	}
	plain(w, http.StatusOK, text)
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // the client may have gone
}

// measure makes the series that Prometheus reads, beside those of the gate. Labels come from fixed sets.
func (s *Server) measure() {
	s.registry = prometheus.NewRegistry()
	s.reloads = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fubini_model_reloads_total", Help: "Reloads of the model, by result."}, []string{"result"})
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	s.registry.MustRegister(s.reloads, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauge("fubini_model_items", "Items of the model that is served.", func() float64 { return float64(len(s.model.Load().saved.ItemIDs)) }),
		gauge("fubini_model_loaded_timestamp_seconds", "When the model that is served was read.", func() float64 { return float64(s.loaded.Load()) }),
		gauge("fubini_store_up", "1 if the store answered last time it was asked, and could be written.", func() float64 {
			if s.store != nil && s.store.Up() {
				return 1
			}
			return 0
		}),
	)
}
