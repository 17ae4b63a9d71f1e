package osm

import (
	"errors"
	"fmt"
)

// ErrNoMaximum is what [Connected.Err] wraps: without a prior the likelihood
// has no single maximum, because some parameters can grow for ever, or shift
// together without changing it.
var ErrNoMaximum = errors.New("the likelihood has no single maximum")

// Connected describes how a set of lists compares its items.
type Connected struct {
	// Groups are the strongly connected parts of the graph that has an edge from
	// i to j when i stood above or level with j in some list, from those that
	// only win to those that only lose. With one group the worths exist, for any
	// given nu; with more, those of different groups can drift apart for ever.
	Groups [][]int
	// Ties and Orders are true if any pair was tied, and any ordered. Without
	// ties nu falls for ever, without orders it rises.
	Ties, Orders bool
}

// Connectivity examines lists over a catalogue of that many items. Its verdict is
// complete for worths at a given nu; when nu is learned too, rare data that a
// threshold on worth differences explains without fault slip through. See
// docs/maths.md#connectivity.
func Connectivity(items int, lists []List) (*Connected, error) {
	c := &Connected{}
	// Neighbours suffice: a ring through each block and a step from each block
	// to the next reach whatever all pairs would.
	wins := make([][]int, items)
	edge := func(i, j int) { wins[i] = append(wins[i], j) }
	for l, list := range lists {
		if err := list.check(); err != nil {
			return nil, fmt.Errorf("list %d: %w", l, err)
		}
		for _, item := range list.Items {
			if item < 0 || item >= items {
				return nil, fmt.Errorf("osm: list %d has item %d; the catalogue has %d", l, item, items)
			}
		}
		x := list.Order
		for t := range x.Len() {
			block := x.Block(t)
			for k, i := range block {
				if len(block) > 1 {
					c.Ties = true
					edge(list.Items[i], list.Items[block[(k+1)%len(block)]])
				}
			}
			if t+1 < x.Len() {
				c.Orders = true
				edge(list.Items[block[0]], list.Items[x.Block(t + 1)[0]])
			}
		}
	}
	c.Groups = strongGroups(wins)
	return c, nil
}

// Err is nil when the maximum-likelihood worths exist (and nu, if it is
// learned), and otherwise the reason and the remedy.
func (c *Connected) Err(learnNu bool) error {
	switch {
	case len(c.Groups) > 1:
		return fmt.Errorf("osm: %w: the items fall into %d groups; the distance of items %s from items %s is not determined, because they were never compared, or one side always won; use a prior",
			ErrNoMaximum, len(c.Groups), few(c.Groups[0]), few(c.Groups[1]))
	case learnNu && !c.Ties:
		return fmt.Errorf("osm: %w: no two items were ever tied, so nu falls for ever; fix nu or use a prior", ErrNoMaximum)
	case learnNu && !c.Orders:
		return fmt.Errorf("osm: %w: all items were always tied, so nu rises for ever; fix nu or use a prior", ErrNoMaximum)
	}
	return nil
}

func few(items []int) string {
	if len(items) > 3 {
		return fmt.Sprintf("%d, %d, ...", items[0], items[1])
	}
	text := fmt.Sprint(items[0])
	for _, i := range items[1:] {
		text += fmt.Sprintf(", %d", i)
	}
	return text
}

// strongGroups are the strongly connected components of a graph in topological
// order, sources first (Kosaraju: the order in which a first search finishes,
// reversed, then a second search along edges turned round).
func strongGroups(edges [][]int) [][]int {
	n := len(edges)
	turned := make([][]int, n)
	for i, out := range edges {
		for _, j := range out {
			turned[j] = append(turned[j], i)
		}
	}
	seen := make([]bool, n)
	finished := make([]int, 0, n)
	for i := range n {
		finished = visit(i, edges, seen, finished)
	}
	clear(seen)
	var groups [][]int
	for k := n - 1; k >= 0; k-- {
		if !seen[finished[k]] {
			groups = append(groups, visit(finished[k], turned, seen, nil))
		}
	}
	return groups
}

// visit appends the nodes reachable from start in the order their search ends.
// The stack is its own, not Go's: catalogues are long.
func visit(start int, edges [][]int, seen []bool, done []int) []int {
	if seen[start] {
		return done
	}
	type frame struct{ node, next int }
	stack := []frame{{start, 0}}
	seen[start] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(edges[top.node]) {
			done = append(done, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		to := edges[top.node][top.next]
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, frame{to, 0})
		}
	}
	return done
}
