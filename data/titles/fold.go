package titles

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters are those that decomposition leaves whole.
var letters = map[rune]string{
	'ß': "ss", 'ø': "o", 'ł': "l", 'æ': "ae", 'œ': "oe", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i", '&': " and ", '+': " and ",
	'\'': "", '’': "", '‘': "", 'ʼ': "", '`': "", '´': "", '\u00ad': "", '\u200b': "",
}

// fold returns the words of a text in lower case without accents and punctuation, with one space between words. A text
// of punctuation alone is returned in lower case.
func fold(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 4)
	gap := false // a space is due before the next letter
	add := func(r rune) {
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	if !ascii(text) {
		text = norm.NFKD.String(text)
	}
	for _, r := range text {
		switch { // most are of these
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			add(r)
			continue
		case 'A' <= r && r <= 'Z':
			add(r + 'a' - 'A')
			continue
		case r == ' ':
			gap = true
			continue
		}
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		r = unicode.ToLower(r)
		switch other, there := letters[r]; {
		case there && other == " and ":
			gap = true
			add('a')
			b.WriteString("nd")
			gap = true
		case there:
			for _, r := range other {
				add(r)
			}
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Mc, r):
			add(r)
		default:
			gap = true
		}
	}
	if b.Len() == 0 {
		return strings.ToLower(strings.TrimSpace(text))
	}
	return b.String()
}

func ascii(text string) bool {
	for k := range len(text) {
		if text[k] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// squash takes the spaces out, so that "Spider-Man" and "Spiderman" are one.
func squash(folded string) string { return strings.ReplaceAll(folded, " ", "") }

// Fold returns the words of a text in lower case without accents and punctuation.
func Fold(text string) string { return fold(text) }
