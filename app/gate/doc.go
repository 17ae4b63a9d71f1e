// Package gate is what a request passes before a handler sees it: who may come in, and how much they may ask for.
//
// [Gate.Layers] lists the middlewares from the outermost to the innermost, each with the limit that it holds.
// A [Call] travels with the request and collects what the layers find out. A request that is refused is answered
// with a [Problem] document (RFC 9457). [Limits] has the bounds that a server or a test may set; the others are
// constants beside the code that holds them.
package gate
