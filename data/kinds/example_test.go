package kinds_test

import (
	"fmt"

	"fubini/data/kinds"
)

func Example() {
	films := kinds.New([]string{"alien", "heat", "unknown"}, func(item string) (groups []string, year int) {
		switch item {
		case "alien":
			return []string{"science fiction", "horror"}, 1979
		case "heat":
			return []string{"crime"}, 1995
		}
		return nil, 0
	})
	groups, year := films.Of(0)
	fmt.Println(films.Groups, "groups,", films.Dated(), "films with a year; alien is in", groups, "of", year)
	// Output: 3 groups, 2 films with a year; alien is in [1 2] of 1979
}
