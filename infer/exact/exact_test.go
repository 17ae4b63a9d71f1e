package exact_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fubini/core/partition"
	"fubini/core/rng"
	"fubini/infer/exact"
	"fubini/infer/stattest"
)

// pairs is a model with any potentials at all, weighed pair by pair.
type pairs struct {
	tie, above [][]float64
}

func randomPairs(seed uint64, n int, spread float64) *pairs {
	r := rng.Stream(seed, "pairs", uint64(n))
	m := &pairs{tie: make([][]float64, n), above: make([][]float64, n)}
	for i := range n {
		m.tie[i], m.above[i] = make([]float64, n), make([]float64, n)
		for j := range n {
			m.tie[i][j], m.above[i][j] = spread*r.NormFloat64(), spread*r.NormFloat64()
		}
	}
	return m
}

func (m *pairs) N() int                    { return len(m.tie) }
func (m *pairs) LogTie(i, j int) float64   { return m.tie[i][j] }
func (m *pairs) LogAbove(i, j int) float64 { return m.above[i][j] }
func (m *pairs) LogWeight(x *partition.Partition) float64 {
	var w float64
	for i := range m.N() {
		for j := range i {
			switch x.Relation(j, i) {
			case partition.Tied:
				w += m.tie[j][i]
			case partition.Above:
				w += m.above[j][i]
			case partition.Below:
				w += m.above[i][j]
			}
		}
	}
	return w
}

type model interface {
	exact.Weigher
	exact.Pairwise
}

func spaces(n int) []partition.Space {
	return []partition.Space{{}, partition.Permutations(n), partition.TwoBlocks(), partition.AtMost(3), {Min: 2}, {Min: 2, Max: 3}}
}

// relative is a difference on the scale of the values, at least 1.
func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))
}

func compareWithListing(t *testing.T, name string, m model, space partition.Space) {
	t.Helper()
	n := m.N()
	if _, _, err := space.Bounds(n); err != nil {
		return
	}
	list, err := exact.List(m, space)
	if err != nil {
		t.Fatal(err)
	}
	table, err := exact.NewTable(m, space)
	if err != nil {
		t.Fatal(err)
	}
	// Both sum at most a few thousand positive terms: rounding, nothing else.
	const tolerance = 1e-12
	if !near(table.LogZ(), list.LogZ, tolerance) {
		t.Errorf("%s: log Z %.15g, listed %.15g", name, table.LogZ(), list.LogZ)
	}
	a, b := table.Moments(), list.Moments()
	for i := range n {
		if !near(a.Score(i), b.Score(i), tolerance) {
			t.Errorf("%s: score of %d is %.15g, listed %.15g", name, i, a.Score(i), b.Score(i))
		}
		for j := range n {
			if !near(a.Above(i, j), b.Above(i, j), tolerance) || !near(a.Tied(i, j), b.Tied(i, j), tolerance) {
				t.Errorf("%s: items %d, %d: above %.15g tied %.15g, listed %.15g and %.15g", name, i, j, a.Above(i, j), a.Tied(i, j), b.Above(i, j), b.Tied(i, j))
			}
			if i != j && !near(a.Above(i, j)+a.Above(j, i)+a.Tied(i, j), 1, tolerance) {
				t.Errorf("%s: the relations of %d and %d sum to %g", name, i, j, a.Above(i, j)+a.Above(j, i)+a.Tied(i, j))
			}
		}
	}
	direct := list.Mean(func(x *partition.Partition) float64 { return float64(x.TiedPairs()) })
	if !near(a.TiedPairs(), direct, tolerance) {
		t.Errorf("%s: %.15g tied pairs expected, listed %.15g", name, a.TiedPairs(), direct)
	}
}

func TestTableAgainstListing(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for _, space := range spaces(n) {
			m := randomPairs(1, n, 1)
			compareWithListing(t, fmt.Sprintf("pairs, n = %d, %+v", n, space), m, space)
		}
	}
	if !testing.Short() {
		compareWithListing(t, "pairs, n = 7", randomPairs(2, 7, 1), partition.Space{})
	}
}

// Potentials of hundreds of nats, frustrated so that the best partition lies far
// below the bound of pair maxima: plain floating point underflows and the table
// must turn to logarithms by itself.
func TestTableSwitchesToLogs(t *testing.T) {
	for n := 2; n <= 6; n++ {
		for _, space := range spaces(n) {
			m := randomPairs(3, n, 900)
			compareWithListing(t, fmt.Sprintf("wild pairs, n = %d, %+v", n, space), m, space)
		}
	}
}

func TestForbiddenRelations(t *testing.T) {
	m := randomPairs(4, 5, 1)
	never := math.Inf(-1)
	m.tie[0][1], m.above[2][3] = never, never
	for _, space := range spaces(5) {
		compareWithListing(t, fmt.Sprintf("forbidden, %+v", space), m, space)
	}
	table, err := exact.NewTable(m, partition.Space{})
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Moments(); got.Tied(0, 1) != 0 || got.Above(2, 3) != 0 {
		t.Errorf("forbidden relations have probability %g and %g", got.Tied(0, 1), got.Above(2, 3))
	}
	for i := range 5 {
		for j := range 5 {
			m.tie[i][j] = never
			if i > j {
				m.above[i][j] = never
			}
		}
	}
	m.above[3][4] = never // nothing is left for 3 and 4
	if _, err := exact.NewTable(m, partition.Space{}); err == nil {
		t.Error("a model in which nothing is possible was taken")
	}
	if _, err := exact.List(m, partition.Space{}); err == nil {
		t.Error("a model in which nothing is possible was listed")
	}
}

func TestDrawsFollowTheListing(t *testing.T) {
	for _, spread := range []float64{0.7, 900} { // plain tables and logarithms
		for _, space := range spaces(4) {
			m := randomPairs(5, 4, spread)
			list, err := exact.List(m, space)
			if err != nil {
				t.Fatal(err)
			}
			table, err := exact.NewTable(m, space)
			if err != nil {
				t.Fatal(err)
			}
			index := map[string]int{}
			expected := make([]float64, len(list.States()))
			const draws = 20_000
			for x, p := range list.All() {
				expected[len(index)] = p * draws
				index[x.String()] = len(index)
			}
			for name, draw := range map[string]func(rng.Dice, *partition.Partition){"table": table.Draw, "listing": list.Draw} {
				r, x := rng.Stream(1, "draws"), partition.OneBlock(4)
				observed := make([]int, len(expected))
				for range draws {
					draw(r, x)
					observed[index[x.String()]]++
				}
				if p := stattest.ChiSquare(observed, expected); !(p > 1e-6) {
					t.Errorf("%s, spread %g, %+v: draws do not follow the probabilities, p = %g", name, spread, space, p)
				}
			}
		}
	}
}

func TestKnownCounts(t *testing.T) {
	for n := 1; n <= 12; n++ {
		table, err := exact.NewTable(randomPairs(6, n, 0), partition.Space{}) // every weight 1
		if err != nil {
			t.Fatal(err)
		}
		if got, want := table.LogZ(), partition.LogFubini(n); !near(got, want, 1e-13) {
			t.Errorf("log Z of %d indifferent items is %.15g, log Fubini %.15g", n, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	nan := randomPairs(7, 3, 1)
	nan.tie[0][2] = math.NaN()
	infinite := randomPairs(7, 3, 1)
	infinite.above[2][1] = math.Inf(1)
	for _, c := range []struct {
		name  string
		model model
		space partition.Space
		says  []string
	}{
		{"too many", randomPairs(7, 24, 1), partition.Space{}, []string{"24 items", "512 MiB", "limit is 20"}},
		{"no items", &pairs{}, partition.Space{}, []string{"0 items"}},
		{"empty space", randomPairs(7, 3, 1), partition.Space{Min: 4}, []string{"no partition of 3 items"}},
		{"NaN", nan, partition.Space{}, []string{"tie potential of items [0 2]", "NaN"}},
		{"infinity", infinite, partition.Space{}, []string{"order potential of items [2 1]", "+Inf"}},
	} {
		_, err := exact.NewTable(c.model, c.space)
		if err == nil {
			t.Errorf("%s: taken", c.name)
			continue
		}
		for _, says := range c.says {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v; expected it to say %q", c.name, err, says)
			}
		}
	}
	for _, c := range []struct {
		model model
		says  string
	}{{randomPairs(7, 9, 1), "7087261"}, {&pairs{}, "0 items"}, {nan, "NaN"}} {
		if _, err := exact.List(c.model, partition.Space{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("listing: %v; expected it to say %q", err, c.says)
		}
	}
}

func BenchmarkTable(b *testing.B) {
	for _, n := range []int{8, 10, 12, 16} {
		m := randomPairs(8, n, 0.1)
		b.Run(fmt.Sprintf("logZ/N=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := exact.NewTable(m, partition.Space{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("moments/N=%d", n), func(b *testing.B) {
			for b.Loop() {
				table, err := exact.NewTable(m, partition.Space{})
				if err != nil {
					b.Fatal(err)
				}
				table.Moments()
			}
		})
	}
}

// indifferent is a model in which every weak order weighs the same.
type indifferent struct{ items int }

func (m indifferent) N() int                    { return m.items }
func (m indifferent) LogTie(int, int) float64   { return 0 }
func (m indifferent) LogAbove(int, int) float64 { return 0 }

func ExampleNewTable() {
	table, err := exact.NewTable(indifferent{3}, partition.Space{})
	if err != nil {
		panic(err)
	}
	m := table.Moments()
	fmt.Printf("Z = %.0f, P(0 above 1) = %.4f, P(0 ~ 1) = %.4f\n", math.Exp(table.LogZ()), m.Above(0, 1), m.Tied(0, 1))
	// Output: Z = 13, P(0 above 1) = 0.3846, P(0 ~ 1) = 0.2308
}

// nowhere is a model of so many items without any partition; a table of it is given up before the work begins.
type nowhere int

func (n nowhere) N() int                  { return int(n) }
func (nowhere) LogTie(int, int) float64   { return math.Inf(-1) }
func (nowhere) LogAbove(int, int) float64 { return math.Inf(-1) }

// The limit is a number of items that is still taken.
func TestLimitOfItems(t *testing.T) {
	for items, refused := range map[int]bool{exact.MaxItems - 1: false, exact.MaxItems: false, exact.MaxItems + 1: true, 100: true} {
		_, err := exact.NewTable(nowhere(items), partition.Space{})
		if err == nil || strings.Contains(err.Error(), "the limit is") != refused {
			t.Errorf("%d items: %v", items, err)
		}
	}
}
