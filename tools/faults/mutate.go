package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
)

// site is one way to make a function wrong.
type site struct {
	file       *file
	function   *ast.FuncDecl
	operator   string
	start, end int // offsets in the file
	put        string
	line       int // an offset in the line that tells what is changed
}

// mutator finds all of them in a function. Text for people is left alone: what is inside a call that makes an error, a
// message, a panic or a log line is not visited, nor are string literals.
type mutator struct {
	source   *source
	file     *file
	function *ast.FuncDecl
	found    []site
}

func (m *mutator) text(n ast.Node) string {
	return m.file.text[m.source.offset(n.Pos()):m.source.offset(n.End())]
}

// put puts a text in the place of a node.
func (m *mutator) put(operator string, n ast.Node, text string) {
	m.change(operator, n.Pos(), n.End(), text, n.Pos())
}

func (m *mutator) change(operator string, from, to token.Pos, text string, line token.Pos) {
	m.found = append(m.found, site{m.file, m.function, operator, m.source.offset(from), m.source.offset(to), text, m.source.offset(line)})
}

// swap puts another operator, of which there may be none.
func (m *mutator) swap(op token.Token, at token.Pos) {
	for operator, pairs := range swapped {
		if other, ok := pairs[op]; ok {
			m.change(operator, at, at+token.Pos(len(op.String())), other.String(), at)
		}
	}
}

// swapped are the tokens that stand for each other, by the name of the change.
var swapped = map[string]map[token.Token]token.Token{
	"boundary": {token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR},
	"equality": {token.EQL: token.NEQ, token.NEQ: token.EQL},
	"boolean":  {token.LAND: token.LOR, token.LOR: token.LAND},
	"arithmetic": {
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.QUO,
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
		token.SHL: token.SHR, token.SHR: token.SHL,
	},
}

// opposite are the words that stand for each other.
var opposite = map[string]string{"true": "false", "false": "true", "continue": "break", "break": "continue", "min": "max", "max": "min"}

var nilWord = regexp.MustCompile(`\bnil\b`)

func (m *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if m.text(n.X) != "nil" && m.text(n.Y) != "nil" { // a nil check the wrong way round cannot be missed
			m.swap(n.Op, n.OpPos)
		}
	case *ast.BasicLit:
		m.literal(n)
	case *ast.Ident:
		if other := opposite[n.Name]; other == "true" || other == "false" {
			m.put("constant", n, other)
		}
	case *ast.IfStmt:
		if !nilWord.MatchString(m.text(n.Cond)) {
			m.put("negation", n.Cond, "!("+m.text(n.Cond)+")")
		}
		if block, ok := n.Else.(*ast.BlockStmt); ok && len(block.List) > 0 {
			m.put("else", block, "{}")
		}
		if n.Else == nil && n.Init == nil && leaves(n.Body) {
			m.put("guard", n, "")
		}
	case *ast.ForStmt:
		m.loop(n, n.Body)
	case *ast.RangeStmt:
		m.loop(n, n.Body)
	case *ast.BranchStmt:
		if other, ok := opposite[n.Tok.String()]; ok && n.Label == nil {
			m.put("branch", n, other)
		}
	case *ast.DeferStmt:
		m.put("defer", n, "")
		return m.visitCall(n.Call)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && !forPeople.MatchString(m.text(call.Fun)) {
			m.put("statement", n, "")
		}
	case *ast.IncDecStmt:
		m.put("statement", n, "")
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			m.put("statement", n, "")
		}
		m.swap(n.Tok, n.TokPos)
	case *ast.CallExpr:
		return m.visitCall(n)
	case *ast.GenDecl: // types and constants inside a function
		return n.Tok == token.VAR
	}
	return true
}

// visitCall says whether to look at the arguments too.
func (m *mutator) visitCall(n *ast.CallExpr) bool {
	if forPeople.MatchString(m.text(n.Fun)) {
		return false
	}
	if name, ok := n.Fun.(*ast.Ident); ok {
		switch name.Name {
		case "make": // sizes and room: mostly speed
			return false
		case "append", "copy", "new":
			return true
		case "min", "max":
			m.put("extremum", name, opposite[name.Name])
		}
	}
	for i := range len(n.Args) - 1 {
		first, second := n.Args[i], n.Args[i+1]
		if m.text(first) != m.text(second) && !n.Ellipsis.IsValid() && !isLiteral(first) && !isLiteral(second) {
			between := m.file.text[m.source.offset(first.End()):m.source.offset(second.Pos())]
			m.change("arguments", first.Pos(), second.End(), m.text(second)+between+m.text(first), first.Pos())
		}
	}
	return true
}

// loop takes the body away, or all turns but the first.
func (m *mutator) loop(loop ast.Node, body *ast.BlockStmt) {
	if len(body.List) == 0 {
		return
	}
	m.change("loop", body.Lbrace+1, body.Lbrace+1, "\ncontinue", loop.Pos())
	if !leaves(body) {
		m.change("loop", body.Rbrace, body.Rbrace, "break\n", loop.Pos())
	}
}

// literal is one more, one less; a fraction doubles.
func (m *mutator) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if value, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			m.put("constant", n, strconv.FormatInt(value+1, 10))
			if value > 0 {
				m.put("constant", n, strconv.FormatInt(value-1, 10))
			}
		}
	case token.FLOAT:
		if value, err := strconv.ParseFloat(n.Value, 64); err == nil && value != 0 {
			m.put("constant", n, fmt.Sprint(2*value))
		}
	}
}

// forPeople matches functions that only make text that a person reads, or end the program.
var forPeople = regexp.MustCompile(`(?s)^(panic|print|println|fmt\.\w*(f|rint\w*)|errors\.New|s?log\.\w+|.*\.(Debug|Info|Warn|Error|Errorf|Logf|Printf|Println))$`)

// leaves says whether a block ends by going elsewhere.
func leaves(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	switch body.List[len(body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

func isLiteral(e ast.Expr) bool {
	_, ok := e.(*ast.BasicLit)
	return ok
}
