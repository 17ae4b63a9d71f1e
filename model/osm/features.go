package osm

// Feature is a feature function of a pair of catalogue items. For ties, f_a(i, j), it is
// evaluated once a pair, with i < j, and should be symmetric. For orders, g_b(i, j), item i is
// above item j.
type Feature struct {
	Name  string
	Value func(i, j int) float64
}

// Features is the general log-linear model: log potentials of pairs are
// weighted sums of feature functions,
//
//	log phi(i ~ j) = sum over a of alpha_a f_a(i, j)
//	log psi(i > j) = sum over b of beta_b g_b(i, j)
//
// See docs/maths.md#osm.
type Features struct {
	Ties   []Feature // f_a
	Orders []Feature // g_b
}

// Dim is the number of features of both kinds.
func (f Features) Dim() int { return len(f.Ties) + len(f.Orders) }
