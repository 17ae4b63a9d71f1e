package modelstore

import (
	"context"
	"fmt"

	"fubini/data/ratings"
	"fubini/judge/evaluate"
	learn "fubini/learn/interest"
	"fubini/learn/registry"
	"fubini/model"
	"fubini/model/interest"
)

// Judged adapts a recipe to package evaluate, ranking by an aim. An Ordered Set Model is fitted with interest beside it,
// but for the aim taste, and AimAuto is what [Saved.Resolve] makes of it; other recipes rank by the model's own scores.
func Judged(r model.Recipe, aim Aim, run model.Run) evaluate.Model {
	if _, ours := r.(registry.OrderedSetRecipe); aim == AimNext || ours && aim != AimTaste {
		return judgedByAim{r, aim, run}
	}
	return registry.Judged(r, run)
}

type judgedByAim struct {
	recipe model.Recipe
	aim    Aim
	run    model.Run
}

func (m judgedByAim) Fit(ctx context.Context, training ratings.Training) (evaluate.Ranker, error) {
	set := training.Set()
	var fitted model.Model
	var err error
	if _, ours := m.recipe.(registry.OrderedSetRecipe); !ours || !m.aim.Picks() { // where taste has a part
		if fitted, err = m.recipe.Fit(ctx, set, m.run); err != nil {
			return nil, err
		}
	}
	alone, ok := fitted.(*registry.Interest)
	if !ok {
		picks, err := FitPicks(ctx, set, m.run)
		if err != nil {
			return nil, err
		}
		if alone = (&registry.Interest{Model: picks}); fitted == nil {
			fitted = alone
		}
	}
	if m.aim == AimNext && alone.Model.Next == nil {
		return nil, fmt.Errorf("modelstore: %w", ErrNoOrder)
	}
	return ByAim(training, fitted, alone.Model, m.aim), nil
}

// JudgedBy is what a model ranks by where it is judged: the aim that was asked for, or the one that suits the candidates. Items that
// somebody rated have been picked already, so that taste alone orders them; among all items interest counts too, if it is informative.
func JudgedBy(name string, r model.Recipe, asked Aim, all bool) Aim {
	_, ours := r.(registry.OrderedSetRecipe)
	switch {
	case name == "interest" && asked == AimNext:
		return AimNext
	case name == "interest":
		return AimInterest
	case ours && asked == AimInterest:
		return AimInterest
	case ours && (asked == AimBalanced || asked == AimNext):
		return asked
	case ours && !(Combines(name, r) && asked == AimAuto && all):
		return AimTaste
	}
	return AimAuto // what Resolve makes of it; a baseline has one order
}

// AddInterest asks for interest beside taste: where the aim is balanced, or where none is given and the model has both by
// default. A catalogue that is too large is an error for the aim balanced; otherwise interest is left out, and why says so.
func (r *Request) AddInterest(items int, aim Aim) (why, err error) {
	if aim != AimBalanced && (aim != AimAuto || !Combines(r.Model, r.Recipe)) {
		return nil, nil
	}
	switch fault := learn.Fits(items, learn.Defaults()); {
	case fault == nil:
		r.Interest = true
		return nil, nil
	case aim == AimBalanced:
		return nil, fault
	default:
		return fault, nil
	}
}

// FitPicks fits the model of picks that stands beside taste, with its default options.
func FitPicks(ctx context.Context, set *ratings.Set, run model.Run) (*interest.Model, error) {
	return learn.Fit(ctx, set, learn.ForRun(run))
}

// ByAim ranks by an aim, with the taste of one fitted model and the interest of another, which were fitted to the same ratings. Where those
// to be found are later than all of these, AimAuto is AimNext, as by [Saved.AimAfter].
func ByAim(training ratings.Training, taste model.Model, picks *interest.Model, aim Aim) evaluate.Ranker {
	saved := &Saved{Model: taste, Interest: picks}
	saved.Low, saved.High = training.Set().Range()
	return rankerByAim{saved, saved.AimAfter(training, aim)}
}

// AimAfter is the aim by which a model is judged: AimNext in place of AimAuto where the ratings to be found are later than all training
// ratings, and the model can tell what comes next.
func (s *Saved) AimAfter(training ratings.Training, aim Aim) Aim {
	if aim == AimAuto && training.Earlier() && s.Interest != nil && s.Interest.Next != nil {
		return AimNext
	}
	return aim
}

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

// Chosen notes the aims that a model of [Judged] ranks by, one for each fit: what AimAuto is depends on the training part.
func Chosen(m evaluate.Model, note func(Aim)) evaluate.Model { return noting{m, note} }

type noting struct {
	evaluate.Model
	note func(Aim)
}

func (n noting) Fit(ctx context.Context, training ratings.Training) (evaluate.Ranker, error) {
	ranker, err := n.Model.Fit(ctx, training)
	if r, ours := ranker.(rankerByAim); ours && err == nil {
		aim, err := r.Resolve(r.aim)
		if err != nil {
			return nil, err
		}
		n.note(aim)
	}
	return ranker, err
}
