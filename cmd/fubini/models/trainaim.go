package models

import (
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
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

// tellInterest says what recommend orders by, of a model with interest.
func tellInterest(p *cli.Program, saved *modelstore.Saved) {
	picks := saved.Interest
	switch {
	case picks == nil:
	case picks.Informative() && saved.HasTaste():
		p.Tell("interest, what people pick, is fitted beside taste; recommend orders by both unless --aim says otherwise")
	case picks.Informative():
	default:
		p.Tell("interest, what people pick, does not find hidden items of a list better than popularity does (difference in NDCG@20 %+.4f, standard error %.4f); so it is where lists are drawn at random or hold every item", picks.Lift.Mean, picks.Lift.StdErr)
		if saved.HasTaste() {
			p.Tell("recommend orders by taste alone unless --aim says otherwise")
		}
	}
}
