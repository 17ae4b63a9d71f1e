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
	for _, job := range []struct {
		entry, out string
		minify     bool
	}{
		{"main.tsx", "build/app.js", true},
		{"theme.ts", "build/theme.js", true},
		{"css/page.css", "build/app.css", true},
		{"logic/all.test.ts", "testdata/unit/unit.js", false},
	} {
		text, err := bundle(source, job.entry, job.minify)
		if err != nil {
			return nil, err
		}
		made[job.out] = text
	}
	for _, name := range []string{"index.html", "icon.svg"} { // carried over as they are
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return nil, err
		}
		made["build/"+name] = text
	}
	sums, err := sourceSums(os.DirFS(source))
	if err != nil {
		return nil, err
	}
	made["build/sources.sha256"] = sums
	return made, nil
}

// bundle is one entry point with everything it imports, in one file.
func bundle(source, entry string, minify bool) ([]byte, error) {
	vendored := filepath.Join(source, "vendor", "preact")
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     source,
		EntryPoints:       []string{entry},
		Outdir:            source,
		Bundle:            true,
		Format:            api.FormatIIFE,
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
		return nil, errors.New(strings.TrimSpace(strings.Join(lines, "")))
	}
	if len(result.OutputFiles) != 1 {
		return nil, fmt.Errorf("%s gave %d files, want one", entry, len(result.OutputFiles))
	}
	return result.OutputFiles[0].Contents, nil
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
