package format_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"fubini/data/format"
)

// Faults that show only when all is read, or against a scale, are told with the
// line they stand in, in every format of lines.
func TestWhereAFaultStands(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line string
	}{
		"ratings.dat":  {"1::10::5::100\n1::20::3::100\n1::10::4::100\n", "ratings.dat:3: "},
		"u.data":       {"1\t10\t5\t100\n1\t20\t3\t100\n2\t10\t4\t100\n1\t20\t4\t100\n", "u.data:4: "},
		"r.csv":        {"user,item,rating\na,x,5\na,y,3\na,x,4\n", "r.csv:4: "},
		"r.jsonl":      {`{"user":"a","item":"x","rating":5}` + "\n" + `{"user":"a","item":"x","rating":3}` + "\n", "r.jsonl:2: "},
		"r.inter":      {"user_id:token\titem_id:token\trating:float\na\tx\t5\na\tx\t3\n", "r.inter:3: "},
		"r.qrels":      {"q1 0 x 5\nq1 0 x 3\n", "r.qrels:2: "},
		"mv_00001.txt": {"1:\n7,5,2005-09-06\n8,3,2005-09-06\n7,4,2005-09-07\n", "mv_00001.txt:4: "},
	} {
		files := fstest.MapFS{name: {Data: []byte(c.text)}}
		if _, _, err := format.Read(files, name, format.Options{}); err == nil || !strings.HasPrefix(err.Error(), c.line) || !strings.Contains(err.Error(), "rated twice") {
			t.Errorf("%s: %v; expected it to begin with %q", name, err, c.line)
		}
	}
	for name, c := range map[string]struct{ text, line string }{
		"ratings.dat": {"1::10::5::100\n1::20::3::100\n2::10::1::100\n", "ratings.dat:3: "},
		"r.csv":       {"user,item,rating\na,x,5\na,y,6\n", "r.csv:3: "},
	} {
		files := fstest.MapFS{name: {Data: []byte(c.text)}}
		if _, _, err := format.Read(files, name, format.Options{Scale: []float64{2, 5}}); err == nil || !strings.HasPrefix(err.Error(), c.line) || !strings.Contains(err.Error(), "outside the scale from 2 to 5") {
			t.Errorf("%s: %v; expected it to begin with %q", name, err, c.line)
		}
	}
	// An end of the scale that does not come out even in binary is inside.
	files := fstest.MapFS{"r.csv": {Data: []byte("user,item,rating\na,x,0.7\na,y,1.4\n")}}
	if _, _, err := format.Read(files, "r.csv", format.Options{Scale: []float64{0.7, 1.4}}); err != nil {
		t.Error(err)
	}
}
