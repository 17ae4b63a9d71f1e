// Package manual makes a site of the documents: pages with contents and a search, that ask no other host for anything. The server
// shows it at /docs/, and tools/site writes it to a folder. The order of the pages, and what kind each is of, is that of index.md.
package manual

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"fubini/app/fill"
)

//go:embed assets
var assets embed.FS

// tables align by attributes: the server's policy allows no style within a page.
var tables = extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))

// A Site is files by their paths: HTML pages, their style, script and pictures, and search.json.
type Site map[string][]byte

// A Section of index.md is a kind of pages: tutorials, how-tos, reference, explanation.
type Section struct {
	Title string
	Pages []Link
}

// A Link of the navigation.
type Link struct{ Title, Path string }

// An entry of the search: a heading, and the text below it.
type entry struct {
	Page    string `json:"page"`
	Heading string `json:"heading"`
	Path    string `json:"path"`
	Text    string `json:"text"`
}

// document is a page that is being made.
type document struct {
	name   string
	source []byte
	root   ast.Node
	title  string
	heads  []head
}

type head struct {
	ID, Title string
	Level     int
}

// New makes the site of a folder of Markdown documents with an index.md.
func New(files fs.FS) (Site, error) {
	markdown := goldmark.New(goldmark.WithExtensions(tables, extension.Strikethrough, extension.Linkify, formulas{}),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(links{files}, 500))),
		goldmark.WithRendererOptions(html.WithUnsafe())) // the documents are ours
	layout, err := assets.ReadFile("assets/page.html")
	if err != nil {
		return nil, err
	}
	site := Site{}
	var documents []*document
	err = fs.WalkDir(files, ".", func(name string, each fs.DirEntry, err error) error {
		if err != nil || each.IsDir() {
			return err
		}
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if path.Ext(name) != ".md" {
			site[name] = source
			return nil
		}
		context := parser.NewContext(parser.WithIDs(&githubIDs{}))
		context.Set(documentName, name)
		d := &document{name: name, source: source, root: markdown.Parser().Parse(text.NewReader(source), parser.WithContext(context))}
		d.readHeads()
		documents = append(documents, d)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("manual: %w", err)
	}
	at := slices.IndexFunc(documents, func(d *document) bool { return d.name == "index.md" })
	if at < 0 {
		return nil, fmt.Errorf("manual: no index.md, which has the order of the pages")
	}
	sections := documents[at].sections()
	var entries []entry
	for _, d := range documents {
		var body bytes.Buffer
		if err := markdown.Renderer().Render(&body, d.source, d.root); err != nil {
			return nil, fmt.Errorf("manual: %s: %w", d.name, err)
		}
		base := strings.Repeat("../", strings.Count(d.name, "/"))
		page, err := fill.In(string(layout), fill.Functions{
			"title": fill.Text(escaped(d.title)), "base": fill.Text(base), "body": fill.Text(body.String()), // the documents are ours
			"sections": fill.Text(navigation(sections, base, pagePath(d.name))), "contents": fill.Text(onThisPage(d.contents())),
		})
		if err != nil {
			return nil, fmt.Errorf("manual: %s: %w", d.name, err)
		}
		site[pagePath(d.name)] = []byte(page)
		entries = append(entries, d.entries()...)
	}
	for _, name := range []string{"manual.css", "search.js"} {
		if site[name], err = assets.ReadFile("assets/" + name); err != nil {
			return nil, err
		}
	}
	site["search.json"], err = json.Marshal(entries)
	return site, err
}

// pagePath is where the page of a document stands.
func pagePath(name string) string { return strings.TrimSuffix(name, ".md") + ".html" }

// sections are the navigation: the headings of index.md that have lists of links below them.
func (d *document) sections() (all []Section) {
	for node := d.root.FirstChild(); node != nil; node = node.NextSibling() {
		switch node := node.(type) {
		case *ast.Heading:
			all = append(all, Section{Title: plain(node, d.source)})
		case *ast.List:
			if len(all) == 0 {
				continue
			}
			last := &all[len(all)-1]
			_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if link, is := n.(*ast.Link); is && entering && !strings.Contains(string(link.Destination), ":") {
					last.Pages = append(last.Pages, Link{plain(link, d.source), string(link.Destination)})
				}
				return ast.WalkContinue, nil
			})
		}
	}
	return slices.DeleteFunc(all, func(s Section) bool { return len(s.Pages) == 0 })
}

// readHeads finds the title and the headings.
func (d *document) readHeads() {
	for node := d.root.FirstChild(); node != nil; node = node.NextSibling() {
		heading, is := node.(*ast.Heading)
		if !is {
			continue
		}
		title := plain(heading, d.source)
		if d.title == "" {
			d.title = title
		}
		id, _ := heading.AttributeString("id")
		name, _ := id.([]byte)
		d.heads = append(d.heads, head{string(name), title, heading.Level})
	}
}

// contents are the sections of a page, with those inside them where there are few; a page with one section has none.
func (d *document) contents() []head {
	for _, deepest := range []int{2, 3} {
		heads := slices.DeleteFunc(slices.Clone(d.heads), func(h head) bool { return h.Level < 2 || h.Level > deepest })
		if len(heads) > 2 || deepest == 3 && len(heads) == 2 {
			return heads
		}
	}
	return nil
}

// entries are what the search finds in a page, by its headings.
func (d *document) entries() (all []entry) {
	var text strings.Builder
	add := func() {
		if len(all) > 0 {
			all[len(all)-1].Text = strings.Join(strings.Fields(text.String()), " ")
		}
		text.Reset()
	}
	i := 0
	for node := d.root.FirstChild(); node != nil; node = node.NextSibling() {
		if _, is := node.(*ast.Heading); is {
			add()
			h := d.heads[i]
			i++
			all = append(all, entry{Page: d.title, Heading: h.Title, Path: pagePath(d.name) + "#" + h.ID})
			continue
		}
		text.WriteString(plain(node, d.source) + " ")
	}
	add()
	return all
}

// plain is the text of a node without its marks.
func plain(node ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				out.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			out.Write(n.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.Write(n.Value)
		case *formula:
			out.WriteString(n.tex)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				out.Write(line.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(out.String())
}
