package manual

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var documentName = parser.NewContextKey()

// links lets links between documents lead to their pages. What a link outside the folder leads to, a file of the repository, is
// not part of the site: its text stays, without the link.
type links struct{ files fs.FS }

func (l links) Transform(root *ast.Document, _ text.Reader, context parser.Context) {
	name, _ := context.Get(documentName).(string)
	var outside []*ast.Link
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		link, is := n.(*ast.Link)
		if !is || !entering {
			return ast.WalkContinue, nil
		}
		file, anchor, _ := strings.Cut(string(link.Destination), "#")
		if file == "" || strings.Contains(file, ":") {
			return ast.WalkContinue, nil
		}
		if anchor != "" {
			anchor = "#" + anchor
		}
		target := path.Join(path.Dir(name), file)
		if target == "../README.md" { // the front page of the repository is the site's index
			link.Destination = []byte(strings.Repeat("../", strings.Count(name, "/")) + "index.html" + anchor)
			return ast.WalkContinue, nil
		}
		if _, err := fs.Stat(l.files, target); err != nil {
			outside = append(outside, link)
			return ast.WalkContinue, nil
		}
		if path.Ext(file) == ".md" {
			link.Destination = []byte(pagePath(file) + anchor)
		}
		return ast.WalkContinue, nil
	})
	for _, link := range outside {
		parent := link.Parent()
		for child := link.FirstChild(); child != nil; {
			next := child.NextSibling()
			parent.InsertBefore(parent, link, child)
			child = next
		}
		parent.RemoveChild(parent, link)
	}
}

// githubIDs names headings as GitHub does, so that a link into a page works in both places.
type githubIDs struct{ used map[string]int }

func (ids *githubIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.TrimSpace(string(value)))
	if ids.used == nil {
		ids.used = map[string]int{}
	}
	ids.used[id]++
	if n := ids.used[id]; n > 1 {
		id = fmt.Sprintf("%s-%d", id, n-1)
	}
	return []byte(id)
}

func (ids *githubIDs) Put(value []byte) {}
