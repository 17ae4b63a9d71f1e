package registry

import (
	"fmt"

	"fubini/data/modelfile"
	"fubini/model/osm"
)

// unitPrefix is what the names of the arrays of unit k begin with; those of the base are at -1.
func unitPrefix(k int) string {
	if k < 0 {
		return "tastes.base."
	}
	return fmt.Sprintf("tastes.unit%d.", k+1)
}

func setMixture(f *modelfile.File, m *osm.Mixture) {
	modelfile.Set(f, unitShares, m.Shares, len(m.Shares))
	for k := -1; k < len(m.Units); k++ {
		v := m.Base
		if k >= 0 {
			v = m.Units[k]
		}
		modelfile.Set(f, unitPrefix(k)+"u", v.Worths, len(v.Worths))
		modelfile.Set(f, unitPrefix(k)+"nu", []float64{v.Nu}, 1)
		setTies(f, unitPrefix(k), v)
	}
}

// mixtureOf reads the hidden units of a fit to votes, whose one board is given; nil if the file has none.
func mixtureOf(f *modelfile.File, one *osm.Visible) (*osm.Mixture, error) {
	shares, err := modelfile.Optional[float64](f, unitShares, -1)
	if shares == nil || err != nil {
		return nil, err
	}
	m := &osm.Mixture{Shares: shares}
	for k := -1; k < len(shares); k++ {
		v := &osm.Visible{Space: one.Space}
		if v.Worths, err = modelfile.Get[float64](f, unitPrefix(k)+"u", len(one.Worths)); err != nil {
			return nil, err
		}
		nu, err := modelfile.Get[float64](f, unitPrefix(k)+"nu", 1)
		if err != nil {
			return nil, err
		}
		v.Nu = nu[0]
		if err := ties(f, unitPrefix(k), v); err != nil {
			return nil, err
		}
		if k < 0 {
			m.Base = v
		} else {
			m.Units = append(m.Units, v)
		}
	}
	return m, m.Check()
}
