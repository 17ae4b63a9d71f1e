package cells

import (
	"fubini/core/partition"
	"fubini/core/setting"
	"fubini/infer/mcmc"
	"fubini/learn/registry"
	"fubini/model"
)

// The values of some choices among the settings of models.
const (
	PrintedMoves     = float64(mcmc.PrintedMoves)
	SplitMergeMoves  = float64(mcmc.SplitMergeMoves)
	ReinsertionMoves = float64(mcmc.ReinsertionMoves)
	BinaryUnits      = 0
	BaseTies         = 0
	// None is zero in the settings of cells, where 0 is the default: cells in stores have it so.
	None = -1
)

// Chained is the name of the latent model that is fitted by persistent chains.
const Chained = "latent-osm-chains"

// WeakOrders is a model with a probability for every ranking with ties of the scored items.
type WeakOrders interface {
	model.Model
	// LogLikelihood is the log probability of an order, whose item n has scores[n].
	LogLikelihood(scores []float64, order *partition.Partition) float64
}

// Configured is the recipe of a model with some settings changed.
func Configured(model string, set map[string]float64) (model.Recipe, error) {
	recipe, err := registry.New(model)
	if err != nil {
		return nil, err
	}
	return recipe, setting.Apply(recipe.Settings(), set)
}
