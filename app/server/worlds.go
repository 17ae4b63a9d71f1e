package server

import (
	"context"
	"net/http"

	"fubini/app/gate"
)

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
