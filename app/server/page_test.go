package server

import (
	"strings"
	"testing"
)

// The name of a model is text in the short page.
func TestShortPageEscapes(t *testing.T) {
	if page := string(shortPage(`<b>&"`)); !strings.Contains(page, "A model &lt;b&gt;&amp;&#34; is served here.") {
		t.Error(page)
	}
}
