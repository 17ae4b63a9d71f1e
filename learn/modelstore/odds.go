package modelstore

import (
	"context"
	"fmt"

	"fubini/core/parallel"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/odds"
)

// fitOdds is [odds.Fit] unless the context ends.
func fitOdds(ctx context.Context, c *latent.Catalogue, split ratings.Split, jobs int) (*odds.Calibration, *odds.Reliability, error) {
	var made *odds.Calibration
	var reliability *odds.Reliability
	failed, err := parallel.Await(ctx, func() (err error) {
		made, reliability, err = odds.Fit(c, split, jobs)
		return err
	})
	if err != nil { // the fit still goes on
		return nil, nil, err
	}
	return made, reliability, failed
}

// keyOdds is the key of the calibration in a model file.
const keyOdds = "odds"

// oddsFile is a calibration in a file. The odds of files without one are not corrected.
type oddsFile struct {
	Version int               `json:"version"`
	Map     *odds.Calibration `json:"map"`
}

const oddsVersion = 1

// loadOdds reads the calibration of a model that can have one, if the file has it.
func loadOdds(f *modelfile.File, m model.Model) (*odds.Calibration, error) {
	if f.Metadata[keyOdds] == "" {
		return nil, nil
	}
	if _, may := m.(registry.OrderedSet); !may {
		return nil, fmt.Errorf("modelstore: the file has a calibration of odds, and its model %w", registry.ErrNoUnits)
	}
	var kept oddsFile
	if err := f.JSON(keyOdds, &kept); err != nil {
		return nil, err
	}
	if kept.Version != oddsVersion || kept.Map == nil {
		return nil, fmt.Errorf("modelstore: the file has a calibration of version %d; this program knows version %d", kept.Version, oddsVersion)
	}
	return kept.Map, kept.Map.Check()
}
