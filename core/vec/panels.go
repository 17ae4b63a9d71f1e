package vec

import "fmt"

// panelRows is how many rows stand side by side in a panel.
const panelRows = 16

// Panels is a matrix of float32 with a number beside each row, packed for inner
// products of all its rows with a vector, or with several at once: the way in
// which items are scored. Sums are those of float32 and may be fused, so that
// their last digits differ between processors.
type Panels struct {
	rows, k int
	base    []float32 // of every row, filled up to whole panels
	data    []float32 // panel by panel, element by element, sixteen rows
}

// NewPanels packs rows of k elements each, one after another, and the numbers
// beside them.
func NewPanels(rows []float64, base []float64, k int) *Panels {
	n := len(base)
	if len(rows) != n*k {
		panic(fmt.Sprintf("vec: %d rows of %d elements asked for, there are %d elements", n, k, len(rows)))
	}
	count := (n + panelRows - 1) / panelRows
	p := &Panels{rows: n, k: k, base: make([]float32, count*panelRows), data: make([]float32, count*panelRows*k)}
	for i := range n {
		p.base[i] = float32(base[i])
		at := i/panelRows*panelRows*k + i%panelRows
		for j, v := range rows[i*k : (i+1)*k] {
			p.data[at+j*panelRows] = float32(v)
		}
	}
	return p
}

// Rows is the number of rows.
func (p *Panels) Rows() int { return p.rows }

// Stride is the number of places that the scores of one vector take: the rows filled up to whole
// panels.
func (p *Panels) Stride() int { return len(p.base) }

// Scores writes base plus inner product for every row and each of some vectors of
// k elements, one after another. Those of vector v stand at out[v*Stride():]; the
// places behind the last row hold nothing of use.
func (p *Panels) Scores(out, vectors []float32) {
	if p.k > 0 && len(vectors)%p.k != 0 || len(out)%max(1, p.Stride()) != 0 || p.k > 0 && p.Stride() > 0 && len(out)/p.Stride() != len(vectors)/p.k {
		panic(fmt.Sprintf("vec: %d places for the scores of vectors of %d elements, %d in all, with %d rows", len(out), p.k, len(vectors), p.rows))
	}
	p.ScoresApart(out, vectors, p.Stride())
}

// ScoresApart writes base plus inner product for every row and each of some vectors, as [Panels.Scores] does; those of
// vector v stand at out[v*apart:], with apart at least Stride().
func (p *Panels) ScoresApart(out, vectors []float32, apart int) {
	if p.Stride() == 0 || len(out) < p.Stride() {
		return
	}
	count := (len(out)-p.Stride())/apart + 1
	if apart < p.Stride() || len(vectors) != count*p.k {
		panic(fmt.Sprintf("vec: %d places, %d apart, for the scores of vectors of %d elements, %d in all, with %d rows", len(out), apart, p.k, len(vectors), p.rows))
	}
	p.scores(out, vectors, count, apart)
}

func (p *Panels) scoresPlain(out, vectors []float32, count, apart int) {
	for v := range count {
		copy(out[v*apart:v*apart+p.Stride()], p.base)
		for at := 0; at < p.Stride(); at += panelRows {
			sums := out[v*apart+at : v*apart+at+panelRows]
			panel := p.data[at*p.k : (at+panelRows)*p.k]
			for j, x := range vectors[v*p.k : (v+1)*p.k] {
				row := panel[j*panelRows : (j+1)*panelRows]
				for r := range sums {
					sums[r] += x * row[r]
				}
			}
		}
	}
}
