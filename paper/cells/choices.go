package cells

import "fubini/infer/mcmc"

// The values of some choices among the settings of models.
const (
	PrintedMoves     = float64(mcmc.PrintedMoves)
	SplitMergeMoves  = float64(mcmc.SplitMergeMoves)
	ReinsertionMoves = float64(mcmc.ReinsertionMoves)
	BinaryUnits      = 0
	BaseTies         = 0
	// None is zero as the settings of cells have it: those that were kept before zero could
	// be said have it so, and 0 for the default. setting.Apply reads it.
	None = -1
)

// Chained is the name of the latent model that is fitted by persistent chains.
const Chained = "latent-osm-chains"
