package main

import (
	"context"
	"fmt"
	"go/ast"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// The committed list was drawn with these.
const drawnSeed, drawnCount = 20, 90

// slow names packages whose tests take minutes: they get a third of the faults that their length would give them.
var slow = []string{"app/web", "cmd/fubini", "learn/modelstore"}

// draw chooses faults from all packages of the root module that have tests, at least one from each, and the others in
// proportion to the root of the package's lines: a long package of commands would else leave little for the maths.
// In a package the operator is chosen first and then the place, so that rare operators come up, and at most one fault
// goes into a function. What does not compile is passed over. The same seed and the same tree give the same list.
//
// Faults drawn before stay as long as they have a place and compile, whatever the tests make of them; others come only
// for those that lost it.
func draw(ctx context.Context, s *source, seed uint64, count int, before []Fault, progress io.Writer) ([]Fault, error) {
	var folders []*folder
	for _, f := range s.folders {
		if !strings.HasPrefix(f.path, "beam") && f.tested && len(sites(s, f)) > 0 {
			folders = append(folders, f)
		}
	}
	kept := map[*folder][]Fault{}
	names := map[string]bool{}
	for _, row := range before {
		if at, err := s.place(row); err == nil && s.compiles(ctx, row) {
			kept[at.file.folder] = append(kept[at.file.folder], row)
			names[row.Name] = true
		} else {
			fmt.Fprintf(progress, "gone: %s\n", row.Name)
		}
	}
	shares := apportion(folders, count)
	var rows []Fault
	for i, f := range folders {
		path := fnv.New64a()
		io.WriteString(path, f.path)
		random := rand.New(rand.NewPCG(seed, path.Sum64())) // a stream a package: a new one leaves the others alone
		drawn := drawFrom(ctx, s, f, random, shares[i]-len(kept[f]), kept[f])
		rows = append(rows, kept[f]...)
		for _, row := range drawn {
			name := row.Name
			for n := 2; names[row.Name]; n++ {
				row.Name = fmt.Sprintf("%s-%d", name, n)
			}
			names[row.Name] = true
			rows = append(rows, row)
		}
		fmt.Fprintf(progress, "%2d kept, %2d drawn of %2d  %s\n", len(kept[f]), len(drawn), shares[i], f.path)
	}
	return rows, nil
}

// apportion gives every package one, and the rest by the root of its lines, rounded.
func apportion(folders []*folder, count int) []int {
	weights, total := make([]float64, len(folders)), 0.
	for i, f := range folders {
		for _, file := range f.files {
			weights[i] += float64(strings.Count(file.text, "\n"))
		}
		weights[i] = math.Sqrt(weights[i])
		if slices.Contains(slow, f.path) {
			weights[i] /= 3
		}
		total += weights[i]
	}
	shares := make([]int, len(folders))
	for i, w := range weights {
		shares[i] = 1 + int(math.Round(float64(max(0, count-len(folders)))*w/total))
	}
	return shares
}

// sites are all changes of a package.
func sites(s *source, f *folder) (all []site) {
	for _, file := range f.files {
		if ast.IsGenerated(file.tree) {
			continue
		}
		for _, d := range file.tree.Decls {
			if function, ok := d.(*ast.FuncDecl); ok && function.Body != nil {
				m := &mutator{source: s, file: file, function: function}
				ast.Inspect(function.Body, m.visit)
				all = append(all, m.found...)
			}
		}
	}
	return all
}

func drawFrom(ctx context.Context, s *source, f *folder, random *rand.Rand, count int, kept []Fault) []Fault {
	byOperator := map[string][]site{}
	for _, at := range sites(s, f) {
		byOperator[at.operator] = append(byOperator[at.operator], at)
	}
	used := map[string]bool{}
	for _, row := range kept {
		used[row.Func] = true
	}
	var rows []Fault
	for len(rows) < count && len(byOperator) > 0 {
		operators := slices.Sorted(maps.Keys(byOperator))
		operator := operators[random.IntN(len(operators))]
		left := byOperator[operator]
		i := random.IntN(len(left))
		at := left[i]
		if left = slices.Delete(left, i, i+1); len(left) == 0 {
			delete(byOperator, operator)
		} else {
			byOperator[operator] = left
		}
		if used[funcName(at.function)] {
			continue
		}
		if row, ok := s.row(at); ok && s.compiles(ctx, row) {
			used[row.Func] = true
			rows = append(rows, row)
		}
	}
	return rows
}

// row writes a change as a fault: its line, and more lines around it until the text stands once in the function.
func (s *source) row(at site) (Fault, bool) {
	text := at.file.text
	first, last := s.offset(at.function.Pos()), s.offset(at.function.End())
	start, end := at.start, at.end
	line, _, _ := strings.Cut(text[1+strings.LastIndexByte(text[:at.line], '\n'):], "\n")
	for {
		start = max(first, 1+strings.LastIndexByte(text[:start], '\n'))
		if next := strings.IndexByte(text[end:last], '\n'); next >= 0 {
			end += next
		} else {
			end = last
		}
		find := text[start:end]
		if strings.Count(text[first:last], find) == 1 {
			put := text[start:at.start] + at.put + text[at.end:end]
			row := Fault{
				Name: fmt.Sprintf("%s-%s-%s", at.file.folder.name, at.operator, strings.Trim(strings.NewReplacer("(", "", ")", "", "*", "").Replace(funcName(at.function)), ".")),
				Func: funcName(at.function), Package: at.file.folder.name,
				Find: strings.TrimSpace(find), Put: strings.TrimSpace(put),
				Why: fmt.Sprintf("drawn: %s: %s", at.operator, strings.TrimSpace(line)),
			}
			_, err := s.place(row)
			return row, err == nil
		}
		if start == first && end == last {
			return Fault{}, false
		}
		start, end = max(first, start-1), min(last, end+1)
	}
}
