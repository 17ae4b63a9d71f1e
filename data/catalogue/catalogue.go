package catalogue

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fubini/data/titles"
)

// Item is an entry of a catalogue: the names, year, groups, picture, link and other ids of an item.
type Item struct {
	Name    string   `json:"name,omitempty"`
	Year    int      `json:"year,omitempty"`
	Groups  []string `json:"groups,omitempty"`
	Picture string   `json:"picture,omitempty"` // an address, or a file beside the catalogue
	Link    string   `json:"link,omitempty"`
	IDs     []string `json:"ids,omitempty"`    // in other catalogues: imdb:tt0133093
	Titles  []string `json:"titles,omitempty"` // more titles
}

// Shown returns the name with the year: "Toy Story (1995)".
func (i *Item) Shown() string {
	if year := strconv.Itoa(i.Year); i.Name != "" && i.Year != 0 && !strings.Contains(i.Name, year) {
		return i.Name + " (" + year + ")"
	}
	return i.Name
}

// Dated returns the year, or where it is not known that in brackets behind the name; 0 where there is none.
func (i *Item) Dated() int { return cmp.Or(i.Year, titles.Year(i.Name)) }

// Over returns the item with its empty fields filled from an earlier description. Ids and titles add up.
func (i Item) Over(before Item) Item {
	i.Name, i.Year = cmp.Or(i.Name, before.Name), cmp.Or(i.Year, before.Year)
	i.Picture, i.Link = cmp.Or(i.Picture, before.Picture), cmp.Or(i.Link, before.Link)
	if len(i.Groups) == 0 {
		i.Groups = before.Groups
	}
	for _, id := range before.IDs {
		i.IDs = added(slices.Clip(i.IDs), id)
	}
	for _, title := range before.Titles {
		i.Titles = added(slices.Clip(i.Titles), title)
	}
	return i
}

// Empty reports whether nothing but the name is known.
func (i *Item) Empty() bool {
	return i.Year == 0 && len(i.Groups)+len(i.IDs)+len(i.Titles) == 0 && i.Picture == "" && i.Link == ""
}

// Safe reports whether the picture and the link are addresses that a page may show.
func (i *Item) Safe() bool {
	return (i.Picture == "" || safe(i.Picture, true)) && (i.Link == "" || safe(i.Link, false))
}

// Catalogue has items by their ids.
type Catalogue struct {
	Items   map[string]*Item
	Records int // that were read
	Refused int // pictures and links that are neither http addresses nor files
}

// New returns an empty catalogue.
func New() *Catalogue { return &Catalogue{Items: map[string]*Item{}} }

// About returns the groups and the year of an item, for [ratings.Set.Described].
func (c *Catalogue) About(item string) (groups []string, year int) {
	if about := c.Items[item]; about != nil {
		return about.Groups, about.Dated()
	}
	return nil, 0
}

// longest is the number of bytes of a text of an item, and most that of texts of one kind.
const (
	longest = 1000
	most    = 50
)

// item is the one with an id, a new one if need be.
func (c *Catalogue) item(id string) *Item {
	item := c.Items[id]
	if item == nil {
		item = &Item{}
		c.Items[id] = item
	}
	return item
}

// set notes a value of an item under the name of a column, folded. Columns that are not known are left out.
func (c *Catalogue) set(item *Item, column, value string) {
	if value = strings.TrimSpace(value); value == "" || len(value) > longest {
		return
	}
	switch role := roles[column]; role {
	case "name":
		item.Name = cmp.Or(item.Name, value)
	case "year":
		value, _, _ = strings.Cut(value, ".")
		if year, err := strconv.Atoi(value); err == nil && -5000 < year && year < 3000 {
			item.Year = year
		}
	case "groups":
		for _, group := range strings.FieldsFunc(value, func(r rune) bool { return r == '|' || r == ';' || r == ',' }) {
			if group = strings.TrimSpace(group); group != "" && group != "(no genres listed)" {
				item.Groups = added(item.Groups, group)
			}
		}
	case "titles":
		for title := range strings.SplitSeq(value, "|") {
			if title = strings.TrimSpace(title); title != "" {
				item.Titles = added(item.Titles, title)
			}
		}
	case "picture", "link":
		if !safe(value, role == "picture") {
			c.Refused++
			return
		}
		if role == "picture" {
			item.Picture = value
		} else {
			item.Link = value
		}
	case "":
	default:
		if id := ElsewhereID(role, value); id != "" {
			item.IDs = added(item.IDs, id)
		}
	}
}

func added(list []string, text string) []string {
	if len(list) >= most || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// roles are what columns hold, by their names in lower case without spaces, underscores and hyphens.
var roles = func() map[string]string {
	roles := map[string]string{}
	for role, names := range map[string]string{
		"item": "item itemid movieid bookid gameid animeid id", "name": "name title itemname itemtitle movietitle booktitle",
		"year": "year releaseyear yearpublished originalpublicationyear", "groups": "genres genre groups group categories category tags",
		"picture": "picture image poster cover pictureurl imageurl posterurl coverurl", "link": "link url", "titles": "titles othertitles alternativetitles originaltitle aka",
		"imdb": "imdb imdbid const", "tmdb": "tmdb tmdbid", "isbn": "isbn isbn10 isbn13", "mal": "mal malid idmal", "bgg": "bgg bggid objectid", "goodreads": "goodreads goodreadsid",
		"anilist": "anilist anilistid", "movielens": "movielens movielensid", "trakt": "trakt traktid",
	} {
		for _, name := range strings.Fields(names) {
			roles[name] = role
		}
	}
	return roles
}()

// ElsewhereID is the common spelling of an id in another catalogue, for comparisons: "imdb:tt0114709" for 114709, 0114709 and tt0114709. It is
// empty for an id that is none.
func ElsewhereID(catalogue, id string) string {
	id = strings.TrimSpace(id)
	if id == "" || id == "0" || len(id) > 100 || strings.ContainsAny(id, " \t\n") {
		return ""
	}
	switch catalogue {
	case "imdb":
		if digits := strings.TrimLeft(strings.TrimPrefix(id, "tt"), "0"); digits != "" && strings.Trim(digits, "0123456789") == "" {
			return "imdb:tt" + strings.Repeat("0", max(0, 7-len(digits))) + digits
		}
	case "isbn":
		return "isbn:" + isbn13(id)
	}
	return catalogue + ":" + id
}

// isbn13 is the ISBN of 13 digits for one of 10; another text stays as it is.
func isbn13(id string) string {
	id = strings.ReplaceAll(id, "-", "")
	if len(id) != 10 || strings.Trim(id[:9], "0123456789") != "" {
		return id
	}
	id = "978" + id[:9]
	sum := 0
	for k, c := range id {
		weight := 1 + 2*(k%2)
		sum += weight * int(c-'0')
	}
	return id + strconv.Itoa((10-sum%10)%10)
}

// safe reports whether an address is one that a page may show: http, https, or for a picture a file below the catalogue.
func safe(address string, file bool) bool {
	lower := strings.ToLower(address)
	for _, scheme := range []string{"http://", "https://"} {
		if host, is := strings.CutPrefix(lower, scheme); is {
			return host != "" && !strings.ContainsAny(host[:1], "/?#") && !strings.ContainsAny(host, " \t\r\n\"<>")
		}
	}
	return file && !strings.ContainsAny(address, ":\\\x00") && !strings.HasPrefix(address, "/") && !slices.Contains(strings.Split(address, "/"), "..")
}
