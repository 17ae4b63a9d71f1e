package manual

import (
	"fmt"
	"html"
	"strings"
)

// escaped is a text within HTML, or within quotes there.
func escaped(text string) string { return html.EscapeString(text) }

// navigation is the list of all pages, from a page with a path, whose way to the first folder is base.
func navigation(sections []Section, base, path string) string {
	var out strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&out, "\n<h2>%s</h2>\n<ul>", escaped(s.Title))
		for _, p := range s.Pages {
			current := ""
			if p.Path == path {
				current = ` aria-current="page"`
			}
			fmt.Fprintf(&out, `<li><a href="%s%s"%s>%s</a></li>`, base, escaped(p.Path), current, escaped(p.Title))
		}
		out.WriteString("</ul>")
	}
	return out.String()
}

// onThisPage is the list of the sections of a page, nothing for a page without.
func onThisPage(heads []head) string {
	if len(heads) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("\n<aside aria-label=\"On this page\">\n<details id=\"here\"><summary>On this page</summary>\n<ul>")
	for _, h := range heads {
		class := ""
		if h.Level == 3 {
			class = ` class="inner"`
		}
		fmt.Fprintf(&out, `<li%s><a href="#%s">%s</a></li>`, class, escaped(h.ID), escaped(h.Title))
	}
	out.WriteString("</ul>\n</details>\n</aside>")
	return out.String()
}
