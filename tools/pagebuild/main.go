// Pagebuild turns the page's TypeScript and style sheets into the committed build
// that app/web embeds. It needs no Node: esbuild is a Go library. Run it from the root:
//
//	go run -C tools ./pagebuild
//
// It also writes the bundle of unit tests that the browser tests load.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if err := write(filepath.Join("..", "app", "web")); err != nil {
		fmt.Fprintln(os.Stderr, "pagebuild:", err)
		os.Exit(1)
	}
}

// write builds the page and puts every file that changed into its place.
func write(web string) error {
	made, err := build(web)
	if err != nil {
		return err
	}
	for name, text := range made {
		place := filepath.Join(web, filepath.FromSlash(name))
		if old, err := os.ReadFile(place); err == nil && bytes.Equal(old, text) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(place, text, 0o644); err != nil {
			return err
		}
		fmt.Println(name, len(text))
	}
	return nil
}

// build returns the files of the page by their name below the page's folder:
// those of build/, which are embedded, and the bundle of unit tests.
func build(web string) (map[string][]byte, error) {
	source, err := filepath.Abs(filepath.Join(web, "src"))
	if err != nil {
		return nil, err
	}
	made := map[string][]byte{}
	named := []string{} // a source's name and the one it got, for the documents: inter-latin.woff2, inter-latin-7KZ2A3QX.woff2
	for _, job := range []struct {
		entry, out string
		minify     bool
	}{
		{"main.tsx", "build/app.js", true},
		{"theme.ts", "build/theme.js", true},
		{"worker.ts", "build/worker.js", true},
		{"css/page.css", "build/app.css", true},
		{"votes.tsx", "build/votes.js", true},
		{"css/votes.css", "build/votes.css", true},
		{"logic/all.test.ts", "testdata/unit/unit.js", false},
	} {
		text, carried, err := bundle(source, job.entry, job.minify)
		if err != nil {
			return nil, err
		}
		made[job.out] = text
		for name, file := range carried {
			made["build/"+name] = file
			named = append(named, name[:strings.LastIndex(name, "-")]+path.Ext(name), name)
		}
	}
	for name, from := range map[string]string{"index.html": "index.html", "votes.html": "votes.html", "icon.svg": "icon.svg", "inter-licence.txt": "fonts/LICENSE.txt"} { // carried over
		text, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(from)))
		if err != nil {
			return nil, err
		}
		made["build/"+name] = text
	}
	for _, name := range []string{"build/index.html", "build/votes.html"} {
		made[name] = []byte(strings.NewReplacer(named...).Replace(string(made[name])))
	}
	made["build/sources.sha256"], err = sourceSums(os.DirFS(source))
	return made, err
}

// bundle is one entry point with everything it imports, in one file, and beside it the fonts that it names. A font's
// name gets a hash of its bytes, so that browsers may keep it for good.
func bundle(source, entry string, minify bool) (text []byte, carried map[string][]byte, err error) {
	vendored := filepath.Join(source, "vendor", "preact")
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     source,
		EntryPoints:       []string{entry},
		Outdir:            source,
		Bundle:            true,
		Format:            api.FormatIIFE,
		Loader:            map[string]api.Loader{".woff2": api.LoaderFile},
		AssetNames:        "[name]-[hash]",
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  minify,
		MinifyIdentifiers: minify,
		MinifySyntax:      minify,
		LegalComments:     api.LegalCommentsNone,
		Alias: map[string]string{
			"preact":       filepath.Join(vendored, "index.js"),
			"preact/hooks": filepath.Join(vendored, "hooks", "index.js"),
		},
		JSXFactory:  "h",
		JSXFragment: "Fragment",
		TsconfigRaw: "{}",
	})
	if len(result.Errors) > 0 {
		lines := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return nil, nil, errors.New(strings.TrimSpace(strings.Join(lines, "")))
	}
	carried = map[string][]byte{}
	for _, file := range result.OutputFiles {
		if filepath.Ext(file.Path) == ".woff2" {
			carried[filepath.Base(file.Path)] = file.Contents
			continue
		}
		if text != nil {
			return nil, nil, fmt.Errorf("%s gave two files, want one: %s", entry, file.Path)
		}
		text = file.Contents
	}
	return text, carried, nil
}

// sourceSums lists every source file with its SHA-256, as sha256sum would, sorted
// by name. app/web's tests make the same list from the sources they find.
func sourceSums(tree fs.FS) ([]byte, error) {
	var lines []string
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(text), path.Join("src", name)))
		return nil
	})
	sort.Slice(lines, func(i, j int) bool { return lines[i][66:] < lines[j][66:] })
	return []byte(strings.Join(lines, "")), err
}
