package gate

import (
	"cmp"
	"runtime"
	"time"
)

// Limits bound the work of the server for its clients. Zero values mean the defaults.
type Limits struct {
	Body       int64         // bytes of a request's body; 0 means 1 MiB
	Memory     int64         // bytes of all bodies held at once, and as many of all answers; 0 means 64 MiB
	Time       time.Duration // for the answer to a request; 0 means 10 s
	Read       time.Duration // for a client to send its request; 0 means 10 s
	PerAddress int           // connections from one address, or one network of IPv6 (/64); 0 means 1024
	Working    int           // requests worked on at once; 0 means two for each core
	Wide       int           // of these, requests that take long, with very many items or very long lists; 0 means half the cores
	Stored     int           // requests at once that need the store, counted apart; 0 means as many as Working
	Waiting    int           // requests that wait for a place; 0 means 64 for each place
	Patience   time.Duration // for a place; 0 means 200 ms
	Rate       float64       // requests per second from one client, in the long run; 0 means no limit
	Burst      int           // requests at once from one client; 0 means twice the rate
	KeyFresh   time.Duration // time until a valid key is looked up again; 0 means 10 s
	Quiet      time.Duration // time between log lines about one cause of failure; 0 means a minute
}

// Limits that nobody sets.
const (
	mostHeader      = 32 << 10 // bytes of a header; the path and query may have half as many
	mostDepth       = 16       // brackets within brackets in JSON
	mostConnections = 4096     // open at once
	mostClients     = 10_000   // whose rates are remembered at least
	mostFields      = 64       // fields of one object: ours have at most 8
	mostElements    = 10_000   // elements of one array
	mostText        = 64 << 10 // bytes of one text in JSON
	mostValues      = 32_768   // values in a body: 1,000 tiers of a saved list with name, colour and items, 5,000 items, and two lists of 10,000 are 29,010
)

// Resolved returns the limits with defaults instead of zeros.
func (l Limits) Resolved() Limits {
	cores := runtime.GOMAXPROCS(0)
	l.Body, l.Memory = cmp.Or(l.Body, 1<<20), cmp.Or(l.Memory, 64<<20)
	l.Time, l.Read = cmp.Or(l.Time, 10*time.Second), cmp.Or(l.Read, 10*time.Second)
	l.PerAddress = cmp.Or(l.PerAddress, 1024)
	l.Working, l.Wide = cmp.Or(l.Working, 2*cores), cmp.Or(l.Wide, max(1, cores/2))
	l.Stored = cmp.Or(l.Stored, l.Working)
	l.Waiting, l.Patience = cmp.Or(l.Waiting, 64*l.Working), cmp.Or(l.Patience, 200*time.Millisecond)
	l.KeyFresh, l.Quiet = cmp.Or(l.KeyFresh, 10*time.Second), cmp.Or(l.Quiet, time.Minute)
	l.Burst = cmp.Or(l.Burst, max(1, int(2*l.Rate)))
	return l
}
