package manual

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"fubini/app/manual/mathml"
)

// formulas reads $...$ and $$...$$ within paragraphs, and blocks of the language math, as GitHub does.
type formulas struct{}

func (formulas) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(formulas{}, 150)))
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(formulas{}, 100)))
}

var formulaKind = ast.NewNodeKind("Formula")

// A formula is TeX, within a line or as a block.
type formula struct {
	ast.BaseInline
	tex   string
	block bool
}

func (*formula) Kind() ast.NodeKind              { return formulaKind }
func (f *formula) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

func (formulas) Trigger() []byte { return []byte{'$'} }

// Parse reads a formula up to its closing sign. A sign before a space, or without an equal after it, is a dollar.
func (formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	mark := []byte("$")
	if bytes.HasPrefix(line, []byte("$$")) {
		mark = []byte("$$")
	}
	if len(line) <= len(mark) || len(mark) == 1 && line[1] == ' ' {
		return nil
	}
	position, segment := block.Position()
	block.Advance(len(mark))
	var tex bytes.Buffer
	for {
		rest, _ := block.PeekLine()
		if rest == nil {
			block.SetPosition(position, segment)
			return nil
		}
		if end := bytes.Index(rest, mark); end >= 0 {
			tex.Write(rest[:end])
			block.Advance(end + len(mark))
			return &formula{tex: tex.String(), block: len(mark) == 2}
		}
		tex.Write(rest)
		block.AdvanceLine()
	}
}

func (formulas) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(formulaKind, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		f := node.(*formula)
		return ast.WalkSkipChildren, writeFormula(w, f.tex, f.block)
	})
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		block := node.(*ast.FencedCodeBlock)
		if !entering {
			return ast.WalkContinue, nil
		}
		var inner bytes.Buffer
		for i := range block.Lines().Len() {
			line := block.Lines().At(i)
			inner.Write(line.Value(source))
		}
		if string(block.Language(source)) == "math" {
			return ast.WalkSkipChildren, writeFormula(w, inner.String(), true)
		}
		_, _ = w.WriteString("<pre tabindex=\"0\"><code>")
		_, _ = w.Write(util.EscapeHTML(inner.Bytes()))
		_, err := w.WriteString("</code></pre>\n")
		return ast.WalkSkipChildren, err
	})
}

func writeFormula(w util.BufWriter, tex string, block bool) error {
	text, err := mathml.Convert(tex, block)
	if err == nil {
		_, err = w.WriteString(text)
	}
	return err
}
