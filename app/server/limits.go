package server

import (
	"cmp"
	"runtime"
	"time"

	"fubini/app/store"
)

// Limits bound what clients can make the server do. Zero values mean the defaults.
type Limits struct {
	Body        int64         // bytes of a request's body; 0 means 1 MiB
	Bodies      int64         // bytes of all bodies held at once; 0 means 64 MiB
	Answers     int64         // bytes of all answers that wait to be sent, small ones aside; 0 means 64 MiB
	Header      int           // bytes of a request's header; 0 means 32 KiB
	Depth       int           // brackets within brackets in JSON; 0 means 16
	Time        time.Duration // for the answer to a request; 0 means 10 s
	Read        time.Duration // for a client to send its request; 0 means 10 s
	Connections int           // open at once; 0 means 4096
	PerAddress  int           // of them from one address, or one network of IPv6 (/64); 0 means 1024
	Working     int           // requests worked on at once; 0 means two for each core
	Wide        int           // of them such that take long: very many items, or very long lists; 0 means half the cores
	Stored      int           // requests at once that need the store, beside those; 0 means as many as Working
	StoreTime   time.Duration // for an answer of the store; 0 means three quarters of Time
	Waiting     int           // requests that wait for a place; 0 means 64 for each place
	Patience    time.Duration // for a place; 0 means 200 ms
	Rate        float64       // requests a second from one client, in the long run; 0 means no limit
	Burst       int           // requests at once from one client; 0 means twice the rate
	KeyFresh    time.Duration // for which a key that was good is not looked up again; 0 means 10 s
	Silence     time.Duration // of a server after which others end its jobs; 0 means 30 s
	Quiet       time.Duration // for which requests that meet a known trouble are counted, and not told of one by one; 0 means a minute
	Lists       store.Quota   // what all saved lists may come to; 0 means any number, of lists or of bytes
	KeyLists    store.Quota   // what those saved with one API key may come to
	Clients     int           // whose rates are remembered; 0 means 10,000
}

func (l Limits) resolved() Limits {
	cores := runtime.GOMAXPROCS(0)
	l.Body, l.Bodies = cmp.Or(l.Body, 1<<20), cmp.Or(l.Bodies, 64<<20)
	l.Answers = cmp.Or(l.Answers, 64<<20)
	l.Header, l.Depth = cmp.Or(l.Header, 32<<10), cmp.Or(l.Depth, 16)
	l.Time, l.Read = cmp.Or(l.Time, 10*time.Second), cmp.Or(l.Read, 10*time.Second)
	l.Connections, l.PerAddress = cmp.Or(l.Connections, 4096), cmp.Or(l.PerAddress, 1024)
	l.Working, l.Wide = cmp.Or(l.Working, 2*cores), cmp.Or(l.Wide, max(1, cores/2))
	l.Stored, l.StoreTime = cmp.Or(l.Stored, l.Working), cmp.Or(l.StoreTime, l.Time/4*3)
	l.Waiting, l.Patience = cmp.Or(l.Waiting, 64*l.Working), cmp.Or(l.Patience, 200*time.Millisecond)
	l.KeyFresh, l.Silence = cmp.Or(l.KeyFresh, 10*time.Second), cmp.Or(l.Silence, 30*time.Second)
	l.Quiet = cmp.Or(l.Quiet, time.Minute)
	l.Burst, l.Clients = cmp.Or(l.Burst, max(1, int(2*l.Rate))), cmp.Or(l.Clients, 10_000)
	return l
}

// Limits on what a request may hold. They stand in the OpenAPI document too, as
// tags of the types: keep them in step.
const (
	mostTiers  = 1_000   // tiers of a list
	mostPlaced = 5_000   // items in them together
	mostID     = 200     // characters of an item's id
	mostValues = 32_768  // values in a body: 1,000 tiers of a saved list with name, colour and items, 5,000 items, and two lists of 10,000 are 29,010
	mostItems  = 10_000  // items in an answer
	mostOdds   = 500_000 // numbers in the odds of an answer: its size in memory
	wideFrom   = 400_000 // effort from which an answer counts as wide; see effort
)
