package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// change is one way to make a file wrong.
type change struct {
	operator   string
	start, end int // offsets in the file
	put        string
	line       int // an offset in the line that tells what is changed
}

// changes lists all of them in a function. Text for people is left alone: what is inside a call that makes an error, a
// message, a panic or a log line is not visited, nor are string literals.
func changes(s *source, f *file, function *ast.FuncDecl) []change {
	m := &mutator{source: s, file: f}
	if function.Body != nil {
		ast.Inspect(function.Body, m.visit)
	}
	return m.found
}

type mutator struct {
	source *source
	file   *file
	found  []change
}

func (m *mutator) at(n ast.Node) (start, end int) {
	return m.source.offset(n.Pos()), m.source.offset(n.End())
}

func (m *mutator) text(n ast.Node) string {
	start, end := m.at(n)
	return m.file.text[start:end]
}

func (m *mutator) put(operator string, n ast.Node, text string) {
	start, end := m.at(n)
	m.found = append(m.found, change{operator, start, end, text, start})
}

// swapped are the operators that stand for each other.
var swapped = map[token.Token]struct {
	operator string
	other    token.Token
}{
	token.LSS:  {"boundary", token.LEQ},
	token.LEQ:  {"boundary", token.LSS},
	token.GTR:  {"boundary", token.GEQ},
	token.GEQ:  {"boundary", token.GTR},
	token.EQL:  {"equality", token.NEQ},
	token.NEQ:  {"equality", token.EQL},
	token.ADD:  {"arithmetic", token.SUB},
	token.SUB:  {"arithmetic", token.ADD},
	token.MUL:  {"arithmetic", token.QUO},
	token.QUO:  {"arithmetic", token.MUL},
	token.REM:  {"arithmetic", token.QUO},
	token.SHL:  {"arithmetic", token.SHR},
	token.SHR:  {"arithmetic", token.SHL},
	token.LAND: {"boolean", token.LOR},
	token.LOR:  {"boolean", token.LAND},

	token.ADD_ASSIGN: {"arithmetic", token.SUB_ASSIGN},
	token.SUB_ASSIGN: {"arithmetic", token.ADD_ASSIGN},
	token.MUL_ASSIGN: {"arithmetic", token.QUO_ASSIGN},
	token.QUO_ASSIGN: {"arithmetic", token.MUL_ASSIGN},
}

func (m *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if s, ok := swapped[n.Op]; ok && !isNil(n.X) && !isNil(n.Y) { // a nil check the wrong way round cannot be missed
			start := m.source.offset(n.OpPos)
			m.found = append(m.found, change{s.operator, start, start + len(n.Op.String()), s.other.String(), start})
		}
	case *ast.BasicLit:
		m.literal(n)
	case *ast.Ident:
		switch n.Name {
		case "true":
			m.put("constant", n, "false")
		case "false":
			m.put("constant", n, "true")
		}
	case *ast.IfStmt:
		if !mentionsNil(n.Cond) {
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
		if n.Label == nil && n.Tok == token.CONTINUE {
			m.put("branch", n, "break")
		}
		if n.Label == nil && n.Tok == token.BREAK {
			m.put("branch", n, "continue")
		}
	case *ast.DeferStmt:
		m.put("defer", n, "")
		return m.visitCall(n.Call)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && !forPeople(call) {
			m.put("statement", n, "")
		}
	case *ast.IncDecStmt:
		m.put("statement", n, "")
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			m.put("statement", n, "")
		}
		if s, ok := swapped[n.Tok]; ok {
			start := m.source.offset(n.TokPos)
			m.found = append(m.found, change{s.operator, start, start + len(n.Tok.String()), s.other.String(), start})
		}
	case *ast.CallExpr:
		return m.visitCall(n)
	case *ast.GenDecl: // types and constants inside a function
		return n.Tok == token.VAR
	}
	return true
}

// visitCall says whether to look at the arguments too.
func (m *mutator) visitCall(n *ast.CallExpr) bool {
	if forPeople(n) {
		return false
	}
	if name, ok := n.Fun.(*ast.Ident); ok {
		switch name.Name {
		case "make", "append", "copy", "new": // sizes and room: mostly speed
			return name.Name != "make"
		case "min":
			m.put("extremum", name, "max")
		case "max":
			m.put("extremum", name, "min")
		}
	}
	for i := range len(n.Args) - 1 {
		first, second := n.Args[i], n.Args[i+1]
		if m.text(first) != m.text(second) && !n.Ellipsis.IsValid() && !isLiteral(first) && !isLiteral(second) {
			start, _ := m.at(first)
			_, middle := m.at(first)
			next, end := m.at(second)
			m.found = append(m.found, change{"arguments", start, end, m.text(second) + m.file.text[middle:next] + m.text(first), start})
		}
	}
	return true
}

// loop takes the body away, or all turns but the first.
func (m *mutator) loop(loop ast.Node, body *ast.BlockStmt) {
	if len(body.List) == 0 {
		return
	}
	head := m.source.offset(loop.Pos())
	first, last := m.source.offset(body.Lbrace)+1, m.source.offset(body.Rbrace)
	m.found = append(m.found, change{"loop", first, first, "\ncontinue", head})
	if !leaves(body) {
		m.found = append(m.found, change{"loop", last, last, "break\n", head})
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

// forPeople says whether a call only makes text that a person reads, or ends the program.
func forPeople(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic" || f.Name == "print" || f.Name == "println"
	case *ast.SelectorExpr:
		switch of, _ := f.X.(*ast.Ident); {
		case of == nil:
		case of.Name == "fmt" && (strings.HasSuffix(f.Sel.Name, "f") || strings.Contains(f.Sel.Name, "rint")):
			return true
		case of.Name == "errors" && f.Sel.Name == "New", of.Name == "log", of.Name == "slog":
			return true
		}
		switch f.Sel.Name {
		case "Debug", "Info", "Warn", "Error", "Errorf", "Logf", "Printf", "Println":
			return true
		}
	}
	return false
}

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

func isNil(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "nil"
}

func mentionsNil(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && isNil(e) {
			found = true
		}
		return !found
	})
	return found
}

func isLiteral(e ast.Expr) bool {
	_, ok := e.(*ast.BasicLit)
	return ok
}
