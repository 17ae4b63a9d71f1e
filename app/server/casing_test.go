package server_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A field in another case is another field, and a field comes once: encoding/json
// would take the last of them, whatever its case, and validation has seen another.
func TestEveryFieldComesOnceAndInItsOwnCase(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	d := openAPI(t, s)
	tried := 0
	d.each(func(method, path string, op operation) {
		if _, file := op.file(); file || op.RequestBody == nil {
			return
		}
		values := map[string]string{}
		for _, p := range op.Parameters {
			if text, is := p.Example.(string); is {
				values[p.Name] = text
			}
		}
		body := op.RequestBody.Content["application/json"].Schema
		for _, c := range d.doubled(body) {
			tried++
			got := send(s, method, path, op, values, c)
			if got.status != 400 && got.status != 422 {
				t.Errorf("%s %s with %.200s: %d: %.300s", method, path, c, got.status, got.text)
			}
		}
	})
	if tried < 100 {
		t.Errorf("only %d bodies were tried", tried)
	}
}

// doubled are bodies of a schema in which one property stands twice: in two cases, in
// either order, and in one case, plain and escaped. The other values are sound.
func (d *document) doubled(s schema) (bodies []string) {
	s = d.resolve(s)
	r := rand.New(rand.NewPCG(1, 2))
	switch {
	case slices.Contains(types(s), "array"):
		items, _ := s["items"].(map[string]any)
		for _, each := range d.doubled(items) {
			bodies = append(bodies, "["+each+"]")
		}
	case slices.Contains(types(s), "object"):
		properties, _ := s["properties"].(map[string]any)
		sound := map[string]string{}
		for _, name := range sortedKeys(properties) {
			sound[name] = encoded(d.value(r, properties[name].(map[string]any)))
		}
		// with is a body of these fields, and of all others but one.
		with := func(name string, fields ...string) {
			for _, other := range sortedKeys(properties) {
				if other != name {
					fields = append(fields, `"`+other+`":`+sound[other])
				}
			}
			bodies = append(bodies, "{"+strings.Join(fields, ",")+"}")
		}
		for _, name := range sortedKeys(properties) {
			own := `"` + name + `":` + sound[name]
			with(name, own, own)
			again := `"` + escaped(name) + `":` + sound[name]
			with(name, own, again)
			with(name, again, own)
			// encoding/json takes ſ for s and the sign of Kelvin for k.
			for _, other := range []string{strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:], strings.ReplaceAll(name, "s", "ſ"), strings.ReplaceAll(name, "k", "\u212a")} {
				if other != name {
					strange := `"` + other + `":` + sound[name]
					with(name, own, strange)
					with(name, strange, own)
					with(name, strange)
				}
			}
			for _, each := range d.doubled(properties[name].(map[string]any)) {
				with(name, `"`+name+`":`+each)
			}
		}
	}
	return bodies
}

// escaped writes the first letter of a name as JSON may.
func escaped(name string) string { return fmt.Sprintf(`\u%04x`, name[0]) + name[1:] }

// What an attacker would do with the other case.
func TestAnotherCaseDoesNotPassValidation(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	for body, location := range map[string]string{
		`{"tiers":[["item-1"],["item-2"]],"n":3,"N":-5}`: "body.N",
		`{"tiers":[["item-1"]],"n":3,"n":-5}`:            "body.n",
		`{"tiers":[["item-1"]],"n":3,"\u006e":-5}`:       "body.n",
		`{"TIERS":[["item-1"]]}`:                         "body.TIERS",
	} {
		expectProblem(t, s.ask("POST", "/v1/recommend", body), 422, location)
	}
	for body, location := range map[string]string{
		`{"kind":"train","data":"ratings.csv","DATA":"../outside.txt"}`:           "body.DATA",
		`{"kind":"train","data":"ratings.csv","data":"../outside.txt"}`:           "body.data",
		`{"kind":"train","data":"ratings.csv","hidden":1,"HIDDEN":2000000000}`:    "body.HIDDEN",
		`{"kind":"train","data":"ratings.csv","epochs":1,"epochs":2000000000}`:    "body.epochs",
		`{"kind":"train","data":"ratings.csv","hidden":2000000000}`:               "body.hidden",
		`{"kind":"train","data":"ratings.csv","epochs":2000000000,"hidden":1}`:    "body.epochs",
		`{"kind":"train","data":"ratings.csv","epochs":1,"hidden":1,"Seed":1e99}`: "body.Seed",
	} {
		expectProblem(t, s.ask("POST", "/v1/jobs", body, s.key()...), 422, location)
	}
}
