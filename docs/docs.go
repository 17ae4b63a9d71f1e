// Package docs holds the documents of this folder, for the server, which shows them at /docs/.
package docs

import "embed"

// Files are the documents and their pictures.
//
//go:embed *.md howto/*.md reference/*.md decisions/*.md pictures
var Files embed.FS
