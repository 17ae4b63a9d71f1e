package server

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Conditional is the part of a request that says what the client has already.
type Conditional struct {
	IfNoneMatch string `header:"If-None-Match" maxLength:"2000" doc:"Entity tags that the client has: if one is current, the answer is 304"`
}

// Cached is the part of an answer that lets the client ask again cheaply.
type Cached struct {
	ETag         string `header:"ETag" doc:"Names this version of the answer"`
	CacheControl string `header:"Cache-Control"`
}

// cached is for answers that a client may keep, and must ask about each time.
func cached(tag string) Cached { return Cached{ETag: tag, CacheControl: "private, no-cache"} }

// fresh answers 304 if the client has the current version.
func (c Conditional) fresh(tag string) error {
	if c.IfNoneMatch == "" || !matches(c.IfNoneMatch, tag) {
		return nil
	}
	headers := http.Header{"Etag": {tag}, "Cache-Control": {"private, no-cache"}}
	return huma.ErrorWithHeaders(huma.Status304NotModified(), headers)
}

// matches compares an entity tag with a header's list, without regard to whether
// they are weak.
func matches(header, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for each := range strings.SplitSeq(header, ",") {
		each = strings.TrimSpace(each)
		if each == "*" || strings.TrimPrefix(each, "W/") == tag {
			return true
		}
	}
	return false
}
