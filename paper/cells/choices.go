package cells

import "fubini/infer/mcmc"

// The values of some choices among the settings of models.
const (
	PrintedMoves     = float64(mcmc.PrintedMoves)
	SplitMergeMoves  = float64(mcmc.SplitMergeMoves)
	ReinsertionMoves = float64(mcmc.ReinsertionMoves)
	BinaryUnits      = 0
	Chains           = 1
	BaseTies         = 0
	UnitTies         = 2
	LevelsNever      = 2
	// None is zero as the settings of cells have it: those that were kept before zero could
	// be said have it so, and 0 for the default. setting.Apply reads it.
	None = -1
)
