package modelstore

import (
	"context"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	"fubini/learn/interest"
	"fubini/learn/registry"
	"fubini/model"
)

// Judged adapts a recipe to package evaluate, ranking by an aim. An Ordered Set Model is fitted with interest beside it
// where the aim needs that; other recipes, and an aim of AimAuto, rank by the model's own scores.
func Judged(r model.Recipe, aim Aim, run model.Run) evaluate.Model {
	if _, ours := r.(registry.OrderedSetRecipe); !ours || aim == AimAuto || aim == AimTaste {
		return registry.Judged(r, run)
	}
	return judgedByAim{r, aim, run}
}

type judgedByAim struct {
	recipe model.Recipe
	aim    Aim
	run    model.Run
}

func (m judgedByAim) Fit(ctx context.Context, training ratings.Training) (evaluate.Ranker, error) {
	set := training.Set()
	picks, err := interest.Fit(ctx, set, interest.ForRun(m.run))
	if err != nil {
		return nil, err
	}
	saved := &Saved{Interest: picks}
	saved.Low, saved.High = set.Range()
	if m.aim == AimInterest { // taste has no part in it
		saved.Model = &registry.Interest{Model: picks}
	} else if saved.Model, err = m.recipe.Fit(ctx, set, m.run); err != nil {
		return nil, err
	}
	return saved.ByAim(m.aim), nil
}

// ByAim ranks by an aim that the model has.
func (s *Saved) ByAim(aim Aim) evaluate.Ranker { return rankerByAim{s, aim} }

// rankerByAim scores items under an aim.
type rankerByAim struct {
	*Saved
	aim Aim
}

// Score implements [evaluate.Ranker].
func (r rankerByAim) Score(p model.Person, items []uint32, scores []float64) {
	if err := r.ScoreFor(r.aim, p, items, scores); err != nil {
		panic(err) // the aim was one that the model has, and the items are of its catalogue
	}
}
