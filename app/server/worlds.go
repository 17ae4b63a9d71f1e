package server

import (
	"context"
	"net/http"

	"fubini/app/gate"
)

// Worlds are the catalogues between which people may choose on the first screen of the page. Each is a server of its own,
// on a port of this machine, so that lists of one never meet those of another.
type Worlds interface {
	// All are the worlds as they are now, always in the same order.
	All() []World
	// Start makes a world ready, in the background; of one that is ready or on its way nothing changes. It reports whether
	// there is such a world.
	Start(name string) bool
}

// World is one of them.
type World struct {
	Name  string `json:"name" enum:"foods,films"`
	Title string `json:"title"`
	State string `json:"state" enum:"off,training,ready,failed" doc:"off until somebody asks for it"`
	Port  int    `json:"port" doc:"Where its page is, on this machine; 0 until it is ready"`
}

type worldsBody struct {
	Worlds []World `json:"worlds"`
}

type startWorldInput struct {
	Name string `path:"name" maxLength:"20" doc:"Name of a world"`
}

func (s *Server) worlds(context.Context, *struct{}) (*worldsBody, error) {
	return &worldsBody{s.options.Worlds.All()}, nil
}

func (s *Server) startWorld(_ context.Context, in *startWorldInput) (*worldsBody, error) {
	if !s.options.Worlds.Start(in.Name) {
		return nil, gate.NewProblem(http.StatusNotFound, "there is no such world; GET /v1/worlds lists them", &gate.Fault{Message: "unknown world", Location: "path.name", Value: in.Name})
	}
	return &worldsBody{s.options.Worlds.All()}, nil
}
