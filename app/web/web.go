// Package web is the page: TypeScript in src, its committed build in build, and nothing else. docs/page.md says how
// it is built, tested and changed. The build is made by `go run -C tools ./pagebuild`, which needs no Node.
//
// The page is a handful of files. It talks to the server only through its HTTP API
// and works under a Content-Security-Policy that allows nothing but its own origin.
package web

import (
	"embed"
	"io/fs"
)

//go:embed build
var build embed.FS

// Files returns the files of the page; index.html is the first one to send, or votes.html where the model is a fit to votes.
func Files() fs.FS {
	files, err := fs.Sub(build, "build")
	if err != nil {
		panic(err) // the name above is the one embedded
	}
	return files
}
