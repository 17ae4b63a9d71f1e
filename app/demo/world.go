package demo

import (
	"slices"

	"fubini/model/latent"
)

// Title is what stands wherever the world is shown.
const Title = "Demo world: synthetic people"

// Item is a food. Emoji is one character that stands for it.
type Item struct{ ID, Name, Emoji, Group string }

// World is the catalogue and the truth about it.
type World struct {
	Items  []Item
	Truth  *latent.Catalogue // planted parameters, a row for each item
	Tastes []string          // what the hidden units of Truth stand for
	fame   []float64
}

// How strong the planted parameters are. Chosen by drawing people and looking at
// their lists: three to six tiers, ties common, everybody's favourites still to be
// told apart, and tastes that show in a list of ten.
const (
	worthScale = 2.5 // of a worth of 1
	tasteScale = 2   // of a weight of 1
	tieWeight  = 2
)

// unitBias brings each taste to about a third of all people: without it the
// units that matter in many foods would be on in nearly everybody, for there are
// more probable lists with them on than off.
var unitBias = weights{sweet: -4.6, hot: -3.2, sea: -3.2, meat: -4, green: -0.2, umami: -3.9, comfort: -4.7, strong: -0.3}

// New returns the world. It is the same each time.
func New() *World {
	w := &World{
		Truth:  latent.NewCatalogue(len(foods), tastes, latent.Binary, latent.Options{Size: 2, Centred: true}),
		Tastes: []string{sweet: "sweet", hot: "hot", sea: "sea", meat: "meat", green: "green", umami: "umami", comfort: "comfort", strong: "strong"},
	}
	w.Truth.Nu = tieWeight
	copy(w.Truth.B, unitBias[:])
	for i, f := range foods {
		w.Items = append(w.Items, f.Item)
		w.fame = append(w.fame, f.fame)
		w.Truth.U[i] = worthScale * f.worth
		for k, v := range f.weights {
			w.Truth.W[i*tastes+k] = tasteScale * v
		}
	}
	return w
}

// Groups are the groups in the order of the catalogue.
func (w *World) Groups() []string {
	var groups []string
	for _, item := range w.Items {
		if !slices.Contains(groups, item.Group) {
			groups = append(groups, item.Group)
		}
	}
	return groups
}
