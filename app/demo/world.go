package demo

import (
	"encoding/csv"
	"io"
	"math"
	"strings"

	"fubini/model/latent"
)

// Title marks the world as synthetic wherever it is shown.
const Title = "Demo world: synthetic people"

// Item is a food. Emoji is one character that stands for it.
type Item struct{ ID, Name, Emoji, Group string }

// World is the catalogue of foods with the parameters that people are drawn from.
type World struct {
	Items  []Item
	Truth  *latent.Catalogue // planted parameters, a row for each item
	Tastes []string          // what the hidden units of Truth stand for
	fame   []float64
}

// How strong the planted parameters are. Chosen by drawing people and looking at their lists: three to six tiers,
// ties common, everybody's favourites still to be told apart, and tastes that show in a list of ten.
const (
	worthScale = 1.9 // of a worth of 1
	tasteScale = 2.9 // of a weight of 1
	tieWeight  = 2.6
)

// shares are the shares of people who have each taste.
var shares = weights{sweet: 0.5, hot: 0.45, sea: 0.45, meat: 0.5, green: 0.4, umami: 0.45, comfort: 0.55, strong: 0.35}

// New returns the world. It is the same each time.
func New() *World {
	w := &World{Tastes: tasteNames, Truth: latent.NewCatalogue(len(foods), tastes, latent.Binary, latent.Options{Size: 2, Centred: true})}
	*w.Truth.Nu = tieWeight
	for k, share := range shares {
		w.Truth.B[k] = math.Log(share / (1 - share))
	}
	for i, f := range foods {
		w.Items = append(w.Items, f.Item)
		w.fame = append(w.fame, f.fame)
		w.Truth.U[i] = worthScale * f.worth
		for k, v := range f.weights {
			w.Truth.W[i*tastes+k] = tasteScale * v
			// So that the worth is the mean over people: those who lack a taste
			// put its foods lower than the worth says.
			w.Truth.U[i] -= tasteScale * v * shares[k]
		}
	}
	return w
}

// WriteItems writes the foods as CSV: item, name, emoji and group.
func (w *World) WriteItems(to io.Writer) error {
	table := csv.NewWriter(to)
	rows := [][]string{{"item", "name", "emoji", "group"}}
	for _, item := range w.Items {
		rows = append(rows, []string{item.ID, strings.ReplaceAll(item.Name, "\u00ad", ""), item.Emoji, item.Group}) // soft hyphens are for the page
	}
	return table.WriteAll(rows)
}
