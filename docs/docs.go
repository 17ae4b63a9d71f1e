// Package docs holds the documents of this folder, for the server, which shows them at /docs/.
package docs

import "embed"

// Files are the documents and their pictures, without those of the page, which only the README of the repository shows.
//
//go:embed *.md howto/*.md reference/*.md decisions/*.md pictures/*.svg pictures/people.png pictures/votes.png
var Files embed.FS
