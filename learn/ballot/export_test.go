package ballot

// MaxListed is the largest number of items whose outcomes are listed in every space.
const MaxListed = maxListed

// ByListing computes log Z, means and covariances from all outcomes.
func (m *Local) ByListing() { m.list(true) }

// ByTable computes the same by the subset table.
func (m *Local) ByTable() error { return m.expectTable(m.Mean) }
