package grade

import (
	"fmt"
	"math"
	"testing"
)

func TestGrades(t *testing.T) {
	last := math.MinInt
	for _, name := range []string{"F-", "F", "f+", "E", "D", "C−", "C", "B-", "B tier", "B+", "A-", "a", "A+", "S-Tier", "S+", "SS", "SSS"} {
		g, ok := Of(name)
		if !ok || g.Order <= last {
			t.Errorf("%q: %+v %v is not above %d", name, g, ok, last)
		}
		last = g.Order
		if again, ok := Of(g.Name); !ok || again != g {
			t.Errorf("%q is written %q, which is %+v", name, g.Name, again)
		}
	}
	for _, name := range []string{"", "+", "-", "G", "AB", "4", "SSSS", "tier", "tier 0", "tier -", "tier x", "ranking", "rank", "AA", "tier 99999999999"} {
		if g, ok := Of(name); ok {
			t.Errorf("%q is taken for %+v", name, g)
		}
	}
	one, _ := Of("Tier #1")
	two, _ := Of("tier2")
	if one.Order <= two.Order || one.Name != "tier 1" || two.Name != "tier 2" {
		t.Errorf("%+v %+v", one, two)
	}
}

func ExampleOf() {
	for _, name := range []string{"S-Tier", "b+", "Tier #2", "favourites"} {
		g, ok := Of(name)
		fmt.Printf("%q %v\n", g.Name, ok)
	}
	// Output:
	// "S" true
	// "B+" true
	// "tier 2" true
	// "" false
}
