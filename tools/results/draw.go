package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Measures of the picture, in pixels.
const (
	wide, left, right = 820, 260, 150
	top, row, gap     = 40, 22, 12
)

// drawStrips draws each table as a line of rings, one for each model, at its distance from ours, which is the upright line at
// zero. The best of the others is filled and has its interval. What is further behind than the picture is wide is counted.
func drawStrips(tables []Table, measure string) string {
	low, high, height := 0.0, 0.0, top
	for n, t := range tables {
		best, _ := t.best()
		low, high = math.Min(low, -best.Ahead.High), math.Max(high, -best.Ahead.Low)
		if n > 0 && t.Data != tables[n-1].Data {
			height += gap
		}
		height += row
	}
	step := math.Pow(10, math.Floor(math.Log10(high-low)))
	for _, part := range []float64{0.2, 0.5, 1, 2} {
		if (high-low)/(step*part) < 6 {
			step *= part
			break
		}
	}
	low, high = math.Floor(1.2*low/step)*step, math.Ceil(high/step)*step
	x := func(v float64) float64 { return left + (v-low)/(high-low)*(wide-left-right) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img" aria-label="%s">
<style>
rect{fill:#fff} text{fill:#1d1b18} .quiet{fill:#6b665e} .line{stroke:#e4dfd6} .other{fill:none;stroke:#8a8479} .best{fill:#0072b2} .bar{stroke:#0072b2;stroke-width:2} .ours{stroke:#b3261e;stroke-width:2} .us{fill:#b3261e}
@media (prefers-color-scheme:dark){rect{fill:#1b1a18} text{fill:#ece7de} .quiet{fill:#a8a196} .line{stroke:#37342f} .other{stroke:#a8a196} .best{fill:#56b4e9} .bar{stroke:#56b4e9} .ours{stroke:#f2756b} .us{fill:#f2756b}}
</style>
<rect width="100%%" height="100%%"/>
`, wide, height+26, wide, height+26, html.EscapeString(measure+" of the other models minus ours, by data"))
	for k := math.Round(low / step); k <= math.Round(high/step); k++ {
		label := strings.Replace(fmt.Sprintf("%+.3g", k*step), "-", "−", 1)
		if k == 0 {
			label = "0"
		}
		fmt.Fprintf(&b, `<path class="line" d="M%.1f %dV%d"/><text class="quiet" text-anchor="middle" x="%.1f" y="%d">%s</text>`+"\n", x(k*step), top-6, height+4, x(k*step), height+20, label)
	}
	fmt.Fprintf(&b, `<path class="ours" d="M%.1f %dV%d"/><text class="us" text-anchor="middle" x="%.1f" y="%d">latent-osm</text>`+"\n", x(0), top-6, height+4, x(0), top-12)
	fmt.Fprintf(&b, `<text x="%d" y="14" class="quiet">%s of the others minus ours</text><text x="%d" y="14" class="quiet">best of the others</text>`+"\n", left, html.EscapeString(measure), wide-right+14)
	y := top
	for n, t := range tables {
		if n > 0 && t.Data != tables[n-1].Data {
			y += gap
		}
		middle := y + row/2
		if n == 0 || t.Data != tables[n-1].Data {
			fmt.Fprintf(&b, `<text x="8" y="%d" font-weight="bold">%s</text>`+"\n", middle+4, html.EscapeString(shortData(t.Data)))
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text><path class="line" d="M%d %dH%d"/>`+"\n", left-26, middle+4, html.EscapeString(shortTask(t.Task)), left, middle, wide-right)
		best, _ := t.best()
		behind := 0
		for _, r := range t.Rows {
			switch {
			case r.ours() || r.Ahead == nil || r.Model == best.Model:
			case -r.Ahead.Mean < low:
				behind++
			default:
				fmt.Fprintf(&b, `<circle class="other" cx="%.1f" cy="%d" r="3"><title>%s %+.4f</title></circle>`, x(-r.Ahead.Mean), middle, html.EscapeString(r.Model), -r.Ahead.Mean)
			}
		}
		if behind > 0 {
			fmt.Fprintf(&b, `<text class="quiet" font-size="10" text-anchor="end" x="%d" y="%d">←%d</text>`, left-4, middle+4, behind)
		}
		fmt.Fprintf(&b, `<path class="bar" d="M%.1f %dH%.1f"/><circle class="best" cx="%.1f" cy="%d" r="4"/><text x="%d" y="%d">%s</text>`+"\n",
			x(-best.Ahead.High), middle, x(-best.Ahead.Low), x(-best.Ahead.Mean), middle, wide-right+14, middle+4, html.EscapeString(best.Model))
		y += row
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// shortData is the name of a data set, without what stands in brackets.
func shortData(name string) string {
	name, _, _ = strings.Cut(name, " (")
	return name
}

// shortTask names the users of a table in few words.
func shortTask(task string) string {
	return strings.NewReplacer("New users, ", "new, ", "Known users", "known", " ratings given", " given", "four fifths of their", "4/5",
		"The last rating of known users", "last rating").Replace(task)
}
