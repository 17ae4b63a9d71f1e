package server_test

import (
	"bytes"
	"compress/gzip"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"fubini/app/lookup"
)

// A file becomes tiers of the model's items, and every name is accounted for.
func TestImport(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	items := read[struct {
		Items []struct{ Item, Name string }
	}](t, s.ask("GET", "/v1/items?limit=5", ""), 200).Items
	body := "Const,Your Rating,Date Rated,Title,Year\n" +
		"tt1,10,2020-01-01," + items[0].Name + ",\ntt2,10,2020-01-01," + strings.ToUpper(items[1].Name) + ",\ntt3,3,," + items[2].Name + ",\ntt4,5,2020-01-01,No such thing at all,\ntt5,12,2020-01-01," + items[3].Name + ",\n"
	check := func(got lookup.Answer) {
		t.Helper()
		if got.Form != "imdb" || len(got.People) != 1 || got.Report.Read != 5 || got.Report.Counts.Matched != 3 || got.Report.Counts.NotMatched != 1 || got.Report.Counts.Skipped != 1 {
			t.Fatalf("%+v", got)
		}
		tiers := got.People[0].Tiers
		if len(tiers) != 3 || tiers[0].Name != "10" || !slices.Equal(tiers[0].Items, []string{items[0].Item, items[1].Item}) || tiers[1].Name != "5" || len(tiers[1].Items) != 0 || !slices.Equal(tiers[2].Items, []string{items[2].Item}) {
			t.Errorf("%+v", tiers)
		}
		times, day := got.People[0].Times, time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		if _, dated := times[items[2].Item]; dated || len(times) != 2 || !times[items[0].Item].Equal(day) || !times[items[1].Item].Equal(day) {
			t.Errorf("times %v", times)
		}
		if missing := got.Report.NotMatched[0]; missing.Text != "No such thing at all" || missing.Line != 5 {
			t.Errorf("%+v", missing)
		}
		if skipped := got.Report.Skipped[0]; skipped.Line != 6 || !strings.Contains(skipped.Why, "outside the scale") {
			t.Errorf("%+v", skipped)
		}
	}
	check(read[lookup.Answer](t, s.ask("POST", "/v1/import?name=ratings.csv", body, "Content-Type", "text/csv"), 200))

	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, _ := w.CreateFormFile("anything", "ratings.csv")
	part.Write([]byte(body))
	w.Close()
	check(read[lookup.Answer](t, s.ask("POST", "/v1/import", form.String(), "Content-Type", w.FormDataContentType()), 200))

	// Pasted text: tiers, and names.
	got := read[lookup.Answer](t, s.ask("POST", "/v1/import", "S: "+items[0].Name+"; "+items[1].Name+"\nB: "+items[2].Item+"\n"), 200)
	if got.Form != "tiers" || len(got.People[0].Tiers) != 2 || got.People[0].Tiers[0].Name != "S" || got.Report.Counts.Matched != 3 || got.People[0].Times != nil {
		t.Errorf("%+v", got)
	}
	got = read[lookup.Answer](t, s.ask("POST", "/v1/import", items[0].Name+"\n"+items[1].Name+"\n"), 200)
	if got.Form != "list" || len(got.People[0].Tiers) != 2 || got.People[0].Tiers[0].Items[0] != items[0].Item {
		t.Errorf("%+v", got)
	}
}

// Titles that are one item for sure do where ids do, and give the same answer; two names of one item are two places of it, and a
// misspelled one is unknown.
func TestTitlesForIds(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	items := read[struct {
		Items []struct{ Item, Name string }
	}](t, s.ask("GET", "/v1/items?limit=5", ""), 200).Items
	list := func(a, b, more string) string { return `{"tiers":[["` + a + `"],["` + b + `"` + more + `]],"n":3}` }
	byID := s.ask("POST", "/v1/recommend", list(items[0].Item, items[1].Item, ""))
	byTitle := s.ask("POST", "/v1/recommend", list(strings.ToUpper(items[0].Name), items[1].Name, ""))
	if byID.status != 200 || byTitle.status != 200 || !bytes.Equal(byID.text, byTitle.text) {
		t.Errorf("by id %d %s; by title %d %s", byID.status, byID.text, byTitle.status, byTitle.text)
	}
	if got := s.ask("POST", "/v1/recommend", list(items[0].Name, items[1].Name, `,"`+items[0].Item+`"`)); got.status != 422 || !strings.Contains(string(got.text), "two places") {
		t.Errorf("two names of one item: %d %s", got.status, got.text)
	}
	got := read[struct{ Unknown []string }](t, s.ask("POST", "/v1/recommend", list(items[0].Name, items[1].Name+"xq", "")), 200)
	if !slices.Equal(got.Unknown, []string{items[1].Name + "xq"}) {
		t.Errorf("unknown %q", got.Unknown)
	}
	why := `{"tiers":[["` + items[0].Item + `"]],"item":"`
	if a, b := s.ask("POST", "/v1/explain", why+items[1].Item+`"}`), s.ask("POST", "/v1/explain", why+items[1].Name+`"}`); a.status != 200 || !bytes.Equal(a.text, b.text) {
		t.Errorf("explain by id %d %s; by title %d %s", a.status, a.text, b.status, b.text)
	}
}

// Columns whose names are not understood are named in the request, as by --columns of the command.
func TestImportColumns(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	items := read[struct {
		Items []struct{ Item, Name string }
	}](t, s.ask("GET", "/v1/items?limit=2", ""), 200).Items
	body := "Fan,Board Game,Points\nann," + items[0].Name + ",2\nann," + items[1].Name + ",9\nbob," + items[0].Name + ",5\n"
	post := func(columns, body string) reply {
		return s.ask("POST", "/v1/import?"+url.Values{"name": {"games.csv"}, "columns": {columns}}.Encode(), body, "Content-Type", "text/csv")
	}
	got := read[lookup.Answer](t, post(`user=Fan,"item=Board Game",rating=Points`, body), 200)
	if len(got.People) != 2 || got.People[0].Person != "ann" || got.Report.Read != 3 || got.Report.Counts.Matched != 3 {
		t.Fatalf("%+v", got)
	}
	if tiers := got.People[0].Tiers; tiers[0].Name != "9" || tiers[len(tiers)-1].Name != "2" || !slices.Equal(tiers[0].Items, []string{items[1].Item}) || !slices.Equal(tiers[len(tiers)-1].Items, []string{items[0].Item}) {
		t.Errorf("tiers %+v", tiers)
	}
	var bomb bytes.Buffer
	gz, _ := gzip.NewWriterLevel(&bomb, gzip.BestCompression)
	gz.Write([]byte("Fan,Board Game,Points\n"))
	line := bytes.Repeat([]byte("1,1,5\n"), 1<<16)
	for range (70 << 20) / len(line) {
		gz.Write(line)
	}
	gz.Close()
	for name, c := range map[string]struct{ columns, body, want string }{
		"none":    {"", body, "?columns=item=NAME,rating=NAME"},
		"role":    {"game=Board Game", body, "query.columns"},
		"absent":  {"user=Fan,item=Bored Game,rating=Points", body, "Bored Game"},
		"bomb":    {"user=Fan,item=Board Game,rating=Points", bomb.String(), "bytes"},
		"parquet": {"user=Fan,item=Board Game,rating=Points", "PAR1xxxxxxxx", "binary"},
	} {
		if got := post(c.columns, c.body); got.status != 422 || !strings.Contains(string(got.text), c.want) {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
	}
}

// What cannot be read is refused with its place; what would grow without end is refused too.
func TestImportRefusals(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	var bomb bytes.Buffer
	gz, _ := gzip.NewWriterLevel(&bomb, gzip.BestCompression)
	gz.Write([]byte("user,item,rating\n"))
	line := bytes.Repeat([]byte("1,1,5\n"), 1<<16)
	for range (70 << 20) / len(line) {
		gz.Write(line)
	}
	gz.Close()
	for name, c := range map[string]struct{ body, want string }{
		"columns": {"Colour,Size\nred,3\n", "no form has the columns Colour, Size"},
		"bomb":    {bomb.String(), "bytes"},
		"laughs":  {`<!DOCTYPE x [<!ENTITY a "b">]><myanimelist><anime><series_title>&a;</series_title></anime></myanimelist>`, "entities"},
		"parquet": {"PAR1xxxxxxxx", "binary"},
		"empty":   {"Const,Your Rating,Title\n", "no rating in 0 records"},
	} {
		if got := s.ask("POST", "/v1/import?name=x", c.body, "Content-Type", "application/octet-stream"); got.status != 422 || !strings.Contains(string(got.text), c.want) {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
	}
	if got := s.ask("POST", "/v1/import", strings.Repeat("x", 17<<20)); got.status != 413 {
		t.Errorf("17 MiB: %d %s", got.status, got.text)
	}
}
