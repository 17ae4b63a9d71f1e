package cells

// The values of some choices in the zoo.
const (
	PrintedMoves     = 2
	SplitMergeMoves  = 1
	ReinsertionMoves = 0
	BinaryUnits      = 0
	BaseTies         = 0
	// none is zero as the settings of cells have it: those that were kept before zero could
	// be said have it so, and 0 for the default. setting.Apply reads it.
	None = -1
)

// Chained is the name of the latent model that is fitted by persistent chains.
const Chained = "latent-osm-chains"
