// Package tierlist reads tier lists of one person in JSON. In all of these the best tier comes first:
//
//	{"tiers":[{"name":"S","items":["id",…]},…],"unranked":["id",…]}
//	[["id","id"],["id"]]
//	{"S":["id",…],"A":["id",…]}
package tierlist

import (
	"bytes"
	"encoding/json"
	"slices"

	"fubini/data/text"
)

// List is a tier list, the best tier first.
type List struct {
	Tiers    []Tier   `json:"tiers"`
	Unranked []string `json:"unranked,omitempty"`
}

// Tier is a tier with its name and the ids of its items.
type Tier struct {
	Name  string   `json:"name"`
	Items []string `json:"items"`
}

// Line is the tier list of one of many people, as it stands in a line of JSON.
type Line struct {
	User     string   `json:"user"`
	Tiers    any      `json:"tiers"` // []Tier, or [][]string where tiers have no names
	Unranked []string `json:"unranked,omitempty"`
}

// Encode returns the line, with its end.
func (l Line) Encode() ([]byte, error) {
	var line bytes.Buffer
	out := json.NewEncoder(&line)
	out.SetEscapeHTML(false)
	err := out.Encode(l)
	return line.Bytes(), err
}

// Detect reports whether the first bytes of a file look like a tier list: a list of lists, an object that has tiers, or
// one with nothing but lists of ids.
func Detect(head []byte) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	decoder := json.NewDecoder(bytes.NewReader(head))
	first, err := decoder.Token()
	if err == nil && first == json.Delim('[') {
		second, err := decoder.Token()
		_, begins := second.(json.Delim)
		return err == nil && begins
	}
	for err == nil && first == json.Delim('{') && decoder.More() {
		var key json.Token
		if key, err = decoder.Token(); key == "tiers" {
			next, err := decoder.Token()
			return err == nil && (next == json.Delim('[') || next == json.Delim('{'))
		} else if err == nil {
			err = decoder.Decode(new(json.RawMessage))
		}
	}
	return byName(head)
}

// byName reports whether a text, which may be cut short, is an object with nothing but lists of ids.
func byName(head []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(head))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return false
	}
	tiers := 0
	for decoder.More() {
		if key, err := decoder.Token(); err != nil || key == "tiers" {
			return err != nil && tiers > 0
		}
		if begin, err := decoder.Token(); err != nil || begin != json.Delim('[') {
			return err != nil && tiers > 0
		}
		tiers++
		for decoder.More() {
			id, err := decoder.Token()
			if _, nested := id.(json.Delim); nested {
				return false
			}
			if err != nil {
				return true
			}
		}
		if _, err := decoder.Token(); err != nil {
			return true
		}
	}
	return tiers > 0
}

// isUnranked reports whether the name of a tier says that its items have no place.
func isUnranked(name string) bool {
	return slices.Contains([]string{"unranked", "unplaced", "unrated", "unsorted"}, name)
}
