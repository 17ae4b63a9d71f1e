package personal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"time"

	"fubini/data/codec"
	"fubini/data/ratings"
)

// isAniList recognises the answer of AniList's API.
func isAniList(head []byte, _ string) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head, []byte(`"MediaListCollection"`))
}

// aniScales are the scales of AniList.
var aniScales = map[string]float64{"POINT_100": 100, "POINT_10_DECIMAL": 10, "POINT_10": 10, "POINT_5": 5, "POINT_3": 3}

type aniEntry struct {
	Score       float64 `json:"score"`
	Status      string  `json:"status"`
	CompletedAt struct {
		Year, Month, Day int
	} `json:"completedAt"`
	Media struct {
		ID, IDMal int
		Type      string
		Title     struct{ Romaji, English, Native string }
		Synonyms  []string
		StartDate struct{ Year int }
	} `json:"media"`
}

// readAniList reads the lists of a person. A score of 0 is none. Where the answer does not name the scale, the largest
// score does: above 10 it is 100, above 5 or with a fraction 10, above 3 it is 5, and otherwise 3.
func readAniList(x *Export, in *codec.Input, _ Options) error {
	type collection struct {
		User struct {
			Name             string
			MediaListOptions struct{ ScoreFormat string }
		}
		Lists []struct{ Entries []aniEntry }
	}
	var answer struct {
		Data                struct{ MediaListCollection collection }
		MediaListCollection *collection // programs that fetch it may keep the data alone
	}
	x.Records = true
	if err := json.NewDecoder(in.R).Decode(&answer); err != nil {
		return fmt.Errorf("%s: the JSON cannot be read: %w", in.Name, err)
	}
	c := cmp.Or(answer.MediaListCollection, &answer.Data.MediaListCollection)
	x.Rated = true
	scale, known := aniScales[c.User.MediaListOptions.ScoreFormat]
	if !known {
		scale = 3
		for _, list := range c.Lists {
			for _, e := range list.Entries {
				switch {
				case e.Score > 10:
					scale = 100
				case e.Score > 5 || e.Score != float64(int(e.Score)):
					scale = max(scale, 10)
				case e.Score > 3:
					scale = max(scale, 5)
				}
			}
		}
	}
	x.Scale = [2]float64{1, scale}
	for _, list := range c.Lists {
		for _, e := range list.Entries {
			if err := x.count(in.Name); err != nil {
				return err
			}
			x.aniEntry(&e)
		}
	}
	return nil
}

func (x *Export) aniEntry(e *aniEntry) {
	m := &e.Media
	item := Item{Line: x.Read, Year: m.StartDate.Year}
	for _, title := range append([]string{m.Title.English, m.Title.Romaji, m.Title.Native}, m.Synonyms[:min(len(m.Synonyms), 10)]...) {
		switch {
		case title == "" || len(title) > longestName:
		case item.Title == "":
			item.Title = title
		default:
			item.addOther(title)
		}
	}
	item.addID("anilist", strconv.Itoa(m.ID))
	mal := "mal"
	if m.Type == "MANGA" {
		mal = "malmanga"
	}
	item.addID(mal, strconv.Itoa(m.IDMal))
	at := int64(ratings.NoTime)
	if d := e.CompletedAt; d.Year > 0 {
		at = time.Date(d.Year, time.Month(max(1, d.Month)), max(1, d.Day), 0, 0, 0, 0, time.UTC).Unix()
	}
	if e.Score == 0 {
		x.unrated(item, e.Status != "PLANNING")
		return
	}
	if x.at[item.key()].placed {
		x.skip(item.Line, item.Text(), again)
		return // an entry stands in every list that it is in
	}
	x.rateIn(item, float32(e.Score), at)
}

// traktEntry is a rating, or something that was watched.
type traktEntry struct {
	Rating    float64 `json:"rating"`
	RatedAt   string  `json:"rated_at"`
	WatchedAt string  `json:"last_watched_at"`
	ListedAt  string  `json:"listed_at"`
	Type      string  `json:"type"`
	Movie     *traktTitle
	Show      *traktTitle
	Season    *struct{} `json:"season"`
	Episode   *struct{} `json:"episode"`
}

type traktTitle struct {
	Title string
	Year  int
	IDs   struct {
		Trakt, TMDB, TVDB int
		IMDb              string
	}
}

// isTrakt recognises a list of objects with the keys of Trakt.
func isTrakt(head []byte, _ string) bool {
	head = bytes.TrimSpace(head)
	if !bytes.HasPrefix(head, []byte("[")) || !bytes.Contains(head, []byte(`"ids"`)) {
		return false
	}
	has := func(key string) bool { return bytes.Contains(head, []byte(`"`+key+`"`)) }
	return (has("rated_at") || has("last_watched_at") || has("listed_at") || has("plays")) && (has("movie") || has("show"))
}

// traktFiles are the names of files in an export, with _ or - between the words.
var traktFiles = []string{"ratings-movies.json", "ratings-shows.json", "ratings_movies.json", "ratings_shows.json",
	"watched-movies.json", "watched-shows.json", "watched_movies.json", "watched_shows.json"}

// readTrakt reads a file, and the other files of an export beside it.
func readTrakt(x *Export, in *codec.Input, _ Options) error {
	x.Rated, x.Scale, x.Records = true, [2]float64{1, 10}, true
	if err := x.trakt(in); err != nil || in.Folder == nil || !slices.Contains(traktFiles, in.Base) {
		return err
	}
	entries, err := fs.ReadDir(in.Folder, ".")
	if err != nil {
		return nil // the file alone
	}
	for _, e := range entries {
		if name := e.Name(); slices.Contains(traktFiles, name) {
			if err := x.beside(in, path.Base(name), x.trakt); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *Export) trakt(in *codec.Input) error {
	d := json.NewDecoder(in.R)
	fail := func(err error) error {
		return fmt.Errorf("%s: record %d: the JSON cannot be read: %w", in.Name, x.Read+1, err)
	}
	if _, err := d.Token(); err != nil {
		return fail(err)
	}
	for d.More() {
		var e traktEntry
		if err := d.Decode(&e); err != nil {
			return fail(err)
		}
		if err := x.count(in.Name); err != nil {
			return err
		}
		title, tmdb := e.Movie, "tmdb"
		if title == nil {
			title, tmdb = e.Show, "tmdbtv"
		}
		if title == nil {
			x.skip(x.Read, e.Type, noName)
			continue
		}
		item := Item{Title: title.Title, Year: title.Year, Line: x.Read}
		item.addID("imdb", title.IDs.IMDb)
		item.addID(tmdb, strconv.Itoa(title.IDs.TMDB))
		item.addID("trakt", strconv.Itoa(title.IDs.Trakt))
		switch {
		case e.Season != nil || e.Episode != nil:
			x.skip(x.Read, item.Text(), noEpisode)
		case e.Rating != 0:
			x.rateIn(item, float32(e.Rating), when(e.RatedAt))
		default:
			x.unrated(item, e.ListedAt == "" || e.WatchedAt != "") // a watchlist has when a title was listed
		}
	}
	if _, err := d.Token(); err != nil {
		return fail(err)
	}
	return nil
}
