package osm

import (
	"fubini/core/rng"
	"fubini/infer/mcmc"
)

// StartsOf counts the outcomes at which walks of annealing start, for three items.
func StartsOf(v *Visible, draws int) map[string]int {
	problem, err := v.Annealing([]int{0, 1, 2}, mcmc.ReinsertionMoves)
	if err != nil {
		panic(err)
	}
	walk, r, seen := problem.New().(*visibleWalk), rng.Stream(1, "starts"), map[string]int{}
	for range draws {
		walk.Start(r)
		seen[walk.x.String()]++
	}
	return seen
}
