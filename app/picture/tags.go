package picture

import (
	"fmt"
	"html"
	"strings"
)

// Tags are the meta elements by which other sites show a link to a list: its title, a description, its address and that of its
// picture, which is one of [List]. Addresses are absolute, as those who read them ask.
func Tags(title, description, address, image string) string {
	var b strings.Builder
	for _, each := range [][2]string{
		{"og:title", title}, {"og:description", description}, {"og:type", "website"}, {"og:url", address},
		{"og:image", image}, {"og:image:width", "1200"}, {"og:image:height", "630"}, {"twitter:card", "summary_large_image"},
	} {
		fmt.Fprintf(&b, "  <meta property=%q content=\"%s\">\n  ", each[0], html.EscapeString(each[1]))
	}
	return b.String()
}
