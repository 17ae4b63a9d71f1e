package format

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestOutsideData reads the real files, as folders and as files, and converts
// each to all plain formats and back.
func TestOutsideData(t *testing.T) {
	for _, c := range []struct {
		path                   string
		users, items, ratings  int
		format, item, wantName string
	}{
		{"ml-latest-small/ratings.csv", 610, 9724, 100_836, "movielens", "", ""},
		{"movietweetings/ratings.dat", 16_554, 10_506, 100_000, "movielens", "0002844", "Fantômas - À l'ombre de la guillotine (1913)"},
		{"ml-100k/u.data", 943, 1682, 100_000, "movielens", "", ""},
		{"ml-1m/ratings.dat", 6040, 3706, 1_000_209, "movielens", "", ""},
	} {
		t.Run(c.path, func(t *testing.T) {
			path := outside(t, c.path)
			set, report, err := Read(os.DirFS(filepath.Dir(path)), filepath.Base(path), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if set.Users().Len() != c.users || set.Items().Len() != c.items || set.Len() != c.ratings || report.Format != c.format || report.Lines != c.ratings {
				t.Errorf("%d users, %d items, %d ratings, %+v", set.Users().Len(), set.Items().Len(), set.Len(), report)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			alone, counts, err := ReadStream(bytes.NewReader(text), "name", Options{})
			sameByLines(t, text, Options{}, alone, counts, err)
			if n, known := set.Items().Find(c.item); c.item != "" && (!known || set.Items().Name(n) != c.wantName) {
				t.Errorf("item %s is called %q", c.item, set.Items().Name(n))
			}
			folder, _, err := Read(os.DirFS(filepath.Dir(filepath.Dir(path))), filepath.Base(filepath.Dir(path)), Options{})
			if err != nil || folder.Fingerprint() != set.Fingerprint() {
				t.Errorf("the folder reads otherwise: %v", err)
			}
			for _, format := range []string{"csv", "tsv", "jsonl"} {
				var text bytes.Buffer
				if err := Write(&text, set, Options{Format: format}); err != nil {
					t.Fatal(err)
				}
				if again := readText(t, "noname", text.Bytes()); again.Fingerprint() != set.Fingerprint() {
					t.Errorf("%s reads otherwise", format)
				}
			}
		})
	}
}

// TestOutsidePrefLibIsKnown reads all files of PrefLib under a name that says
// nothing.
func TestOutsidePrefLibIsKnown(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(outside(t, "preflib"), "*.[stc]*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, report, err := ReadStream(bytes.NewReader(text), "noname", Options{}); err != nil || report.Format != "preflib" {
			t.Errorf("%s: read as %s, %v", filepath.Base(path), report.Format, err)
		}
	}
}
