package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// counted matches a number before a word in the plural, which is wrong for one thing.
var counted = regexp.MustCompile(`%d (?:[a-z]+ )?[a-z]{2,}[a-rt-z]s\b`)

// several are the messages whose number is never one, with the reason.
var several = map[string]string{
	"%s: %d ratings":              "of a public set",
	"%d %s, %d %s, %d placements": "of a demonstration world",
	"%d of %d cells done":         "of a table",
}

// A message says "1 item" and "2 items": numbers with their words are made by text.Count.
func TestMessagesCountInSingularAndPlural(t *testing.T) {
	checked := 0
	for _, folder := range []string{".", "../../beam/cmd"} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, is := n.(*ast.CallExpr)
				if !is || len(call.Args) == 0 {
					return true
				}
				name, is := call.Fun.(*ast.SelectorExpr)
				if !is || name.Sel.Name != "Tell" {
					return true
				}
				literal, is := call.Args[0].(*ast.BasicLit)
				if !is {
					return true
				}
				checked++
				for _, found := range counted.FindAllString(literal.Value, -1) {
					allowed := false
					for text := range several {
						allowed = allowed || strings.Contains(literal.Value, text)
					}
					if !allowed {
						t.Errorf("%s: %q in %s: use text.Count, for one and for several", path, found, literal.Value)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 50 || !counted.MatchString("%d placed items are") || counted.MatchString("%d is") {
		t.Errorf("%d messages looked at; the test sees none that are wrong", checked)
	}
}
