package ranking

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"fubini/cmd/fubini/cli"
	"fubini/data/text"
	"fubini/data/votes"
	"fubini/learn/ballot"
	"fubini/model/osm"
)

// addCovariates adds those of items, and the features of ties of --alike, which come from the same table.
func (f *flags) addCovariates(p *cli.Program, set *votes.Set, d *ballot.Design) error {
	if f.covariates == "" {
		return nil
	}
	file, err := os.Open(f.covariates)
	if err != nil {
		return err
	}
	defer file.Close()
	names, values, others, err := votes.Covariates(file, f.covariates, set.Items)
	if err != nil {
		return err
	}
	if others > 0 {
		p.Tell("%s: %s of items without votes left out", f.covariates, text.Count(others, "row", "rows"))
	}
	d.Item = ballot.Columns{Names: names, Values: values}
	for _, name := range f.alike {
		column := slices.Index(names, name)
		if column < 0 {
			return fmt.Errorf("--alike: %s has no column %s; it has %s", f.covariates, cli.Quote(name), strings.Join(names, ", "))
		}
		d.Pairs.Ties = append(d.Pairs.Ties, osm.Feature{Name: "alike in " + name, Value: func(i, j int) float64 {
			return -math.Abs(values[i*len(names)+column] - values[j*len(names)+column])
		}})
	}
	if f.prior.precision == 0 {
		f.prior = prior{1, true} // what covariates leave over is shrunk
		f.fit.Prior, f.fit.Learned = 1, true
	}
	return nil
}

// addPairFeatures adds the features f_a of ties and g_b of orders of a table.
func (f *flags) addPairFeatures(p *cli.Program, set *votes.Set, d *ballot.Design) error {
	if f.pairFeatures == "" {
		return nil
	}
	file, err := os.Open(f.pairFeatures)
	if err != nil {
		return err
	}
	defer file.Close()
	features, others, err := votes.PairFeatures(file, f.pairFeatures, set.Items)
	if err != nil {
		return err
	}
	if others > 0 {
		p.Tell("%s: %s of items without votes left out", f.pairFeatures, text.Count(others, "row", "rows"))
	}
	n := len(set.Items)
	for _, each := range features {
		feature := osm.Feature{Name: each.Name, Value: func(i, j int) float64 { return each.Values[i*n+j] }}
		switch {
		case each.Order:
			d.Pairs.Orders = append(d.Pairs.Orders, feature)
		case f.space == "orders":
			return fmt.Errorf("%s: tie_%s is a feature of ties, and the sample space has none; leave it out, or write order_%s", f.pairFeatures, each.Name, each.Name)
		default:
			d.Pairs.Ties = append(d.Pairs.Ties, feature)
		}
	}
	return nil
}
