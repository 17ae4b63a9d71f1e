package ranking

import (
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/learn/modelstore"
)

// keep writes the fit as a model osm: worths, tie weights, the sample space, and the board with the covariance of worths and
// the votes counted by pairs. The model is that of a vote by a rater of reliability 1, with covariates of places and votes 0.
func (r *report) keep() error {
	s := modelstore.NewFitted(r.board, r.sizes)
	s.Program = cli.BuildVersion().Version
	return input.Save(cli.Destination{Flag: "--save", Path: r.flags.save}, s)
}
