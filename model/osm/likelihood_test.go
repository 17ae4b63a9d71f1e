package osm

import (
	"fubini/core/partition"
	"fubini/infer/exact"
)

// LogLikelihood is the exact log probability of x under a bound model, for lists
// short enough for the subset table of package exact.
func LogLikelihood(bound Bound, x *partition.Partition) (float64, error) {
	table, err := exact.NewTable(bound, partition.Space{})
	if err != nil {
		return 0, err
	}
	return bound.LogWeight(x) - table.LogZ(), nil
}

// Gradient writes the exact gradient of LogLikelihood by the parameters of
// bound.Index: observed minus expected statistics. See docs/maths.md#gradient.
func Gradient(bound Bound, x *partition.Partition, out []float64) error {
	table, err := exact.NewTable(bound, partition.Space{})
	if err != nil {
		return err
	}
	expected := make([]float64, len(out))
	bound.Expected(table.Moments(), expected)
	bound.Statistics(x, out)
	for k := range out {
		out[k] -= expected[k]
	}
	return nil
}
