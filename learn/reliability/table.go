package reliability

import (
	"context"
	"math"
	"slices"

	"fubini/core/parallel"
	"fubini/learn/ballot"
)

// rows are the votes of all raters put together whoever cast them.
type rows struct {
	*ballot.Data         // without reliabilities
	order        []int32 // of each order of the panel: the common one
	first        []int32 // common order o has the orders at[first[o]:first[o+1]] of the panel
	at           []int32
	from         []int32 // common order o depends on the parameters on[from[o]:from[o+1]]
	on           []int32
}

func newRows(d *ballot.Data) *rows {
	pooled, order := d.Pooled()
	c := &rows{Data: pooled.WithoutRaters(), order: order, first: make([]int32, len(pooled.Orders)+1), at: make([]int32, len(order)), from: []int32{0}}
	for _, o := range order {
		c.first[o+1]++
	}
	for o := range pooled.Orders {
		c.first[o+1] += c.first[o]
	}
	next := slices.Clone(c.first)
	for k, o := range order {
		c.at[next[o]] = int32(k)
		next[o]++
	}
	m, theta := c.NewLocal(), make([]float64, c.All)
	for g := range len(c.Groups) - 1 {
		m.Load(theta, c.Groups[g].Vote)
		var on []int32
		for _, row := range m.Rows[:m.Dim] {
			for _, e := range row {
				on = append(on, int32(e.At))
			}
		}
		slices.Sort(on)
		on = slices.Compact(on)
		for range c.OutcomesOf(g) {
			c.on = append(c.on, on...)
			c.from = append(c.from, int32(len(c.on)))
		}
	}
	return c
}

// width is the number of numbers in a table for each point of the grid.
func (c *rows) width() int { return len(c.Orders) + len(c.on) }

// table has the log likelihood of all common orders at all points of the grid, each followed by its derivatives by the parameters
// that it depends on.
type table []float64

// of is the rows of order o: those of points first, first + 1, ... one after the other, and the length of each.
func (c *rows) of(t table, size, o, first int) (rows table, width int) {
	width = 1 + int(c.from[o+1]-c.from[o])
	return t[size*(o+int(c.from[o]))+first*width:], width
}

// tabulate computes the table at theta.
func (c *rows) tabulate(ctx context.Context, g grid, theta []float64, jobs int, scores bool) (table, error) {
	t := make(table, c.width()*len(g.used))
	return t, parallel.Each(ctx, len(c.Parts)-1, jobs, func(_, part int) error {
		m, where := c.NewLocal(), make([]int, c.Global)
		for each := c.Parts[part]; each < c.Parts[part+1]; each++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			m.Load(theta, c.Groups[each].Vote)
			for k, used := range g.used {
				if !used {
					continue
				}
				m.Scale(math.Exp(g.node(k)))
				if err := m.Expect(false); err != nil {
					return err
				}
				for o := c.Groups[each].First; o < c.Groups[each+1].First; o++ {
					tiers := c.TiersOf(c.Orders[o].Vote)
					row, _ := c.of(t, len(g.used), int(o), k)
					row[0] = m.LogOf(tiers)
					if !scores {
						continue
					}
					for j, at := range c.on[c.from[o]:c.from[o+1]] {
						where[at] = 1 + j
					}
					m.Residual(tiers)
					for a, v := range m.Statistic[:m.Dim] {
						for _, e := range m.Rows[a] {
							row[where[e.At]] += v * e.By
						}
					}
				}
			}
		}
		return nil
	})
}
