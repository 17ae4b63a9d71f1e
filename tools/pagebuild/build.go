package main

import (
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

// build returns the files of the page by their name below the page's folder:
// those of build/, which are embedded, and the bundle of unit tests.
func build(web string) (map[string][]byte, error) {
	source, err := filepath.Abs(filepath.Join(web, "src"))
	if err != nil {
		return nil, err
	}
	made := map[string][]byte{}
	named := []string{} // a source's name and the one it got, for index.html
	for _, job := range []struct {
		entry, out string
		minify     bool
	}{
		{"main.tsx", "build/app.js", true},
		{"theme.ts", "build/theme.js", true},
		{"css/page.css", "build/app.css", true},
		{"logic/all.test.ts", "testdata/unit/unit.js", false},
	} {
		text, carried, err := bundle(source, job.entry, job.minify)
		if err != nil {
			return nil, err
		}
		made[job.out] = text
		for name, file := range carried {
			made["build/"+name] = file
			named = append(named, withoutHash(name), name)
		}
	}
	for name, from := range map[string]string{"index.html": "index.html", "icon.svg": "icon.svg", "inter-licence.txt": "fonts/LICENSE.txt"} { // carried over
		text, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(from)))
		if err != nil {
			return nil, err
		}
		made["build/"+name] = text
	}
	html := strings.NewReplacer(named...).Replace(string(made["build/index.html"]))
	made["build/index.html"] = []byte(html)
	sums, err := sourceSums(os.DirFS(source))
	if err != nil {
		return nil, err
	}
	made["build/sources.sha256"] = sums
	return made, nil
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

// withoutHash is the name that a carried file has among the sources: inter-latin.woff2 of inter-latin-7KZ2A3QX.woff2.
func withoutHash(name string) string {
	return name[:strings.LastIndex(name, "-")] + path.Ext(name)
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
