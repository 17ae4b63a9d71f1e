package cells

// The values of some choices among the settings of models.
const (
	PrintedMoves     = 2
	SplitMergeMoves  = 1
	ReinsertionMoves = 0
	BinaryUnits      = 0
	Chains           = 1
	BaseTies         = 0
	UnitTies         = 2
	LevelsNever      = 2
	// none is zero as the settings of cells have it: those that were kept before zero could
	// be said have it so, and 0 for the default. setting.Apply reads it.
	None = -1
)
