package cells

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"fubini/model"
)

// The packages of the repository that can change a number in a table, with a digest of the code of each, comments left out, and
// what it imports. TestSources holds the file against the code.
//
//go:embed sources.json
var sourcesJSON []byte

type source struct {
	Digest  string   `json:"digest"`
	Imports []string `json:"imports,omitempty"`
}

var sources = func() (all map[string]source) {
	if err := json.Unmarshal(sourcesJSON, &all); err != nil {
		panic(err) // the file is ours
	}
	return all
}()

// madeFrom is the digest of the code that the outcome of a key comes from. A ranking comes from the package of its model, the
// judge and, if tuned, the search; any other outcome from everything that the package of its key is made of.
func madeFrom(key Key, recipe model.Recipe) string {
	c, ranked := key.(Cell)
	if !ranked {
		return digest(sources, packageOf(key))
	}
	roots := []string{"fubini/judge/evaluate", "fubini/data/ratings"}
	if own := packageOf(recipe); own != "fubini/learn/registry" {
		roots = append(roots, own)
	} else { // the recipes of our models stand there, beside a list of all others
		roots = append(roots, "fubini/learn/slots", "fubini/learn/chains")
	}
	if c.Budget > 0 || c.Protocol != "" { // the search is of all models; a whole catalogue is ranked by interest too
		roots = append(roots, "fubini/learn/tune")
	}
	return digest(sources, roots...)
}

func packageOf(value any) string {
	t := reflect.TypeOf(value)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return named(t.PkgPath())
}

// module is the path of the module that this package is in, which tools/rename may have changed.
var module = strings.TrimSuffix(reflect.TypeFor[source]().PkgPath(), "/paper/cells")

// named is how the file of sources names a package: by its path in the module fubini, whatever the module is called.
func named(path string) string {
	if rest, ours := strings.CutPrefix(path, module+"/"); ours {
		return "fubini/" + rest
	}
	return path
}

// digest is that of packages and of all that they import. A package that the file does not know, such as that of a model from
// outside, counts by its name.
func digest(sources map[string]source, roots ...string) string {
	var closure []string
	var add func(name string)
	add = func(name string) {
		if !slices.Contains(closure, name) {
			closure = append(closure, name)
			for _, each := range sources[name].Imports {
				add(each)
			}
		}
	}
	for _, name := range roots {
		add(name)
	}
	slices.Sort(closure)
	var text strings.Builder
	for _, name := range closure {
		fmt.Fprintln(&text, name, sources[name].Digest)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text.String())))[:16]
}
