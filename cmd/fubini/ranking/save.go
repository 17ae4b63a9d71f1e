package ranking

import (
	"math"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
	"fubini/model/latent"
)

// checkSave refuses forms of a fit that a model file cannot hold.
func (f *flags) checkSave() error {
	if f.save != "" && (f.ties != "common" || f.space != "all") {
		return exit.Usagef("--save keeps worths and one tie weight: with --ties common and --space all")
	}
	return nil
}

// keep writes the fit as a model osm, potentials neither centred nor scaled. Coefficients of covariates of places and votes
// and reliabilities are left out: the model is that of a vote at their zero, by a rater of reliability 1.
func (r *report) keep(p *cli.Program) error {
	c := latent.Shape{Items: len(r.set.Items), Units: latent.Binary}.New()
	copy(c.U, r.fit.Worths())
	*c.Nu = r.fit.Nu()
	s := &modelstore.Saved{Name: "osm", Program: cli.BuildVersion().Version, Seed: p.Seed, Ratings: len(r.set.Item), Users: r.set.Len(), Low: 1, High: 2,
		ItemIDs: r.set.Items, Seen: make([]uint32, len(r.set.Items)), Settings: map[string]float64{"size": 0}, Model: &registry.Latent{Catalogue: c}}
	for i := range s.ItemIDs {
		s.ItemNames = append(s.ItemNames, r.set.Name(i))
	}
	votes := make([]float64, len(s.ItemIDs))
	for v := range r.set.Len() {
		items, tiers := r.set.At(v)
		for k, i := range items {
			votes[i] += r.set.Weight[v]
			s.High = max(s.High, float64(tiers[k])+1)
		}
	}
	for i, n := range votes {
		s.Seen[i] = uint32(math.Min(n, math.MaxUint32))
	}
	return input.Save(cli.Destination{Flag: "--save", Path: r.flags.save}, s)
}
