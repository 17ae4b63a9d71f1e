package ascent

import (
	"fubini/core/vec"
	"fubini/infer/mcmc"
	"fubini/model/latent"
	"fubini/model/osm"
)

// Objective is the function that is maximised: a sum over lists.
type Objective interface {
	// Gradient computes the term of the task's list and its gradient. Several goroutines call it at
	// once; worker is the number of the caller.
	Gradient(worker int, t *Task)
	// Updated is called after every update of the parameters, with the tasks of the batch and the
	// number of the batch in its epoch, from 1.
	Updated(tasks []*Task, batch int)
}

// Task is the work on one list of a batch: its gradient at the current parameters.
type Task struct {
	Index  int      // number in the batch
	Number int      // number of the list in the run
	Epoch  int      // current epoch, from 0
	List   osm.List // the list, or a random part of a long one
	Places []int    // places of that part in the whole list; nil for the whole list

	// Results, set by the objective.
	Gradient      ListGradient
	LogLikelihood float64
	ChainStats

	squares Curvature
}

// ChainStats are the distance of a chain from its list, the paper's Dist(sample, observed), and
// the counts of its moves at one visit.
type ChainStats struct {
	Distance float64
	mcmc.Tally
}

// AddTo adds the gradient for the n-th item of the list, which is item i of the catalogue, to a
// catalogue of gradients.
func (t *Task) AddTo(g *latent.Catalogue, n, i int) {
	common, k := t.Gradient.WithoutW(), g.K
	g.U[i] += common.U[n]
	t.Gradient.AddWeights(n, 1, g.W[i*k:(i+1)*k])
	if g.V != nil {
		vec.AddTimes(g.V[i*k:(i+1)*k], common.B, latent.Presence(len(t.List.Items)))
	}
}

// update takes a batch into account.
func (h *Curvature) update(tasks []*Task) {
	var batch Curvature
	var items float64
	for _, t := range tasks {
		items += float64(len(t.List.Items))
		batch.U += t.squares.U
		batch.W += t.squares.W
		batch.V += t.squares.V
		batch.Nu += t.squares.Nu
		batch.NuK += t.squares.NuK
		batch.B += t.squares.B
	}
	lists := float64(len(tasks))
	h.U, h.W, h.V = running(h.U, batch.U/items), running(h.W, batch.W/items), running(h.V, batch.V/items)
	h.Nu, h.NuK, h.B = running(h.Nu, batch.Nu/lists), running(h.NuK, batch.NuK/lists), running(h.B, batch.B/lists)
}

// updateSizes is the same for the weight of every tier size.
func (s *State) updateSizes(tasks []*Task) {
	for n := range s.SizeCurvature {
		var sum float64
		for _, t := range tasks {
			g := t.Gradient.WithoutW().Sizes[n]
			sum += g * g
		}
		s.SizeCurvature[n] = running(s.SizeCurvature[n], sum/float64(len(tasks)))
	}
}
