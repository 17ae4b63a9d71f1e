// Package traffic reads from the metrics of a server how much it is asked, and how long it takes to answer.
package traffic

import (
	"math"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
)

// Load is what a server does now, and has done since its start.
type Load struct {
	InFlight   int         `json:"in_flight" doc:"Requests that are being served or wait"`
	Waiting    int         `json:"waiting" doc:"Requests that wait for a place"`
	TurnedAway int         `json:"turned_away" doc:"Requests refused since the start: the server was busy, or the client asked too often"`
	Panics     int         `json:"panics" doc:"Mistakes of the server that were caught"`
	Routes     []RouteLoad `json:"routes" doc:"By route, the most asked first"`
}

// RouteLoad is the load of one route.
type RouteLoad struct {
	Route  string  `json:"route"`
	Count  int     `json:"count" doc:"Requests since the start"`
	Failed int     `json:"failed" doc:"Those answered with 500 or more"`
	P50    float64 `json:"p50_ms" doc:"Time that half of them took at most, by the buckets of /metrics"`
	P95    float64 `json:"p95_ms"`
}

// Of reads the metrics of a server.
func Of(families []*dto.MetricFamily) Load {
	b := Load{Routes: []RouteLoad{}}
	counts := map[string]*int{"fubini_http_requests_in_flight": &b.InFlight, "fubini_queue_length": &b.Waiting, "fubini_shed_total": &b.TurnedAway, "fubini_rate_limited_total": &b.TurnedAway, "fubini_panics_total": &b.Panics}
	for _, family := range families {
		if to := counts[family.GetName()]; to != nil {
			for _, m := range family.GetMetric() {
				*to += int(m.GetGauge().GetValue() + m.GetCounter().GetValue())
			}
		}
		if family.GetName() == "fubini_http_request_duration_seconds" {
			b.Routes = loads(family.GetMetric())
		}
	}
	return b
}

// loads sums the histograms of each route over its statuses.
func loads(series []*dto.Metric) []RouteLoad {
	type sum struct {
		failed  int
		buckets map[float64]uint64 // cumulative counts by upper bound
		total   uint64
	}
	sums := map[string]*sum{}
	for _, m := range series {
		var route, status string
		for _, label := range m.GetLabel() {
			switch label.GetName() {
			case "route":
				route = label.GetValue()
			case "status":
				status = label.GetValue()
			}
		}
		if sums[route] == nil {
			sums[route] = &sum{buckets: map[float64]uint64{}}
		}
		to, h := sums[route], m.GetHistogram()
		to.total += h.GetSampleCount()
		if strings.HasPrefix(status, "5") {
			to.failed += int(h.GetSampleCount())
		}
		for _, bucket := range h.GetBucket() {
			to.buckets[bucket.GetUpperBound()] += bucket.GetCumulativeCount()
		}
	}
	all := []RouteLoad{}
	for route, s := range sums {
		all = append(all, RouteLoad{route, int(s.total), s.failed, 1000 * quantile(s.buckets, s.total, 0.5), 1000 * quantile(s.buckets, s.total, 0.95)})
	}
	slices.SortFunc(all, func(a, b RouteLoad) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Route, b.Route)
	})
	return all
}

// quantile is the bound of the bucket that a share of all observations lie below, evenly divided within its bucket. What
// lies above all bounds counts as the last.
func quantile(cumulative map[float64]uint64, total uint64, share float64) float64 {
	bounds := make([]float64, 0, len(cumulative))
	for bound := range cumulative {
		if !math.IsInf(bound, 1) {
			bounds = append(bounds, bound)
		}
	}
	slices.Sort(bounds)
	want, low, below := share*float64(total), 0.0, 0.0
	for _, bound := range bounds {
		if n := float64(cumulative[bound]); n >= want && n > below {
			return low + (bound-low)*(want-below)/(n-below)
		} else {
			low, below = bound, n
		}
	}
	return low
}
