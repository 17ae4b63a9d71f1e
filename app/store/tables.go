package store

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// table is one of our tables as backups see it; its rows are ordered by their id.
type table struct {
	name    string
	columns []column
}

// column is a column of a table.
type column struct {
	name  string
	kind  func() any // makes a variable for a value
	since int        // the version of the tables that brought it
}

// The kinds of values. In a backup they are a JSON string, a whole number, and bytes in base64; null where the database
// has NULL, which a nil pointer stands for.
func asText() any  { return new(*string) }
func asWhole() any { return new(*int64) }
func asBytes() any { return new([]byte) }

// tables lists everything that a backup holds. A migration that adds a column adds it here, with its version, so that
// older backups can still be read. What the database can make anew, list_totals, is not among them.
var tables = []table{
	{"lists", []column{
		{"id", asText, 1}, {"secret", asBytes, 1}, {"body", asBytes, 1}, {"version", asWhole, 1}, {"created", asWhole, 1}, {"updated", asWhole, 1},
		{"maker", asText, 4},
	}},
	{"api_keys", []column{
		{"id", asText, 1}, {"hash", asBytes, 1}, {"name", asText, 1}, {"scopes", asText, 1}, {"created", asWhole, 1}, {"revoked", asWhole, 1}, {"last_used", asWhole, 1},
		{"expires", asWhole, 4},
	}},
	{"jobs", []column{
		{"id", asText, 2}, {"kind", asText, 2}, {"state", asText, 2}, {"parameters", asBytes, 2}, {"progress", asBytes, 2}, {"failure", asText, 2},
		{"created", asWhole, 2}, {"started", asWhole, 2}, {"ended", asWhole, 2}, {"owner", asText, 3}, {"beat", asWhole, 3},
	}},
	{"audit", []column{
		{"id", asWhole, 2}, {"time", asWhole, 2}, {"key_id", asText, 2}, {"action", asText, 2}, {"detail", asText, 2}, {"request_id", asText, 2},
	}},
}

// at is the table as it was in a version; without columns where it was not.
func (t table) at(version int) table {
	t.columns = slices.DeleteFunc(slices.Clone(t.columns), func(c column) bool { return c.since > version })
	return t
}

func (t table) names() string {
	var names []string
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// insert is the statement that writes a row.
func (t table) insert() string {
	var places []string
	for i := range t.columns {
		places = append(places, fmt.Sprintf("$%d", i+1))
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", t.name, t.names(), strings.Join(places, ", "))
}

// targets are variables to scan a row into.
func (t table) targets() (targets []any) {
	for _, c := range t.columns {
		targets = append(targets, c.kind())
	}
	return targets
}

// encode is a scanned row as a JSON object.
func (t table) encode(targets []any) (json.RawMessage, error) {
	row := map[string]any{}
	for i, c := range t.columns {
		row[c.name] = targets[i]
	}
	return json.Marshal(row)
}

// decode reads a row of a backup, as arguments for insert. It wants every column and no other.
func (t table) decode(object json.RawMessage) ([]any, error) {
	var row map[string]json.RawMessage
	if err := json.Unmarshal(object, &row); err != nil {
		return nil, err
	}
	if len(row) != len(t.columns) {
		return nil, fmt.Errorf("a row of %s has %d columns; want %s", t.name, len(row), t.names())
	}
	targets := t.targets()
	for i, c := range t.columns {
		value, given := row[c.name]
		if !given {
			return nil, fmt.Errorf("a row of %s is without %s", t.name, c.name)
		}
		if err := json.Unmarshal(value, targets[i]); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t.name, c.name, err)
		}
		targets[i] = reflect.ValueOf(targets[i]).Elem().Interface() // from a pointer to a variable to its value
	}
	return targets, nil
}
