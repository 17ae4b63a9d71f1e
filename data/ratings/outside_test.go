package ratings_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"fubini/data/ratings"
)

// outside finds a file of a data set below FUBINI_DATA, or skips the test.
func outside(t *testing.T, path ...string) string {
	t.Helper()
	data := os.Getenv("FUBINI_DATA")
	if data == "" {
		t.Skip("needs FUBINI_DATA")
	}
	file := filepath.Join(append([]string{data}, path...)...)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("FUBINI_DATA has no %s", filepath.Join(path...))
	}
	return file
}

// The counts that the protocol leaves of MovieLens 1M.
func TestPaperProtocolOnMovieLens1M(t *testing.T) {
	file, err := os.Open(outside(t, "ml-1m", "ratings.dat"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	b := ratings.NewBuilder()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := bytes.Split(lines.Bytes(), []byte("::"))
		value, err := strconv.ParseFloat(string(fields[2]), 32)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Add(fields[0], fields[1], float32(value), ratings.NoTime); err != nil {
			t.Fatal(err)
		}
	}
	all, report, err := b.Build(ratings.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	if all.Len() != 1_000_209 || report.Kept != all.Len() {
		t.Fatalf("%d ratings, report %+v", all.Len(), report)
	}
	levelled, err := all.Levelled(ratings.Scale{Min: 1, Max: 5})
	if err != nil {
		t.Fatal(err)
	}
	filtered := levelled.DropAgreed()
	if got := filtered.Items().Len(); got != 1853 {
		t.Errorf("%d movies are left, want 1853", got)
	}
	for _, c := range []struct{ n, users, tests int }{{10, 4196, 414_313}, {20, 3466, 369_077}, {50, 2243, 273_866}} {
		t.Run(fmt.Sprint(c.n), func(t *testing.T) {
			split, err := levelled.Paper(c.n, 10, 1)
			if err != nil {
				t.Fatal(err)
			}
			train, test := split.Training.Set(), split.Holdout.Set()
			if train.Users().Len() != c.users || test.Len() != c.tests || train.Len() != c.n*c.users {
				t.Errorf("%d users, %d test and %d training ratings; want %d, %d and %d", train.Users().Len(), test.Len(), train.Len(), c.users, c.tests, c.n*c.users)
			}
		})
	}
}
