// Package server answers over HTTP what the commands answer on a terminal: it ranks, explains, maps and rebuilds tier
// lists, shows the catalogue, keeps saved lists and runs training jobs. It holds no maths of its own.
//
// [New] makes a [Server] from [Options]; [Server.Handler] is what net/http serves, and [Server.HTTP] wraps it with the
// limits on slow clients. Opening ports, reading model files and catching signals is left to the caller.
//
// A request passes the layers of package gate, in the order of [fubini/app/gate.Gate.Layers], and comes to the file of
// its resource. What it sees of the model is one [served], taken once: an answer comes from one model, even while
// another one takes its place (reload.go).
package server
