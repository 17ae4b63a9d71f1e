package likelihood

import (
	"fubini/learn/ballot"
	"fubini/learn/reliability"
)

// Data is the votes of a fit, in groups of votes with the same distribution ([ballot.Data]).
type Data struct {
	*ballot.Data
	raters *reliability.Panel // nil where raters have no reliabilities
}

func newData(d *ballot.Data) *Data {
	if d.Raters == 0 {
		return &Data{Data: d}
	}
	return &Data{d, reliability.NewPanel(d)}
}

// Group checks votes against a design and puts those with the same distribution together, as [ballot.Gather] does.
func Group(d ballot.Design, votes ballot.Votes) (*Data, error) {
	data, err := ballot.Gather(d, votes)
	if err != nil {
		return nil, err
	}
	return newData(data), nil
}

// reweighted is the data with other weights of its outcomes.
func (d *Data) reweighted(weight []float64) *Data {
	other := d.Reweighted(weight)
	if d.raters == nil {
		return &Data{Data: other}
	}
	return &Data{other, d.raters.Reweighted(other)}
}

// Split divides the votes at random: each is in the first part with probability share. Weights count votes and must be whole numbers.
func (d *Data) Split(share float64, seed uint64) (first, second *Data, err error) {
	a, b, err := d.Data.Split(share, seed)
	if err != nil {
		return nil, nil, err
	}
	return newData(a), newData(b), nil
}
