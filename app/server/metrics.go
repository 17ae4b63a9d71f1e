package server

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what Prometheus reads. Labels come from fixed sets, so that clients
// cannot make new series.
type metrics struct {
	registry *prometheus.Registry
	latency  *prometheus.HistogramVec
	inFlight prometheus.Gauge
	shed     prometheus.Counter
	limited  prometheus.Counter
	panics   prometheus.Counter
	reloads  *prometheus.CounterVec
	jobs     *prometheus.CounterVec
}

func newMetrics(s *Server) metrics {
	m := metrics{
		registry: prometheus.NewRegistry(),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "fubini_http_request_duration_seconds", Help: "Time from the header of a request to the end of its answer, by route and status.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "status"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "fubini_http_requests_in_flight", Help: "Requests that are being served or wait."}),
		shed:     prometheus.NewCounter(prometheus.CounterOpts{Name: "fubini_shed_total", Help: "Requests turned away because the server was busy."}),
		limited:  prometheus.NewCounter(prometheus.CounterOpts{Name: "fubini_rate_limited_total", Help: "Requests turned away because their client asks too often."}),
		panics:   prometheus.NewCounter(prometheus.CounterOpts{Name: "fubini_panics_total", Help: "Mistakes of the server that were caught."}),
		reloads:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fubini_model_reloads_total", Help: "Reloads of the model, by result."}, []string{"result"}),
		jobs:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "fubini_jobs_total", Help: "Jobs that ended, by state."}, []string{"state"}),
	}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	m.registry.MustRegister(
		m.latency, m.inFlight, m.shed, m.limited, m.panics, m.reloads, m.jobs,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauge("fubini_queue_length", "Requests that wait for a place.", func() float64 { return float64(s.gate.waiting.Load() + s.stored.waiting.Load()) }),
		gauge("fubini_working", "Requests that have a place.", func() float64 { return float64(len(s.gate.places) + len(s.stored.places)) }),
		gauge("fubini_bodies_bytes", "Bytes of request bodies in memory.", func() float64 { return float64(s.bodies.held.Load()) }),
		gauge("fubini_answers_bytes", "Bytes of answers that wait to be sent, small ones aside.", func() float64 { return float64(s.answers.held.Load()) }),
		gauge("fubini_model_items", "Items of the model that is served.", func() float64 { return float64(len(s.model.Load().saved.ItemIDs)) }),
		gauge("fubini_model_loaded_timestamp_seconds", "When the model that is served was read.", func() float64 { return float64(s.loaded.Load()) }),
		gauge("fubini_store_up", "1 if the store answered last time it was asked, and could be written.", func() float64 {
			if s.store != nil && s.store.isUp() {
				return 1
			}
			return 0
		}),
	)
	return m
}

func (m metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
