// Package gate is the middleware of the server: authentication, rate limits, bounds on requests and answers, logs,
// metrics and traces.
//
// [Gate.Layers] lists the layers from the outermost to the innermost, each with the limit that it enforces. A [Call]
// travels with the request and collects what the layers find out. A refused request is answered with a [Problem]
// document (RFC 9457). [Limits] has the bounds that a server or a test may set; the others are constants.
package gate
