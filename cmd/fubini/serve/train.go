package serve

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"fubini/app/server"
	"fubini/cmd/fubini/cli"
	"fubini/core/setting"
	"fubini/data/format"
	"fubini/data/personal"
	"fubini/data/ratings"
	"fubini/learn/interest"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
)

// mostWeights is the number of items times that of hidden units up to which a job
// trains. Training holds about ten numbers of eight bytes for each: 800 MB.
const mostWeights = 10_000_000

// jobData is the folder with the ratings that jobs may train on. A name leads to
// nothing outside of it, neither by dots nor by a link.
type jobData string

func (folder jobData) has(name string) error {
	root, err := os.OpenRoot(string(folder))
	if err != nil {
		return err
	}
	defer root.Close()
	_, err = root.Stat(name)
	return err
}

func (folder jobData) read(ctx context.Context, name string) (*ratings.Set, error) {
	return cli.Await(ctx, func() (*ratings.Set, error) {
		if err := folder.has(name); err != nil {
			return nil, err
		}
		root, err := os.OpenRoot(string(folder))
		if err != nil {
			return nil, err
		}
		defer root.Close()
		set, _, err := personal.ReadSet(root.FS(), name, format.Options{Name: name, Incomplete: "subset"})
		return set, err
	})
}

// trainer trains on a file of a folder, and writes the model beside the one that is served.
func trainer(p *cli.Program, model string, data jobData) func(context.Context, server.TrainOrder, func(server.Progress)) (server.Candidate, error) {
	return func(ctx context.Context, order server.TrainOrder, observe func(server.Progress)) (server.Candidate, error) {
		set, err := data.read(ctx, order.Data)
		if err != nil {
			return nil, err
		}
		var settings []registry.Assignment
		if order.Hidden > 0 && order.Model != "osm" {
			settings = append(settings, registry.Assignment{Name: "hidden", Value: strconv.Itoa(order.Hidden)})
		}
		if order.Epochs > 0 {
			settings = append(settings, registry.Assignment{Name: "epochs", Value: strconv.Itoa(order.Epochs)})
		}
		recipes, err := registry.Configure([]string{order.Model}, settings)
		if err != nil {
			return nil, err
		}
		if units, err := setting.Find(recipes[0].Settings(), "hidden"); err == nil { // else it has none
			if items := set.Items().Len(); units.Value() > mostWeights/float64(max(1, items)) {
				return nil, fmt.Errorf("%d items with %g hidden units are more than the %d weights that a job trains: ask for fewer units, or use fubini train", items, units.Value(), mostWeights)
			}
		}
		beside := modelstore.Combines(order.Model, recipes[0]) && interest.Fits(set.Items().Len(), interest.Defaults()) == nil
		saved, err := modelstore.Train(ctx, set, modelstore.Request{
			Interest: beside,
			Model:    order.Model, Recipe: recipes[0], Seed: order.Seed, Calibrate: order.Calibrate, Jobs: p.Jobs, Program: cli.BuildVersion().Version,
			Observe: func(e modelstore.Epoch, epochs int) {
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
