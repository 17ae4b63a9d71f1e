package codec

import (
	"bytes"
	"maps"
	"strings"
	"testing"
)

// roleColumns are found by their names in any spelling; the better of two names for a role is taken, and two equally
// good ones are refused.
func TestColumnsByName(t *testing.T) {
	for header, want := range map[string]struct {
		columns  roleColumns
		complete bool
	}{
		"user,item,rating":                      {roleColumns{0, 1, 2, -1, -1, -1}, true},
		"Movie ID,user_id, Score ,timestamp,x":  {roleColumns{1, 0, 2, 3, -1, -1}, true},
		"name,reviewer,asin,overall,rating":     {roleColumns{1, 2, 4, -1, 0, -1}, true},
		"user,item,title":                       {roleColumns{0, 1, -1, -1, 2, -1}, false},
		"user-id,user_id,item,rating":           {roleColumns{0, 2, 3, -1, -1, -1}, false},
		"user-id,user_id,user,item,rating,when": {roleColumns{2, 3, 4, 5, -1, -1}, true},
	} {
		got, err := naming{}.columnsNamed(bytes.Split([]byte(header), []byte(",")))
		if got != want.columns || (err == nil) != want.complete {
			t.Errorf("%s: %v %v, want %v %v", header, got, err, want.columns, want.complete)
		}
	}
}

// Names of columns stand as a person writes them, between quotation marks where they have a comma.
func TestParseColumns(t *testing.T) {
	want := map[string]string{"user": "Reviewer", "item": "Board Game, or else", "rating": `5" Stars`}
	for _, list := range []string{
		`user=Reviewer,item="Board Game, or else",rating="5"" Stars"`,
		`user=Reviewer,"item=Board Game, or else","rating=5"" Stars"`,
	} {
		if got, err := ParseColumns(list); err != nil || !maps.Equal(got, want) {
			t.Errorf("%s: %v %v", list, got, err)
		}
	}
	for list, want := range map[string]string{
		`user`: "is no column", `who=Fan`: `"who" is not a role; there are user, item`, `user=a,user=b`: "the user is given twice",
		`user="a`: "not closed", `user=`: "is no column", ``: "is no column", `user=a,`: "is no column",
	} {
		if got, err := ParseColumns(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %v, want %q", list, got, err, want)
		}
	}
}
