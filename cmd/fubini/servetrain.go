package main

import (
	"context"
	"path/filepath"
	"strconv"

	"fubini/app/server"
	"fubini/learn/zoo"
)

// trainer trains on a file of a folder, and writes the model beside the one that is served.
func (p *program) trainer(model, folder string) func(context.Context, server.TrainOrder, func(server.Progress)) (server.Candidate, error) {
	return func(ctx context.Context, order server.TrainOrder, observe func(server.Progress)) (server.Candidate, error) {
		silent := *p
		silent.quiet = true
		set, _, err := silent.read(ctx, filepath.Join(folder, order.Data), dataFlags{duplicates: "error", incomplete: "subset"})
		if err != nil {
			return nil, err
		}
		var settings []zoo.Setting
		for _, each := range []struct {
			name  string
			value int
		}{{"hidden", order.Hidden}, {"epochs", order.Epochs}} {
			if each.value > 0 && !(each.name == "hidden" && order.Model == "osm") {
				settings = append(settings, zoo.Setting{Name: each.name, Value: strconv.Itoa(each.value)})
			}
		}
		recipes, err := zoo.Configure([]string{order.Model}, settings)
		if err != nil {
			return nil, err
		}
		saved, err := zoo.Train(ctx, set, zoo.Request{
			Model: order.Model, Recipe: recipes[0], Seed: order.Seed, Calibrate: order.Calibrate, Jobs: p.jobs, Program: buildVersion().version,
			Observe: func(e zoo.Epoch, epochs int) {
				observe(server.Progress{Epoch: e.Epoch, Epochs: epochs, Distance: e.Distance, Validation: e.Validation, Likelihood: e.LogLikelihood})
			},
		})
		if err != nil {
			return nil, err
		}
		file, err := saved.File()
		if err != nil {
			return nil, err
		}
		made, err := newCandidate(model, file)
		if err != nil {
			return nil, err // not made: a nil pointer in an interface is no nil
		}
		return made, nil
	}
}
