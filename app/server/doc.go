// Package server is the HTTP API: recommendations, explanations, maps and reconstructions of tier lists, the catalogue,
// saved lists and training jobs. It holds no maths of its own.
//
// [New] makes a [Server] from [Options]. The server is an [http.Handler]; its method HTTP returns an [http.Server] with
// limits on slow clients. Opening ports, reading model files and catching signals are left to the caller.
//
// A request passes the layers of package gate, in the order of [fubini/app/gate.Gate.Layers], and reaches a handler of
// the table in routes.go. A handler takes the served model once, so that an answer comes from one model even while
// another one takes its place (reload.go).
package server
