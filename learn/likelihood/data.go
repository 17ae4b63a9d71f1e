package likelihood

import "fubini/learn/ballot"

// Data is votes put together by what their distribution depends on, ready for fits.
type Data struct {
	*ballot.Data
	places []place   // of raters, where they have reliabilities: around which their integrals are taken
	times  []float64 // how often each rater counts; nil for once
}

// Group checks votes against a design and puts those with the same distribution together, as [ballot.Gather] does.
func Group(d ballot.Design, votes ballot.Votes) (*Data, error) {
	data, err := ballot.Gather(d, votes)
	if err != nil {
		return nil, err
	}
	return &Data{Data: data}, nil
}

// reweighted is the data with other weights of its orders.
func (d *Data) reweighted(weight []float64) *Data {
	return &Data{d.Reweighted(weight), d.places, d.times}
}

// Split draws whole votes apart: each goes to the first part with the given probability. Weights
// count votes and must be whole numbers.
func (d *Data) Split(share float64, seed uint64) (first, second *Data, err error) {
	a, b, err := d.Data.Split(share, seed)
	if err != nil {
		return nil, nil, err
	}
	return &Data{Data: a}, &Data{Data: b}, nil
}
