package web_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// imdbExport is ratings.csv of an account at IMDb: films that the ids find, one with its title in another language, one that two films fit by
// title, one that the catalogue does not have, an episode, and a line without a rating.
const imdbExport = `Const,Your Rating,Date Rated,Title,Original Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres,Num Votes,Release Date,Directors
tt0133093,10,2021-03-04,Matriks,The Matrix,https://www.imdb.com/title/tt0133093,Movie,8.7,136,1999,"Action, Sci-Fi",2000000,1999-03-31,"Lana Wachowski, Lilly Wachowski"
tt0078748,9,2021-03-04,Alien,Alien,https://www.imdb.com/title/tt0078748,Movie,8.5,117,1979,"Horror, Sci-Fi",900000,1979-06-22,Ridley Scott
tt0083658,9,2021-03-05,Blade Runner,Blade Runner,https://www.imdb.com/title/tt0083658,Movie,8.1,117,1982,"Action, Drama",800000,1982-06-25,Ridley Scott
tt0120338,4,2021-03-05,Titanic,Titanic,https://www.imdb.com/title/tt0120338,Movie,7.9,194,1997,"Drama, Romance",1200000,1997-11-01,James Cameron
tt9999991,8,2021-03-06,The Thing,The Thing,,Movie,8.2,109,,Horror,450000,,John Carpenter
tt9999992,7,2021-03-06,A Film That Nobody Has Seen,,,Movie,5.0,90,1951,Drama,12,1951-01-01,Nobody
tt2301451,10,2021-04-02,Ozymandias,Ozymandias,,TV Episode,10,47,2013,Drama,200000,2013-09-15,Rian Johnson
tt0113277,,,Heat,Heat,,Movie,8.3,170,1995,Crime,700000,1995-12-15,Michael Mann
`

// One drop of an export on the page of the real program: what several films fit is asked, and recommendations follow.
func TestFilmsFromIMDb(t *testing.T) {
	t.Parallel()
	ctx := chromium(t)
	server, numbers := films(t)
	b := open(t, ctx, server.fake, desktop, "")
	b.settled()
	b.dropFile("ratings.csv", imdbExport)
	b.wantText(".sheet .counts", "8 read, 4 known, 1 not in this catalogue, 1 to choose, 2 skipped")
	b.wantText(".choices", "The Thing")
	b.picture("films-imdb-choices")
	b.do(`(() => { const e = document.querySelector(".choices select"); e.value = [...e.options].find((o) => o.textContent.includes("1982")).value; e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	b.click(".sheet .filled")
	b.wait(`document.querySelectorAll(".board .tile").length === 5`)
	want := strings.Join([]string{numbers["The Matrix"], numbers["Alien"] + " " + numbers["Blade Runner"], "0084787", numbers["Titanic"]}, " | ")
	if got := itemsOf(t, b.list()); got != want {
		t.Errorf("imported %s, want %s", got, want)
	}
	b.settled()
	b.wait(`document.querySelectorAll(".next .row").length === 6`)
	next := eval[[]string](b, `[...document.querySelectorAll(".next .row")].map((e) => e.textContent)`)
	if slices.ContainsFunc(next, func(text string) bool {
		return strings.Contains(text, "The Matrix (") || strings.Contains(text, "Alien (")
	}) {
		t.Errorf("what was placed is recommended: %q", next)
	}
	b.picture("films-imdb")
	b.clean()
}

// dropFile drops a text file anywhere on the page.
func (b *tab) dropFile(name, text string) {
	b.t.Helper()
	file, err := json.Marshal([]string{text, name})
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(`(([text, name]) => { const data = new DataTransfer(); data.items.add(new File([text], name, { type: "text/csv" })); document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data })); })(` + strings.ReplaceAll(string(file), "%", "%%") + `)`)
}

// A list that is imported in the first minute answers its questions: the board follows, and is what the next visit shows.
func TestImportEndsTheFirstMinute(t *testing.T) {
	t.Parallel()
	server, _ := films(t)
	b := firstVisit(t, server.fake, desktop)
	b.dealt("")
	b.dropFile("ratings.csv", imdbExport)
	b.click(".sheet .filled")
	b.wait(`document.querySelectorAll(".board .tile").length === 4 && !document.querySelector(".first")`)
	b.clean()
}
