package gate

import "github.com/prometheus/client_golang/prometheus"

// metrics are the series of the gate. Labels come from fixed sets, so that clients cannot make new series.
type metrics struct {
	latency  *prometheus.HistogramVec
	inFlight prometheus.Gauge
	shed     prometheus.Counter
	limited  prometheus.Counter
	Panics   prometheus.Counter // caught, in requests and in jobs
}

// newMetrics registers the series: those of the layers, and what the places and memories hold.
func newMetrics(to prometheus.Registerer, main, kept *semaphore, bodies, answers *memory) metrics {
	m := metrics{
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "fubini_http_request_duration_seconds", Help: "Time from the header of a request to the end of its answer, by route and status.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"route", "status"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "fubini_http_requests_in_flight", Help: "Requests that are being served or wait."}),
		shed:     prometheus.NewCounter(prometheus.CounterOpts{Name: "fubini_shed_total", Help: "Requests turned away because the server was busy."}),
		limited:  prometheus.NewCounter(prometheus.CounterOpts{Name: "fubini_rate_limited_total", Help: "Requests turned away because their client asks too often."}),
		Panics:   prometheus.NewCounter(prometheus.CounterOpts{Name: "fubini_panics_total", Help: "Mistakes of the server that were caught."}),
	}
	gauge := func(name, help string, value func() int64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
	}
	to.MustRegister(
		m.latency, m.inFlight, m.shed, m.limited, m.Panics,
		gauge("fubini_queue_length", "Requests that wait for a place.", func() int64 { return main.waiting.Load() + kept.waiting.Load() }),
		gauge("fubini_working", "Requests that have a place.", func() int64 { return int64(len(main.inside) + len(kept.inside)) }),
		gauge("fubini_bodies_bytes", "Bytes of request bodies in memory.", bodies.held.Load),
		gauge("fubini_answers_bytes", "Bytes of answers that wait to be sent, small ones aside.", answers.held.Load),
	)
	return m
}
