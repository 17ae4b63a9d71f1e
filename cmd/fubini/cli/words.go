package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// HelpWidth is the width of help pages: the smallest terminal in common use.
const HelpWidth = 80

// Folded breaks a text at its spaces into lines that end before [HelpWidth], the first of which begins at a column too; the
// others are indented to it.
func Folded(text string, column int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimLeft(line+" "+word, " ")
		if line != "" && column+utf8.RuneCountInString(longer) > HelpWidth {
			lines, longer = append(lines, line), word
		}
		line = longer
	}
	return strings.Join(append(lines, line), "\n"+strings.Repeat(" ", column))
}

// Quote returns a text of the user in quotation marks, cut to 40 characters; an address with a password ends early.
func Quote(text string) string {
	const most = 40
	if scheme, rest, found := strings.Cut(text, "://"); found && strings.ContainsAny(rest, "@?") {
		text = scheme + "://…"
	}
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most-1]) + "…"
	}
	return fmt.Sprintf("%q", text)
}

// Nearest returns the name that begins with a word, or is at most two edits away from it; empty if there is none.
func Nearest(word string, names []string) string {
	const least = 2 // letters: fewer are near to everything
	group := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, name := range names {
		group.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	if found := group.SuggestionsFor(word); len(word) >= least && len(found) > 0 {
		return found[0]
	}
	return ""
}

// Shorten lists the first three of some ids, and the number of the others.
func Shorten(ids []string) string {
	const most = 3
	if len(ids) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
	}
	return strings.Join(ids, ", ")
}
