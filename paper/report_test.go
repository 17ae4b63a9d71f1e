package paper_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fubini/paper"
	"fubini/paper/report"
)

// A small run has the headings of the committed report, every row and column of its
// tables, and in every cell numbers of the same kind; the paper's own are the very same.
// Pictures can be looked at, those that are committed too.
func TestReportIsMadeByTheProgram(t *testing.T) {
	skipIfShort(t)
	committed, err := os.ReadFile("../docs/reproduction.md")
	if err != nil {
		t.Fatal(err)
	}
	theirs, size := paper.Full(), tiny()
	theirs.Units, size.Units = unitsOf(t, string(committed)), nil
	for k := range theirs.Units { // as many points to a curve
		size.Units = append(size.Units, k)
	}
	results, err := reproduceAt(t, size, memory{}, nil, paper.Targets()...)
	if err != nil {
		t.Fatal(err)
	}
	page, pictures, err := report.Write("go build ./cmd/fubini && ./fubini reproduce all", results)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := page.Write(&text); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(committed), "\n    go build ./cmd/fubini && ./fubini reproduce all --data ") {
		t.Error("the committed report does not name its command")
	}
	got, want := structure(text.String(), size), structure(string(committed), theirs)
	for k := range max(len(got), len(want)) {
		if k >= len(got) || k >= len(want) || got[k] != want[k] {
			t.Fatalf("from line %d of the structure on: made\n%s\ncommitted\n%s", k, show(got, k), show(want, k))
		}
	}
	for _, file := range pictures {
		drawing, err := os.Open(filepath.Join("../docs/pictures", file.Name))
		if err != nil {
			t.Errorf("the report shows a picture that is not committed: %v", err)
			continue
		}
		if strings.HasSuffix(file.Name, ".png") {
			checkPixels(t, file.Name, drawing)
		} else {
			checkDrawing(t, file.Name, drawing)
		}
		if err := drawing.Close(); err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(committed), "(pictures/"+file.Name+")") {
			t.Errorf("the report has no link to %s", file.Name)
		}
	}
	for _, r := range results {
		t.Run(r.Target, func(t *testing.T) { checkFiles(t, r) })
	}
}

// The structure of a page changes when a row or a column goes, when a number loses its
// error or a digit, and when one of the paper's is another.
func TestStructureSeesWhatIsMissing(t *testing.T) {
	const page = `# A page

| | N = 10: ERR | S = 4, R = 2 |
|---|---:|---:|
| PMF | 0.676 ± 0.003 (paper 0.678, -0.002) | -14.56 ± 0.31 [0.04] |
| pLPA | 0.668 ± 0.003 (paper 0.674, -0.006) | -14.77 ± 0.21 |

| claim | where | verdict | number |
|---|---|---|---|
| It grows | section 1 | confirmed | 1.4427 at N = 30 |
| It is ahead at N = 10 | Table 2 | refuted here | best baseline PMF 0.608, difference +0.010 (-0.001 to +0.021) |
`
	want := structure(page, tiny())
	same := strings.NewReplacer("0.676 ± 0.003", "0.555 ± 0.009", "-0.002", "+0.100", "refuted here", "confirmed here", "baseline PMF", "baseline ListRank.MF", "S = 4, R = 2", "S = 1000, R = 10")
	if got := structure(same.Replace(page), paper.Full()); !slices.Equal(got, structure(page, tiny())) {
		t.Errorf("another run of the same kind looks different:\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, twin := range [][2]string{
		{"| pLPA | 0.668 ± 0.003 (paper 0.674, -0.006) | -14.77 ± 0.21 |\n", ""}, // a row
		{"0.676 ± 0.003", "0.676"},     // an error
		{"-14.56 ±", "-14.6 ±"},        // a digit
		{" [0.04]", ""},                // the noise
		{"paper 0.674", "paper 0.675"}, // the paper's number
		{"(paper 0.674, -0.006) ", ""}, // or none
		{"N = 10: ERR", "N = 20: ERR"}, // a column of another kind
		{"| -14.77 ± 0.21 |", "| |"},   // nothing in a cell
		{"1.4427 at", "1.4428 at"},     // what holds anywhere
		{"section 1 | confirmed", "section 1 | refuted"},
		{"+0.010 (-0.001 to +0.021)", "+0.010"}, // the interval
		{"ahead at N = 10", "ahead at N = 20"},
		{"S = 4, R = 2", "S = 4, R = 3"},
	} {
		broken := strings.Replace(page, twin[0], twin[1], 1)
		if broken == page || slices.Equal(structure(broken, tiny()), want) {
			t.Errorf("%q for %q goes unseen", twin[1], twin[0])
		}
	}
}

// unitsOf are the hidden sizes of the curves on a page.
func unitsOf(t *testing.T, page string) (list []int) {
	t.Helper()
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "| | K = 0 |") {
			for _, found := range units.FindAllString(line, -1) {
				n, err := strconv.Atoi(strings.TrimPrefix(found, "K = "))
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, n)
			}
			return list
		}
	}
	t.Fatal("the committed report has no curve from K = 0 on")
	return nil
}

var (
	annealing = regexp.MustCompile(`S = \d+, R = \d+`)
	units     = regexp.MustCompile(`\bK = \d+`)
	few       = regexp.MustCompile(`, first \d+ users only|; one split, one training`)
	baselines = regexp.MustCompile(`\b(PMF|pLPA|ListRank\.MF|Plackett-Luce\.MF|CoFiRank\.(Regress|Ordinal|N@10)|bayesian-mf) `)
	numbers   = regexp.MustCompile(`paper -?\d+\.\d+|[+-]?\d+(\.\d+)?`)
)

// structure is the headings of a page, and of its tables every row: names as they are, but
// for what the size of a run decides, which is put as its place in the size; numbers
// with zeros for digits, but for the paper's and for claims that hold on any data.
func structure(text string, size paper.Size) (lines []string) {
	sized := func(text string) string {
		text = annealing.ReplaceAllStringFunc(text, func(found string) string {
			for k, pair := range size.Annealing {
				if found == "S = "+strconv.Itoa(pair[0])+", R = "+strconv.Itoa(pair[1]) {
					return "annealing no. " + strconv.Itoa(k)
				}
			}
			return found
		})
		text = units.ReplaceAllStringFunc(text, func(found string) string {
			for k, n := range size.Units {
				if found == "K = "+strconv.Itoa(n) {
					return "units no. " + strconv.Itoa(k)
				}
			}
			return found
		})
		return few.ReplaceAllString(text, "") // on a page of full size all are there
	}
	header := true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
			header = true
		case !strings.HasPrefix(line, "|"):
			header = true
			continue
		case header:
			line, header = sized(line), false
		default:
			cells := strings.Split(sized(line), "|")
			if len(cells) == 6 && strings.HasSuffix(strings.TrimSpace(cells[3]), " here") { // a claim about data
				cells[3], cells[4] = "here", shape(baselines.ReplaceAllString(cells[4], "BASELINE "))
			} else if len(cells) != 6 || numbers.MatchString(cells[2]) && !strings.Contains(cells[2], "section") && !strings.Contains(cells[2], "equation") && !strings.Contains(cells[2], "Table") {
				for k := 2; k < len(cells); k++ {
					cells[k] = shape(cells[k])
				}
			}
			line = strings.Join(cells, "|")
		}
		lines = append(lines, line)
	}
	return lines
}

// shape puts zeros for digits, and no sign.
func shape(text string) string {
	return numbers.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "paper") {
			return found
		}
		_, decimals, point := strings.Cut(found, ".")
		if !point {
			return "0"
		}
		return "0." + strings.Repeat("0", len(decimals))
	})
}

func show(lines []string, from int) string {
	return strings.Join(lines[min(from, len(lines)):min(from+3, len(lines))], "\n")
}
