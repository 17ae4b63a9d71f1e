package server_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// schema is a JSON Schema as far as the document uses it. It is read here and not by
// the library that wrote it, so that the two can disagree.
type schema map[string]any

// document is the OpenAPI document of a server.
type document struct {
	OpenAPI    string                          `json:"openapi"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID         string `json:"operationId"`
	Parameters []struct {
		Name     string `json:"name"`
		In       string `json:"in"`
		Required bool   `json:"required"`
		Schema   schema `json:"schema"`
		Example  any    `json:"example"`
	} `json:"parameters"`
	RequestBody *struct {
		Content map[string]struct {
			Schema  schema `json:"schema"`
			Example any    `json:"example"`
		} `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

// file is the example of a body that is a file as it is, and no JSON.
func (op *operation) file() (example string, is bool) {
	if op.RequestBody == nil {
		return "", false
	}
	media, is := op.RequestBody.Content["application/octet-stream"]
	example, _ = media.Example.(string)
	return example, is
}

func (d *document) resolve(s schema) schema {
	if ref, is := s["$ref"].(string); is {
		return d.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
	}
	return s
}

// types are the types that a schema allows.
func types(s schema) (all []string) {
	switch t := s["type"].(type) {
	case string:
		return []string{t}
	case []any:
		for _, each := range t {
			all = append(all, each.(string))
		}
	}
	return all
}

func typeOf(v any) string {
	switch n := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if n == math.Trunc(n) {
			return "integer"
		}
		return "number"
	}
	return fmt.Sprintf("%T", v)
}

// faults lists where a value does not match a schema.
func (d *document) faults(s schema, v any, at string) (list []string) {
	s = d.resolve(s)
	wrong := func(format string, args ...any) { list = append(list, at+": "+fmt.Sprintf(format, args...)) }
	kind, allowed := typeOf(v), types(s)
	if len(allowed) > 0 && !slices.Contains(allowed, kind) && !(kind == "integer" && slices.Contains(allowed, "number")) {
		wrong("is %s, want %v", kind, allowed)
		return list
	}
	if enum, has := s["enum"].([]any); has && !slices.Contains(enum, v) {
		wrong("%v is not one of %v", v, enum)
	}
	limit := func(name string, size float64, ok func(size, limit float64) bool) {
		if l, has := s[name].(float64); has && !ok(size, l) {
			wrong("%g breaks %s %g", size, name, l)
		}
	}
	least := func(size, limit float64) bool { return size >= limit }
	most := func(size, limit float64) bool { return size <= limit }
	switch x := v.(type) {
	case float64:
		limit("minimum", x, least)
		limit("maximum", x, most)
	case string:
		limit("minLength", float64(utf8.RuneCountInString(x)), least)
		limit("maxLength", float64(utf8.RuneCountInString(x)), most)
		if p, has := s["pattern"].(string); has && !regexp.MustCompile(p).MatchString(x) {
			wrong("%q does not match %s", x, p)
		}
		if _, err := time.Parse(time.RFC3339Nano, x); s["format"] == "date-time" && err != nil {
			wrong("%q is no time", x)
		}
	case []any:
		limit("maxItems", float64(len(x)), most)
		if items, has := s["items"].(map[string]any); has {
			for k, each := range x {
				list = append(list, d.faults(items, each, fmt.Sprintf("%s[%d]", at, k))...)
			}
		}
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for _, name := range asList(s["required"]) {
			if _, there := x[name.(string)]; !there {
				wrong("has no %s", name)
			}
		}
		for name, each := range x {
			property, known := properties[name].(map[string]any)
			if !known {
				if s["additionalProperties"] == false {
					wrong("has an unknown %s", name)
				}
				continue
			}
			list = append(list, d.faults(property, each, at+"."+name)...)
		}
	}
	return list
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

// value draws a value that matches a schema.
func (d *document) value(r *rand.Rand, s schema) any {
	s = d.resolve(s)
	if enum := asList(s["enum"]); len(enum) > 0 {
		return enum[r.IntN(len(enum))]
	}
	number := func(name string, otherwise float64) float64 {
		if v, has := s[name].(float64); has {
			return v
		}
		return otherwise
	}
	kinds := types(s)
	if len(kinds) == 0 {
		return nil
	}
	switch kinds[r.IntN(len(kinds))] {
	case "boolean":
		return r.IntN(2) == 0
	case "integer":
		low, high := number("minimum", 0), number("maximum", 100)
		return []any{low, high, low + float64(r.IntN(int(min(high-low, 50))+1))}[r.IntN(3)]
	case "number":
		low, high := number("minimum", -10), number("maximum", 10)
		return low + r.Float64()*(high-low)
	case "string":
		if p, has := s["pattern"].(string); has {
			return matching(r, p, int(number("minLength", 1)), int(number("maxLength", 30)))
		}
		words := []string{"item-1", "item-2", "item-3", "item-9", "é", "🍕", "a b", "<b>", "'\"\\", strings.Repeat("x", int(number("maxLength", 30)))}
		word := words[r.IntN(len(words))]
		for utf8.RuneCountInString(word) < int(number("minLength", 0)) {
			word += "-" + words[r.IntN(4)]
		}
		return word
	case "array":
		list := []any{}
		items, _ := s["items"].(map[string]any)
		for range r.IntN(4) {
			list = append(list, d.value(r, items))
		}
		return list
	case "object":
		object := map[string]any{}
		required := asList(s["required"])
		properties, _ := s["properties"].(map[string]any)
		for _, name := range sortedKeys(properties) {
			if slices.Contains(required, any(name)) || r.IntN(2) == 0 {
				object[name] = d.value(r, properties[name].(map[string]any))
			}
		}
		return object
	}
	return nil
}

func sortedKeys(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// matching draws a text for the few patterns that the document has.
func matching(r *rand.Rand, pattern string, least, most int) string {
	if strings.HasPrefix(pattern, "^(#") {
		return []string{"#ff0000", "red", "#abc"}[r.IntN(3)]
	}
	letters := "abcXYZ019_"
	text := []byte{}
	for range max(least, 1) + r.IntN(min(most-least, 8)+1) {
		text = append(text, letters[r.IntN(len(letters))])
	}
	return string(text)
}

// spoilt breaks a value somewhere.
func (d *document) spoilt(r *rand.Rand, v any) any {
	strange := []any{nil, true, -1.0, 1e308, 0.5, "", "x", strings.Repeat("y", 300), []any{}, []any{[]any{nil}}, map[string]any{"a": 1.0}}
	switch x := v.(type) {
	case map[string]any:
		if names := sortedKeys(x); len(names) > 0 && r.IntN(4) > 0 {
			name := names[r.IntN(len(names))]
			if r.IntN(5) == 0 {
				delete(x, name)
			} else {
				x[name] = d.spoilt(r, x[name])
			}
			return x
		}
		x["unheard-of"] = strange[r.IntN(len(strange))]
		return x
	case []any:
		if len(x) > 0 && r.IntN(3) > 0 {
			k := r.IntN(len(x))
			x[k] = d.spoilt(r, x[k])
			return x
		}
	}
	return strange[r.IntN(len(strange))]
}

func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // made of JSON's own types
	}
	return string(text)
}
