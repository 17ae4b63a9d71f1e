package likelihood

// listed is whether all outcomes of the vote in hand are listed: those of up to maxListed items, and the 2^n - 2 of two
// tiers, which are fewer than the steps of a subset table.
func (m *local) listed() bool { return m.n <= maxListed || m.Space == TwoTiers }

// twoTiers are the tiers of all outcomes of n items in two tiers.
func twoTiers(n int) (outcomes [][]int32) {
	for upper := 1; upper < 1<<n-1; upper++ {
		tiers := make([]int32, n)
		for k := range tiers {
			if upper>>k&1 == 0 {
				tiers[k] = 1
			}
		}
		outcomes = append(outcomes, tiers)
	}
	return outcomes
}
