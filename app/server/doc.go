// Package server answers over HTTP what the commands answer on a terminal: it
// ranks, explains, maps and rebuilds tier lists, shows the catalogue, keeps saved
// lists and runs training jobs. It holds no maths of its own.
//
// [New] makes a [Server] from [Options]; [Server.Handler] is what net/http serves,
// and [Server.HTTP] wraps it with the limits on slow and greedy clients. Opening
// ports, reading model files and catching signals is left to the caller.
//
// A request passes these gates in order, each a file: it gets an id and is
// measured (observe.go), its host and origin are checked (origin.go), its client's
// rate (rate.go), its key and scope (access.go), its query (query.go) and body
// (body.go), and it waits
// for one of the few places at work (admission.go). Then comes the file of its
// resource. What a request sees of the model is one [served], taken once: an answer
// comes from one model, even while another one takes its place (reload.go).
package server
