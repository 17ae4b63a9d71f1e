package cells

import (
	"fubini/core/partition"
	"fubini/model"
)

// WeakOrders is a model that gives rankings with ties a probability. Over all weak orders of the scored items the
// probabilities sum to 1.
type WeakOrders interface {
	model.Model
	// LogLikelihood is the log probability of an order, whose item n has scores[n].
	LogLikelihood(scores []float64, order *partition.Partition) float64
}
