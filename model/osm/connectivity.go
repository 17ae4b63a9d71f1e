package osm

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrNoMaximum is wrapped by the error of [Connected.Err]: without a prior the likelihood has
// no unique maximum, because some parameters diverge or can be shifted together.
var ErrNoMaximum = errors.New("the likelihood has no single maximum")

// Connected is the comparison graph of a set of lists, as far as it decides whether estimates
// exist. The criterion is exact for worths with nu fixed. With nu estimated it is necessary but
// not sufficient: rare data that a threshold on differences of worths separates perfectly are not
// detected. See docs/maths.md#connectivity.
type Connected struct {
	// Groups are the strongly connected components of the graph with an edge from i to j where some
	// list has i above or tied with j, in topological order, best first. With one component the
	// maximum-likelihood worths exist for any fixed nu. With more, worths of different components
	// diverge.
	Groups [][]int
	// Ties is whether any pair is tied, Orders whether any pair is ordered. Without ties the
	// estimate of nu is -Inf, without orders +Inf.
	Ties, Orders bool
}

// Err is nil if the maximum-likelihood worths exist, and with learnNu also nu; otherwise the
// reason and the remedy. Items are named where names are given.
func (c *Connected) Err(learnNu bool, names []string) error {
	switch {
	case len(c.Groups) > 1:
		return fmt.Errorf("osm: %w: the items fall into %d groups; the distance of items %s from items %s is not determined, because they were never compared, or one side always won; use a prior",
			ErrNoMaximum, len(c.Groups), few(c.Groups[0], names), few(c.Groups[1], names))
	case learnNu && !c.Ties:
		return fmt.Errorf("osm: %w: no two items were ever tied, so nu falls for ever; fix nu or use a prior", ErrNoMaximum)
	case learnNu && !c.Orders:
		return fmt.Errorf("osm: %w: all items were always tied, so nu rises for ever; fix nu or use a prior", ErrNoMaximum)
	}
	return nil
}

func few(items []int, names []string) string {
	words := make([]string, 0, 3)
	for _, i := range items[:min(3, len(items))] {
		name := strconv.Itoa(i)
		if names != nil {
			name = names[i]
		}
		words = append(words, name)
	}
	if more := len(items) - len(words); more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, ", ")
}

// Components are the strongly connected components of a graph in topological
// order, sources first (Kosaraju: the order in which a first search finishes,
// reversed, then a second search along edges turned round).
func Components(edges [][]int) [][]int {
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
