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
		v, r := &osm.Visible{Space: one.Space}, modelfile.Reader{File: f}
		var nu []float64
		modelfile.Into(&r, &v.Worths, unitPrefix(k)+"u", len(one.Worths))
		modelfile.Into(&r, &nu, unitPrefix(k)+"nu", 1)
		if ties(&r, unitPrefix(k), v); r.Err != nil {
			return nil, r.Err
		}
		v.Nu = nu[0]
		if k < 0 {
			m.Base = v
		} else {
			m.Units = append(m.Units, v)
		}
	}
	return m, m.Check()
}
