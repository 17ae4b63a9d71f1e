// Package etag has the parts of HTTP requests and answers that are about versions: entity tags that a client has, and expects.
package etag

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"fubini/app/gate"
	"fubini/app/static"
	"fubini/app/store"
)

// Conditional is the part of a request with the entity tags of the versions that the client has.
type Conditional struct {
	IfNoneMatch string `header:"If-None-Match" maxLength:"2000" doc:"Entity tags that the client has: if one is current, the answer is 304"`
}

// Cached is the headers of an answer that a client may keep and revalidate.
type Cached struct {
	ETag         string `header:"ETag" doc:"Names this version of the answer"`
	CacheControl string `header:"Cache-Control"`
}

// Answer is a body with these headers.
type Answer[B any] struct {
	Cached
	Body B
}

// Unless answers with a body that a client may keep, and must ask about each time; or with 304 if it has it.
func Unless[B any](c Conditional, tag string, body B) (*Answer[B], error) {
	return &Answer[B]{Cached{ETag: tag, CacheControl: "private, no-cache"}, body}, c.Fresh(tag)
}

// Expected is the part of a write with the version that it replaces or removes.
type Expected struct {
	IfMatch string `header:"If-Match" maxLength:"100" pattern:"^(\\*|(W/)?\"[0-9]+\")$" patternDescription:"an ETag of ours or *" doc:"ETag of the version to be replaced or removed; * for whatever version is there"`
}

// Version reads the header, if there is one; * is [store.Present].
func (e Expected) Version() (store.Match, error) {
	if e.IfMatch == "*" {
		return store.Present, nil
	}
	if strings.HasPrefix(e.IfMatch, "W/") { // RFC 9110: such a tag never matches here
		return 0, gate.NewProblem(http.StatusPreconditionFailed, "a weak ETag does not name a version: send it without W/", &gate.Fault{Message: "weak", Location: "header.If-Match"})
	}
	plain, err := strconv.Unquote(e.IfMatch)
	version, numberErr := strconv.ParseInt(plain, 10, 64)
	if err != nil || numberErr != nil || version <= 0 {
		return 0, gate.NewProblem(http.StatusPreconditionFailed, "the ETag in If-Match is not one of ours: read the current version", &gate.Fault{Message: "unknown version", Location: "header.If-Match"})
	}
	return store.Match(version), nil
}

// Quoted is a version as an entity tag.
func Quoted(version int64) string { return strconv.Quote(strconv.FormatInt(version, 10)) }

// Fresh answers 304 if the client has the current version.
func (c Conditional) Fresh(tag string) error {
	if c.IfNoneMatch == "" || !static.Matches(c.IfNoneMatch, tag) {
		return nil
	}
	headers := http.Header{"Etag": {tag}, "Cache-Control": {"private, no-cache"}}
	return huma.ErrorWithHeaders(huma.Status304NotModified(), headers)
}
