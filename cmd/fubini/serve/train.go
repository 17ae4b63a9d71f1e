package serve

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"fubini"
	"fubini/app/server"
	"fubini/cmd/fubini/cli"
	"fubini/core/setting"
	"fubini/data/format"
	"fubini/data/personal"
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

func (folder jobData) read(ctx context.Context, name string) (*fubini.Data, error) {
	return cli.Await(ctx, func() (*fubini.Data, error) {
		if err := folder.has(name); err != nil {
			return nil, err
		}
		root, err := os.OpenRoot(string(folder))
		if err != nil {
			return nil, err
		}
		defer root.Close()
		set, report, err := personal.ReadSet(root.FS(), name, format.Options{Name: name, Incomplete: "subset"})
		if err != nil {
			return nil, err
		}
		return fubini.NewData(name, set, report), nil
	})
}

// trainer trains on a file of a folder, and writes the model beside the one that is served.
func trainer(p *cli.Program, model string, data jobData) func(context.Context, server.TrainOrder, func(server.Progress)) (server.Candidate, error) {
	return func(ctx context.Context, order server.TrainOrder, observe func(server.Progress)) (server.Candidate, error) {
		set, err := data.read(ctx, order.Data)
		if err != nil {
			return nil, err
		}
		trained, err := fubini.Train(ctx, set, fubini.Named(order.Model), fubini.Seed(order.Seed), fubini.Calibrate(order.Calibrate), fubini.Jobs(p.Jobs),
			fubini.Configure(func(string) (fubini.Recipe, error) { return recipe(order, set.Items().Len()) }),
			fubini.Adjust(func(r *fubini.TrainRequest) {
				r.Observe = func(e modelstore.Epoch, epochs int) {
					observe(server.Progress{Epoch: e.Epoch, Epochs: epochs, Distance: e.Distance, Validation: e.Validation, Likelihood: e.LogLikelihood})
				}
			}))
		if err != nil {
			return nil, err
		}
		file, err := trained.File()
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

// recipe is the model of an order, unless it is too large for a catalogue of this many items.
func recipe(order server.TrainOrder, items int) (fubini.Recipe, error) {
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
		if units.Value() > mostWeights/float64(max(1, items)) {
			return nil, fmt.Errorf("%d items with %g hidden units are more than the %d weights that a job trains: ask for fewer units, or use fubini train", items, units.Value(), mostWeights)
		}
	}
	return recipes[0], nil
}
