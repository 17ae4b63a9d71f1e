package main

import (
	"context"
	"path/filepath"
	"strconv"

	"fubini/app/server"
	"fubini/learn/zoo"
)

// trainer trains on a file of a folder, and writes the model where it is served from.
func (p *program) trainer(model, folder string) func(context.Context, server.TrainOrder, func(server.Progress)) error {
	return func(ctx context.Context, order server.TrainOrder, observe func(server.Progress)) error {
		silent := *p
		silent.quiet = true
		set, _, err := silent.read(ctx, filepath.Join(folder, order.Data), dataFlags{duplicates: "error", incomplete: "subset"})
		if err != nil {
			return err
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
			return err
		}
		saved, err := zoo.Train(ctx, set, zoo.Request{
			Model: order.Model, Recipe: recipes[0], Seed: order.Seed, Calibrate: order.Calibrate, Jobs: p.jobs, Program: buildVersion().version,
			Observe: func(e zoo.Epoch, epochs int) {
				observe(server.Progress{Epoch: e.Epoch, Epochs: epochs, Distance: e.Distance, Validation: e.Validation, Likelihood: e.LogLikelihood})
			},
		})
		if err != nil {
			return err
		}
		file, err := saved.File()
		if err != nil {
			return err
		}
		return silent.writeModelFile(model, file)
	}
}
