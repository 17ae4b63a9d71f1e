package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page and its pictures are those of the tables as they are.
func TestThePageIsThatOfTheTables(t *testing.T) {
	files, err := results("../../docs")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../../docs", name))
		if err != nil || string(got) != want {
			t.Errorf("docs/%s is not that of the tables (%v); run go run -C tools ./results", name, err)
		}
	}
}

// document has one table of a league.
func document(rows ...string) string {
	return "## Tuned\n\n### Films\n\nN = 10 (5 users)\n\n| model | ERR | NDCG@5 | in ERR | in NDCG@5 |\n|---|---:|---:|---:|---:|\n" + strings.Join(rows, "\n") + "\n\n## Other\n\n| model | NDCG@5 | in NDCG@5 |\n|---|---|---|\n| x | 0.9 | |\n"
}

// Our model is compared with the best that is not of its family, by the interval, and by the stars of a table that has them.
func TestStanding(t *testing.T) {
	const ours, osm = "| **latent-osm** | 0.1 | 0.6 | | |", "| osm | 0.1 | 0.7 | | -0.1 (-0.2 to -0.05) |"
	for name, c := range map[string]struct {
		rows []string
		want string
	}{
		"ahead":                     {[]string{ours, osm, "| pmf | 0.1 | 0.5 | | +0.1000 (+0.0500 to +0.1500) |"}, "ahead"},
		"behind":                    {[]string{ours, "| pmf | 0.1 | 0.7 | | -0.1000 ± 0.0500 |", "| plpa | 0.1 | 0.5 | | +0.1 ± 0.01 |"}, "behind"},
		"zero is inside":            {[]string{ours, "| pmf | 0.1 | 0.5 | | +0.1000 (-0.0100 to +0.1500) |"}, "not told apart"},
		"no star where others have": {[]string{ours, "| pmf | 0.1 | 0.5 | | +0.1 (+0.05 to +0.15) |", "| plpa | 0.1 | 0.4 | | +0.2 (+0.1 to +0.3) \\* |"}, "not told apart"},
		"a star":                    {[]string{ours, "| pmf | 0.1 | 0.5 | | +0.1 (+0.05 to +0.15) \\* |"}, "ahead"},
	} {
		tables, err := readTables(document(c.rows...), 3, "NDCG@5", "in NDCG@5")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(tables) != 1 || tables[0].Data != "Films" || tables[0].Task != "N = 10" || len(tables[0].Rows) != len(c.rows) {
			t.Fatalf("%s: %+v", name, tables)
		}
		if got := tables[0].standing(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// What is no number, no interval, or a row with a cell too few is refused with its line.
func TestTablesThatCannotBeRead(t *testing.T) {
	for _, row := range []string{"| pmf | 0.1 | high | | |", "| pmf | 0.1 | 0.5 | | about 0.1 |", "| pmf | 0.1 |"} {
		if _, err := readTables(document(row), 3, "NDCG@5", "in NDCG@5"); err == nil || !strings.Contains(err.Error(), "line 9") {
			t.Errorf("%s: %v", row, err)
		}
	}
}
