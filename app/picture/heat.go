package picture

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fubini/use/board"
)

var (
	behind = color.RGBA{0xb8, 0x4a, 0x0e, 0xff} // colour of a sure loss; a sure win has that of what is fitted
	even   = color.RGBA{0xf6, 0xf6, 0xf3, 0xff}
	words  = color.RGBA{0x22, 0x25, 0x2b, 0xff}
	quiet  = color.RGBA{0x6b, 0x70, 0x78, 0xff}
)

// mostNumbers is the largest number of items with numbers in the cells.
const mostNumbers = 25

// Heat draws all pairs of a board as SVG or PNG: the items best first, down and across, and in each cell who is ahead, the item of the row
// (blue) or that of the column (orange), by the probability of a win less that of a loss. Where items are few, a cell has the
// probability in percent that its row wins. Lines part the tiers.
func Heat(w io.Writer, kind, title string, b *board.Board, names []string, pair func(i, j int) (win, tie, loss float64)) error {
	if err := check(kind); err != nil {
		return err
	}
	h := newHeat(b, names)
	picture, err := draw.NewFormattedCanvas(h.left+h.side+h.margin, h.top+h.side+h.bottom, kind)
	if err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	h.Canvas = draw.New(picture)
	h.fill(h.Rectangle, color.White)
	for r, row := range b.Rows {
		for c, column := range b.Rows {
			if r == c {
				continue // no item meets itself
			}
			win, _, loss := pair(row.Item, column.Item)
			ahead := win - loss
			tile := h.cell(r, c)
			tile.Max.X += vg.Points(0.3) // over the next, so that no seams show
			tile.Min.Y -= vg.Points(0.3)
			h.fill(tile, heatOf(ahead))
		}
	}
	for k := range b.Rows {
		h.fill(h.cell(k, k), color.White)
	}
	h.tiers(b)
	h.labels(b, names)
	if len(b.Rows) <= mostNumbers {
		h.numbers(b, pair)
	}
	h.legend(title, len(b.Rows) <= mostNumbers)
	_, err = picture.WriteTo(w)
	return err
}

// heatOf is the colour of -1 to 1.
func heatOf(ahead float64) color.Color {
	end := ink
	if ahead < 0 {
		end = behind
	}
	t := math.Min(1, math.Abs(ahead))
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + t*(float64(b)-float64(a)))) }
	return color.RGBA{mix(even.R, end.R), mix(even.G, end.G), mix(even.B, end.B), 0xff}
}

// heat is the measures of a heat map.
type heat struct {
	draw.Canvas
	n                              int
	size, side                     vg.Length // of a cell, and of all
	left, top, bottom, margin, pad vg.Length
}

func newHeat(b *board.Board, names []string) *heat {
	n := len(b.Rows)
	h := &heat{n: n, size: max(0.3, min(1.1, 20/vg.Length(n))) * vg.Centimeter, margin: 0.6 * vg.Centimeter, pad: 0.12 * vg.Centimeter}
	h.side = vg.Length(n) * h.size
	style := h.names(0)
	for k, row := range b.Rows {
		h.left = max(h.left, style.Width(h.label(k, names[row.Item])))
	}
	h.top = h.left + 1.5*vg.Centimeter
	h.left = max(h.left+h.margin+h.pad, 11.5*vg.Centimeter-h.side) // the words below need room
	h.bottom = 2.7 * vg.Centimeter
	return h
}

// label is the rank and the name of the item at place k.
func (h *heat) label(k int, name string) string { return fmt.Sprintf("%s  %d", name, k+1) }

func (h *heat) style(size vg.Length, ink color.Color, rotation float64) text.Style {
	return text.Style{Color: ink, Font: font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size), Rotation: rotation, Handler: plot.DefaultTextHandler, YAlign: text.YCenter}
}

func (h *heat) names(rotation float64) text.Style {
	return h.style(min(10*vg.Points(1), 0.8*h.size), words, rotation)
}

// cell is the rectangle of row r and column c.
func (h *heat) cell(r, c int) vg.Rectangle {
	x, y := h.left+vg.Length(c)*h.size, h.bottom+h.side-vg.Length(r+1)*h.size
	return vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + h.size, Y: y + h.size}}
}

func (h *heat) fill(r vg.Rectangle, ink color.Color) {
	h.SetColor(ink)
	h.Fill(r.Path())
}

// numbers writes the probability in percent that each row wins.
func (h *heat) numbers(b *board.Board, pair func(i, j int) (win, tie, loss float64)) {
	for r, row := range b.Rows {
		for c, column := range b.Rows {
			if r == c {
				continue
			}
			win, _, loss := pair(row.Item, column.Item)
			style := h.style(0.32*h.size, words, 0)
			style.XAlign = text.XCenter
			if math.Abs(win-loss) > 0.55 {
				style.Color = color.White
			}
			at := h.cell(r, c)
			h.FillText(style, vg.Point{X: (at.Min.X + at.Max.X) / 2, Y: (at.Min.Y + at.Max.Y) / 2}, fmt.Sprintf("%.0f", 100*win))
		}
	}
}

// tiers draws the lines between tiers.
func (h *heat) tiers(b *board.Board) {
	line := draw.LineStyle{Color: quiet, Width: min(vg.Points(0.8), h.size/20)}
	for k := 1; k < h.n; k++ {
		if b.Rows[k].Tier != b.Rows[k-1].Tier {
			at := h.cell(k, k)
			h.StrokeLine2(line, at.Min.X, h.bottom, at.Min.X, h.bottom+h.side)
			h.StrokeLine2(line, h.left, at.Max.Y, h.left+h.side, at.Max.Y)
		}
	}
	h.StrokeLines(draw.LineStyle{Color: rulers, Width: vg.Points(0.7)}, []vg.Point{{X: h.left, Y: h.bottom}, {X: h.left + h.side, Y: h.bottom},
		{X: h.left + h.side, Y: h.bottom + h.side}, {X: h.left, Y: h.bottom + h.side}, {X: h.left, Y: h.bottom}})
}

// labels names rows and columns.
func (h *heat) labels(b *board.Board, names []string) {
	row, column := h.names(0), h.names(math.Pi/2)
	row.XAlign = text.XRight
	for k, each := range b.Rows {
		at := h.cell(k, k)
		h.FillText(row, vg.Point{X: h.left - h.pad, Y: (at.Min.Y + at.Max.Y) / 2}, h.label(k, names[each.Item]))
		h.FillText(column, vg.Point{X: (at.Min.X + at.Max.X) / 2, Y: h.bottom + h.side + h.pad}, fmt.Sprintf("%d  %s", k+1, names[each.Item]))
	}
}

// small is the style of the words below the picture.
func (h *heat) small() text.Style { return h.style(vg.Points(9), quiet, 0) }

// legend has the title, the scale of colours and what the cells are.
func (h *heat) legend(title string, numbers bool) {
	heading := h.style(vg.Points(13), words, 0)
	h.FillText(heading, vg.Point{X: h.margin, Y: h.Max.Y - 0.7*vg.Centimeter}, title)
	const steps = 60
	width, y := 6*vg.Centimeter, h.bottom-1.1*vg.Centimeter
	left := min(h.left, h.Max.X-h.margin-width) // below the cells, unless they are too few
	for k := range steps {
		x := left + width*vg.Length(k)/steps
		h.fill(vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: min(left+width, x+width/steps+vg.Points(1)), Y: y + 0.35*vg.Centimeter}}, heatOf(2*(float64(k)+0.5)/steps-1))
	}
	small := h.small()
	for k, label := range []string{"column wins", "even", "row wins"} {
		style := small
		style.XAlign = []text.XAlignment{text.XLeft, text.XCenter, text.XRight}[k]
		h.FillText(style, vg.Point{X: left + width*vg.Length(k)/2, Y: y + 0.62*vg.Centimeter}, label)
	}
	for k, caption := range captions(numbers) {
		h.FillText(small, vg.Point{X: h.margin, Y: y - (0.5+0.45*vg.Length(k))*vg.Centimeter}, caption)
	}
}

// captions are the lines below the picture.
func captions(numbers bool) []string {
	if numbers {
		return []string{"Cell: probability in % that the row wins in a vote on the two alone.", "Colour: that, less the column's. Lines part the tiers."}
	}
	return []string{"Colour: probability that the row wins in a vote on the two alone, less that the column does.", "Lines part the tiers."}
}
