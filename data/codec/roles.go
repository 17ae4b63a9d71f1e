package codec

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fubini/data/text"
)

// The roles of a column or key. roles is their number.
const (
	roleUser = iota
	roleItem
	roleRating
	roleTime
	roleTitle
	roleTier // a tier or a rank, the best 1, in place of a rating
	roles
	noRole = -1
)

// Roles are the names of the roles that columns can have, as [Options.Columns] has them.
var Roles = []string{"user", "item", "rating", "time", "title", "tier"}

// ParseColumns reads names of columns by their roles, for [Options.Columns], as in user=Reviewer,item="Board Game",rating=Stars. A name with a
// comma stands between quotation marks, with or without its role; two of them are one of the name.
func ParseColumns(list string) (map[string]string, error) {
	return ParseRoles(list, Roles, "rating=Stars")
}

// ParseRoles is [ParseColumns] for other roles; example is one of them with a name.
func ParseRoles(list string, roles []string, example string) (map[string]string, error) {
	fields, quoted := []string{""}, false
	for k := 0; k < len(list); k++ {
		last := &fields[len(fields)-1]
		switch c := list[k]; {
		case c == '"' && quoted && strings.HasPrefix(list[k+1:], `"`):
			*last += `"`
			k++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			fields = append(fields, "")
		default:
			*last += list[k : k+1]
		}
	}
	if quoted {
		return nil, fmt.Errorf("%s is no list of columns: a quotation mark is not closed", text.Quote(list))
	}
	columns := map[string]string{}
	for _, field := range fields {
		role, name, found := strings.Cut(field, "=")
		role = strings.TrimSpace(role)
		switch {
		case !found || strings.TrimSpace(name) == "":
			return nil, fmt.Errorf("%s is no column; write its role and its name, as in %s", text.Quote(field), example)
		case !slices.Contains(roles, role):
			return nil, fmt.Errorf("%s is not a role; there are %s", text.Quote(role), strings.Join(roles, ", "))
		case columns[role] != "":
			return nil, fmt.Errorf("the %s is given twice", role)
		}
		columns[role] = name
	}
	return columns, nil
}

// aliases of the roles, in lower case without spaces, underscores and hyphens;
// where a header has several, the first one here is taken.
var aliases = [roles][]string{
	{"user", "userid", "uid", "userindex", "username", "customer", "customerid", "reviewer", "reviewerid", "member", "memberid", "person", "voter", "rater"},
	{"item", "itemid", "iid", "movie", "movieid", "mid", "film", "filmid", "product", "productid", "asin", "parentasin", "book", "bookid", "isbn", "song", "songid", "track", "trackid", "artist", "artistid", "anime", "animeid", "business", "businessid", "game", "gameid", "recipe", "recipeid", "joke", "jokeid"},
	{"rating", "score", "value", "stars", "star", "level", "ratingvalue", "userrating", "myrating", "bookrating", "overall", "grade"},
	{"timestamp", "time", "date", "unixtime", "unixreviewtime", "datetime", "ts", "when", "ratedat", "createdat", "ratingdate"},
	{"title", "name", "itemname", "itemtitle", "movietitle", "moviename", "booktitle", "productname", "producttitle"},
	{"tier", "rank"},
}

// besides are names, folded, of columns that go with the ratings of one person and say nothing of who that is.
var besides = []string{"year", "released", "releasedate", "genre", "genres", "url", "uri", "link", "review", "notes", "note", "comment", "comments", "tags", "author", "director", "publisher", "id", "unranked"}

// UserNames are the names, folded, of a column of users.
func UserNames() []string { return slices.Clone(aliases[roleUser]) }

// Folded is a name of a column without case, spaces, underscores and hyphens.
func Folded(name string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(name))
}

// ErrColumns is the error, wrapped, for a table whose columns do not say who rated what. [Options.Columns] can.
var ErrColumns = errors.New("the columns are not understood")

// naming has the names that columns of some roles go by; empty for the known ones.
type naming [roles]string

func (o Options) naming() (n naming) {
	for role, name := range o.Columns {
		if k := slices.Index(Roles, role); k >= 0 {
			n[k] = strings.TrimSpace(name)
		}
	}
	return n
}

// roleOf finds the role that a name of a column or a key stands for, and the rank of the name among
// its aliases, 0 the best.
func (n naming) roleOf(name string) (role, rank int) {
	name = strings.TrimSpace(name)
	folded := Folded(name)
	for role, given := range n {
		switch {
		case given == "":
		case given == name:
			return role, 0
		case Folded(given) == folded:
			return role, 1
		}
	}
	for role, names := range aliases {
		if n[role] != "" {
			continue
		}
		if rank := slices.Index(names, folded); rank >= 0 {
			return role, rank
		}
	}
	return noRole, 0
}

// roleColumns maps each role to its column; -1 is one that is not there.
type roleColumns [roles]int

// columnsNamed finds the columns by their names. There must be an item, or a title in its place, a rating or a tier, and a
// user, unless all columns are such as one person's ratings have, or those of the item and the rating are given.
func (n naming) columnsNamed(names [][]byte) (c roleColumns, err error) {
	for role := range c {
		c[role] = -1
	}
	var best [roles]int
	var twice [roles]bool // the best name of a role stands twice
	strange := false
	for k, name := range names {
		switch role, rank := n.roleOf(string(name)); {
		case role == noRole:
			strange = strange || !slices.Contains(besides, Folded(string(bytes.TrimSpace(name))))
		case c[role] < 0 || rank < best[role]:
			c[role], best[role], twice[role] = k, rank, false
		case rank == best[role]:
			twice[role] = true
		}
	}
	if c[roleItem] < 0 && n[roleItem] == "" {
		c[roleItem], c[roleTitle] = c[roleTitle], -1
	}
	for role, given := range n {
		if given != "" && c[role] < 0 {
			return c, refusal(names, []int{role}, fmt.Sprintf("there is no column %q", given))
		}
		if twice[role] {
			return c, refusal(names, []int{role}, "there are two columns for the "+Roles[role])
		}
	}
	var missing []int
	if c[roleUser] < 0 && strange && (n[roleItem] == "" || n[roleRating] == "" && n[roleTier] == "") {
		missing = append(missing, roleUser)
	}
	if c[roleItem] < 0 {
		missing = append(missing, roleItem)
	}
	if c[roleRating] < 0 && c[roleTier] < 0 {
		missing = append(missing, roleRating)
	}
	return c, lacking(names, missing)
}

// lacking is the refusal of columns without some roles; nil for none.
func lacking(names [][]byte, missing []int) error {
	if len(missing) == 0 {
		return nil
	}
	what := make([]string, len(missing))
	for k, role := range missing {
		what[k] = "the " + Roles[role]
	}
	return refusal(names, missing, strings.Join(what, " and ")+map[bool]string{false: " are", true: " is"}[len(missing) == 1]+" missing")
}

// refusal says what is wrong with the columns of some roles, which columns there are, and which names are understood.
func refusal(names [][]byte, wanted []int, wrong string) error {
	seen := string(bytes.Join(names[:min(len(names), 50)], []byte(", ")))
	var known, given []string
	for _, role := range wanted {
		understood := aliases[role]
		if role == roleRating {
			understood = slices.Concat(understood, aliases[roleTier])
		}
		known = append(known, fmt.Sprintf("%s (%s)", Roles[role], strings.Join(understood, ", ")))
		given = append(given, Roles[role]+"=NAME")
	}
	one := ""
	if slices.Equal(wanted, []int{roleUser}) {
		one = "; for a file of one person give the names of the item and the rating"
	}
	return fmt.Errorf("%w: %s; the columns are %s; understood are the names %s; or say which it is, as in %s%s",
		ErrColumns, wrong, seen, strings.Join(known, ", "), strings.Join(given, ","), one)
}
