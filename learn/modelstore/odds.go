package modelstore

import (
	"context"
	"fmt"

	"fubini/core/parallel"
	"fubini/data/modelfile"
	"fubini/data/ratings"
	"fubini/model"
	"fubini/model/latent"
	"fubini/use/odds"
)

// fitOdds is [odds.Fit] unless the context ends.
func fitOdds(ctx context.Context, c *latent.Catalogue, split ratings.Split) (*odds.Calibration, *odds.Reliability, error) {
	var made *odds.Calibration
	var reliability *odds.Reliability
	failed, err := parallel.Await(ctx, func() (err error) {
		made, reliability, err = odds.Fit(c, split)
		return err
	})
	if err != nil { // the fit still goes on
		return nil, nil, err
	}
	return made, reliability, failed
}

// Calibrate measures the reliability of the model's tier probabilities, without ratings, on the
// users of a set, who must not be among the training users: [odds.LeaveOneOut]. Items that the
// model has not are left out.
func (s *Saved) Calibrate(ctx context.Context, set *ratings.Set, jobs int) (*odds.Reliability, error) {
	c, err := s.Catalogue()
	if err != nil {
		return nil, err
	}
	people := make([]model.Person, set.Users().Len())
	for u := range people {
		people[u], _ = s.Person(set, u)
		people[u].Bare = true
	}
	return odds.LeaveOneOut(ctx, c, s.Odds, people, jobs)
}

// keyOdds is the key of the calibration in a model file.
const keyOdds = "odds"

// oddsFile is a calibration in a file. The odds of files without one are not corrected.
type oddsFile struct {
	Version int               `json:"version"`
	Map     *odds.Calibration `json:"map"`
}

const oddsVersion = 1

// saveOdds writes the calibration, if there is one.
func (s *Saved) saveOdds(f *modelfile.File) error {
	if s.Odds == nil {
		return nil
	}
	return f.SetJSON(keyOdds, oddsFile{oddsVersion, s.Odds})
}

// loadOdds reads the calibration, if there is one.
func (s *Saved) loadOdds(f *modelfile.File) error {
	if f.Metadata[keyOdds] == "" {
		return nil
	}
	if _, err := s.Catalogue(); err != nil {
		return fmt.Errorf("modelstore: the file has a calibration of odds that its model does not have: %w", err)
	}
	var kept oddsFile
	if err := f.JSON(keyOdds, &kept); err != nil {
		return err
	}
	if kept.Version != oddsVersion || kept.Map == nil {
		return fmt.Errorf("modelstore: the file has a calibration of version %d; this program knows version %d", kept.Version, oddsVersion)
	}
	s.Odds = kept.Map
	return s.Odds.Check()
}
