// Package load is a client that offers a server a fixed number of requests a second, whether the server keeps up
// or not, and reports how they were answered. Tests and the benchmark of the repository use it; the program does not.
//
// Requests are due at fixed times. Latencies are measured from when a request was due, not from when it was sent:
// a server that stalls for a second has kept all requests of that second waiting (no coordinated omission).
package load
