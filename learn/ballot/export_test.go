package ballot

// MaxListed is the largest number of items whose outcomes are listed in every space.
const MaxListed = maxListed

// ByListing computes log Z, means and covariances from all outcomes.
func (m *Local) ByListing() { m.list(true) }

// ByTable computes the same by the subset table.
func (m *Local) ByTable() error { return m.expectTable(m.Mean) }

// ByCovariance computes log Z, means and covariances by the subset table and its derivative; false where that has none.
func (m *Local) ByCovariance() (bool, error) {
	table, err := m.table()
	if err != nil {
		return false, err
	}
	mean, covariance, ok := table.Covariance(m.ofPairs())
	copy(m.Mean, mean)
	copy(m.Covariance, covariance)
	return ok, nil
}

// ByDifferences computes the same by differences of means.
func (m *Local) ByDifferences() error { return m.differences() }
