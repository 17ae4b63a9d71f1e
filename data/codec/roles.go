package codec

import (
	"bytes"
	"slices"
	"strings"
)

// The roles of a column or key. roles is their number.
const (
	roleUser = iota
	roleItem
	roleRating
	roleTime
	roleTitle
	roles
	noRole = -1
)

// aliases of the roles, in lower case without spaces, underscores and hyphens;
// where a header has several, the first one here is taken.
var aliases = [roles][]string{
	{"user", "userid", "uid", "userindex", "username", "customer", "customerid", "reviewer", "reviewerid", "member", "memberid", "person", "voter", "rater"},
	{"item", "itemid", "iid", "movie", "movieid", "mid", "film", "filmid", "product", "productid", "asin", "parentasin", "book", "bookid", "isbn", "song", "songid", "track", "trackid", "artist", "artistid", "anime", "animeid", "business", "businessid", "game", "gameid", "recipe", "recipeid", "joke", "jokeid"},
	{"rating", "score", "value", "stars", "star", "level", "ratingvalue", "userrating", "myrating", "bookrating", "overall", "grade"},
	{"timestamp", "time", "date", "unixtime", "unixreviewtime", "datetime", "ts", "when", "ratedat", "createdat", "ratingdate"},
	{"title", "name", "itemname", "itemtitle", "movietitle", "moviename", "booktitle", "productname", "producttitle"},
}

// UserNames are the names, folded, of a column of users.
func UserNames() []string { return slices.Clone(aliases[roleUser]) }

// Folded is a name of a column without case, spaces, underscores and hyphens.
func Folded(name string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(name))
}

// roleOf finds the role that a name of a column or a key stands for, and the rank of the name among
// its aliases, 0 the best.
func roleOf(name string) (role, rank int) {
	name = Folded(name)
	for role, names := range aliases {
		if rank := slices.Index(names, name); rank >= 0 {
			return role, rank
		}
	}
	return noRole, 0
}

// roleColumns maps each role to its column; -1 is one that is not there.
type roleColumns [roles]int

// columnsNamed finds the columns by their names. Without a user, an item or a rating, or with two equally good names for a role,
// they are not complete.
func columnsNamed(names [][]byte) (c roleColumns, complete bool) {
	c = roleColumns{-1, -1, -1, -1, -1}
	var best [roles]int
	var twice [roles]bool // the best name of a role stands twice
	for k, name := range names {
		role, rank := roleOf(string(bytes.TrimSpace(name)))
		switch {
		case role == noRole:
		case c[role] < 0 || rank < best[role]:
			c[role], best[role], twice[role] = k, rank, false
		case rank == best[role]:
			twice[role] = true
		}
	}
	return c, c[roleUser] >= 0 && c[roleItem] >= 0 && c[roleRating] >= 0 && !slices.Contains(twice[:], true)
}
