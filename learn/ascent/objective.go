package ascent

import (
	"fubini/core/vec"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Objective is a sum over lists.
type Objective interface {
	// Gradient computes the gradient of the objective of a task's list. It is called by
	// several goroutines at once, worker being the number of each.
	Gradient(worker int, t *Task)
	// Updated is called after every update, with the tasks of the block and its number in
	// the epoch, from 1.
	Updated(tasks []*Task, block int)
}

// Task is one list of a block, and its gradient.
type Task struct {
	Index  int      // in the block
	Number int      // of the list
	Epoch  int      // in hand
	List   osm.List // or the part of it that is used
	Places []int    // the places in the whole list of that part; nil for all

	// Set by the objective.
	Gradient      ListGradient
	LogLikelihood float64
	Moved

	squares Curvature
}

// Moved is how a chain moved in a visit: its distance from the list afterwards, and counts
// of its moves.
type Moved struct {
	Distance float64
	mcmc.Tally
}

// AddTo adds the gradient of item i, the n-th of the list, to that of the catalogue.
func (t *Task) AddTo(g *latent.Catalogue, n, i int) {
	common, k := t.Gradient.Common(), g.K
	g.U[i] += common.U[n]
	t.Gradient.AddWeights(n, 1, g.W[i*k:(i+1)*k])
	if g.V != nil {
		vec.AddTimes(g.V[i*k:(i+1)*k], common.B, latent.Presence(len(t.List.Items)))
	}
}

// update takes a block into account.
func (h *Curvature) update(tasks []*Task) {
	var block Curvature
	var items float64
	for _, t := range tasks {
		items += float64(len(t.List.Items))
		block.U += t.squares.U
		block.W += t.squares.W
		block.V += t.squares.V
		block.Nu += t.squares.Nu
		block.NuK += t.squares.NuK
		block.B += t.squares.B
	}
	lists := float64(len(tasks))
	h.U, h.W, h.V = running(h.U, block.U/items), running(h.W, block.W/items), running(h.V, block.V/items)
	h.Nu, h.NuK, h.B = running(h.Nu, block.Nu/lists), running(h.NuK, block.NuK/lists), running(h.B, block.B/lists)
}

// updateSizes is the same for the weight of every tier size.
func (s *State) updateSizes(tasks []*Task) {
	for n := range s.SizeCurvature {
		var sum float64
		for _, t := range tasks {
			g := t.Gradient.Common().Sizes[n]
			sum += g * g
		}
		s.SizeCurvature[n] = running(s.SizeCurvature[n], sum/float64(len(tasks)))
	}
}
