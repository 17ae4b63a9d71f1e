package modelstore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"fubini/data/modelfile"
	"fubini/learn/registry"
	"fubini/model/latent"
	"fubini/model/osm"
	"fubini/use/board"
)

// Where a fitted board stands in a file, beside the potentials.
const (
	boardReport     = "board.report" // JSON
	boardCovariance = "board.covariance"
	boardQuasi      = "board.quasi"
	boardTieErrors  = "board.tie_errors" // of the tie weights of items, where there are some
	boardExpected   = "board.expected"   // a row for each of board.counted: what the fit expects of it
	boardCounted    = "board.counted"    // a row for two items that met: their numbers, the votes for the first, a tie and the second, and P
)

// NewFitted is a fitted board as a model; with weights of tier sizes the model is a catalogue without units, which has them.
func NewFitted(b *board.Fitted, sizes osm.SizeWeights) *Saved {
	s := &Saved{Name: "osm", Seed: b.Seed, Ratings: b.Entries, Users: b.Raters, Low: 1, High: float64(max(2, b.Tiers)), ItemIDs: b.Items, ItemNames: b.Names,
		Seen: make([]uint32, len(b.Items)), Settings: map[string]float64{"size": 0}}
	s.Board = b
	if sizes == nil {
		m := registry.NewVisible(b.Model)
		m.Mixture = b.Mixture
		s.Model = m
	} else {
		c := latent.Shape{Items: len(b.Items), Units: latent.Binary, Largest: sizes.Most()}.New()
		copy(c.U, b.Worths)
		*c.Nu = *b.Report.Nu
		copy(c.Sizes, sizes)
		s.Model = &registry.Latent{Catalogue: c}
	}
	s.Title = b.Report.Source
	if s.ItemNames == nil {
		s.ItemNames = b.Items
	}
	for i, weight := range b.Weights {
		s.Seen[i] = uint32(math.Min(weight, math.MaxUint32))
	}
	return s
}

// sizedPair are the probabilities that item i wins against item j, ties with it and loses in a vote on these two, with weights of
// tier sizes.
func sizedPair(c *latent.Catalogue) func(i, j int) (win, tie, loss float64) {
	one := c.Sizes.At(1, false) + c.Sizes.At(1, true)
	both := *c.Nu + c.Sizes.At(2, true) - one // of a tie against an order, at equal worths
	return func(i, j int) (win, tie, loss float64) {
		return (&osm.Visible{Worths: []float64{c.U[i], c.U[j]}, Nu: both}).Pair(0, 1)
	}
}

// Visible returns the visible model of a fit to votes; nil for a model of ratings.
func (s *Saved) Visible() *osm.Visible {
	if m, is := s.Model.(*registry.Latent); is {
		return m.Visible
	}
	return nil
}

// Mixture has the hidden units of a fit to votes; nil for a model without such units.
func (s *Saved) Mixture() *osm.Mixture {
	if m, is := s.Model.(*registry.Latent); is {
		return m.Mixture
	}
	return nil
}

// IsText reports whether a tensor holds text: ids, names, the report of a board.
func IsText(tensor string) bool {
	return strings.HasPrefix(tensor, "items.") || strings.HasPrefix(tensor, boardReport)
}

// saveBoard stores the board, if there is one. Its rows are not stored: they follow from the
// rest.
func (s *Saved) saveBoard(f *modelfile.File) error {
	b := s.Board
	if b == nil {
		return nil
	}
	report := b.Report
	report.Items = nil
	text, err := json.Marshal(report)
	if err != nil {
		return fmt.Errorf("modelstore: %w", err)
	}
	f.SetStrings(boardReport, []string{string(text)})
	n := len(s.ItemIDs)
	modelfile.Set(f, boardCovariance, b.Covariance, n, n)
	modelfile.Set(f, boardQuasi, b.Quasi, n)
	counted := make([]float64, 0, 6*len(b.Counted))
	for _, c := range b.Counted {
		counted = append(counted, float64(c.I), float64(c.J), c.Votes[0], c.Votes[1], c.Votes[2], c.P)
	}
	modelfile.Set(f, boardCounted, counted, len(b.Counted), 6)
	var expected []float64
	for _, c := range b.Counted {
		expected = append(expected, c.Expected[:]...)
	}
	modelfile.Set(f, boardExpected, expected, len(b.Counted), 3)
	modelfile.SetSome(f, boardTieErrors, b.TieErrors, n)
	return nil
}

// loadBoard reads the board, if there is one.
func (s *Saved) loadBoard(f *modelfile.File) error {
	if _, there := f.Tensor(boardReport); !there {
		return nil
	}
	b := &board.Fitted{Model: s.Visible(), Mixture: s.Mixture(), Seed: s.Seed, Items: s.ItemIDs}
	if b.Model == nil {
		m, is := s.Model.(*registry.Latent)
		if !is || m.K > 0 || m.Size != 0 || m.Centred || m.Sizes == nil {
			return fmt.Errorf("modelstore: the file has a board, and no fit to votes")
		}
		b.Worths, b.Chances = m.U, sizedPair(m.Catalogue)
	}
	text, err := f.Strings(boardReport, 1)
	if err != nil {
		return err
	}
	read := json.NewDecoder(bytes.NewReader([]byte(text[0])))
	read.DisallowUnknownFields()
	if err := read.Decode(&b.Report); err != nil {
		return fmt.Errorf("modelstore: the report of the board: %w", err)
	}
	if _, err := read.Token(); err != io.EOF {
		return fmt.Errorf("modelstore: the report of the board: more follows after the JSON value")
	}
	n := len(s.ItemIDs)
	r := modelfile.Reader{File: f}
	var counted, expected []float64
	modelfile.Into(&r, &b.Covariance, boardCovariance, n, n)
	modelfile.Into(&r, &b.Quasi, boardQuasi, n)
	modelfile.Into(&r, &counted, boardCounted, -1, 6)
	modelfile.IntoSome(&r, &expected, boardExpected, -1, 3) // not in older files
	modelfile.IntoSome(&r, &b.TieErrors, boardTieErrors, n)
	if r.Err != nil {
		return r.Err
	}
	for k := range len(counted) / 6 {
		row := counted[6*k : 6*k+6]
		if !(row[0] >= 0 && row[0] < row[1] && row[1] < float64(n)) || row[0] != math.Trunc(row[0]) || row[1] != math.Trunc(row[1]) {
			return fmt.Errorf("modelstore: the file counts votes of items %g and %g of %d", row[0], row[1], n)
		}
		c := board.Counted{I: int(row[0]), J: int(row[1]), Votes: [3]float64(row[2:5]), P: row[5]}
		if 2*len(expected) == len(counted) {
			c.Expected = [3]float64(expected[3*k : 3*k+3])
		}
		b.Counted = append(b.Counted, c)
	}
	for i, name := range s.ItemNames {
		if name != s.ItemIDs[i] {
			b.Names = s.ItemNames // some items have titles
		}
	}
	if err := b.Check(); err != nil {
		return fmt.Errorf("modelstore: %w", err)
	}
	if expected != nil && 2*len(expected) != len(counted) {
		return fmt.Errorf("modelstore: the file counts votes of %d pairs, and expects those of %d", len(counted)/6, len(expected)/3)
	}
	s.Board = b
	return nil
}
