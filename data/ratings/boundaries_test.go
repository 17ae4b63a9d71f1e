package ratings_test

import (
	"testing"

	"fubini/data/ratings"
)

// Levels of scales and ratings in tenths, against the formula in whole numbers, which
// do not round: a rating on a boundary belongs above it, and the highest rating has the
// highest level.
func TestLevelsInWholeNumbers(t *testing.T) {
	boundaries := 0
	for low := -10; low <= 10; low += 5 {
		for high := low + 1; high <= 20; high++ {
			for levels := 2; levels <= 10; levels++ {
				scale := ratings.Scale{Min: float64(low) / 10, Max: float64(high) / 10, Levels: levels}
				for r := low; r <= high; r++ {
					above := levels * (r - low)
					if above%(high-low) == 0 {
						boundaries++
					}
					if got, want := scale.Level(float64(r)/10), min(levels, 1+above/(high-low)); got != want {
						t.Fatalf("%g is level %d of %d from %g to %g, want %d", float64(r)/10, got, levels, scale.Min, scale.Max, want)
					}
				}
			}
		}
	}
	if boundaries < 1000 {
		t.Errorf("only %d ratings lie on boundaries", boundaries)
	}
}
