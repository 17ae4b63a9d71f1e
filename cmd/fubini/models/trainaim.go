package models

import (
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/data/ratings"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
)

// checkAim refuses an aim that does not go with the model.
func (f *trainFlags) checkAim(flags *pflag.FlagSet) error {
	recipe, err := registry.New(f.model)
	if err != nil {
		return exit.Usage(err)
	}
	_, ours := recipe.(registry.OrderedSetRecipe)
	switch {
	case f.Aim == "interest" && flags.Changed("model") && f.model != "interest":
		return exit.Usagef("--aim interest is the model interest; leave --model out, or give another aim")
	case f.Aim != "" && f.Aim != "interest" && f.model == "interest":
		return exit.Usagef("--aim %s: a model interest has no taste; leave --model out", f.Aim)
	case f.Aim == "balanced" && !ours:
		return exit.Usagef("--aim balanced: interest is fitted beside osm, latent-osm and latent-osm-paper, not beside %s", f.model)
	}
	return nil
}

// trainPicks turns a request into one for data without ratings: of interest alone, or of the model asked for, if that is
// one of picks.
func (f *trainFlags) trainPicks(p *cli.Program, flags *pflag.FlagSet, data string, request *modelstore.Request) (err error) {
	const why = "has no ratings: it holds who picked what, and not how they placed it"
	if f.Aim != "" && f.Aim != "interest" {
		return exit.Usagef("--aim %s: %s %s; interest alone can be trained on it", f.Aim, data, why)
	}
	if !flags.Changed("model") {
		f.model = "interest"
		p.Tell("%s %s; the model has interest alone, and no taste", data, why)
	}
	if !registry.TakesPicks(f.model) {
		return exit.Usagef("--model: %s %s, which %s needs; interest is trained if --model is left out", data, why, f.model)
	}
	if !flags.Changed("calibrate") {
		request.Calibrate = 0
	}
	request.Model = f.model
	request.Recipe, err = f.recipe(flags)
	return err
}

// addInterest asks for interest beside taste, unless the user wants taste alone or the catalogue is too large.
func (f *trainFlags) addInterest(p *cli.Program, set *ratings.Set, request *modelstore.Request) error {
	aim, err := modelstore.ParseAim(f.Aim)
	if err != nil {
		return exit.Usage(err)
	}
	why, err := request.AddInterest(set.Items().Len(), aim)
	if why != nil {
		p.Tell("interest is left out, and the model has taste alone: %v", why)
	}
	return err
}

// tellInterest says what recommend orders by, of a model with interest.
func tellInterest(p *cli.Program, saved *modelstore.Saved) {
	picks := saved.Interest
	switch {
	case picks == nil:
	case picks.Informative() && saved.HasTaste():
		p.Tell("interest, what people pick, is fitted beside taste; recommend orders by both unless --aim says otherwise")
	case picks.Informative():
	default:
		p.Tell("who picked what is found no better from the rest of a list than by popularity (NDCG@20 %+.4f, standard error %.4f), as where lists are drawn by lot or hold everything", picks.Lift.Mean, picks.Lift.StdErr)
		if saved.HasTaste() {
			p.Tell("so recommend orders by taste alone unless --aim says otherwise")
		}
	}
}
