// Package load asks a server so many times a second, whether it keeps up or not, and
// tells how that went.
//
// Requests are due at fixed times. A time that the client itself is late counts as
// waiting: latencies are measured from when a request was due, not from when it was
// sent, so that a server which stalls for a second is seen to have kept all requests
// of that second waiting, and not one of them (no coordinated omission).
package load
