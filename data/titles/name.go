package titles

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// parsed is a name taken apart.
type parsed struct {
	year   int     // 0 where there is none
	main   title   // the title
	others []title // titles in brackets behind it
	full   title   // the title with what stands in brackets behind it; empty where there is nothing
}

// title is a title with its article in front.
type title struct {
	text   string
	proved bool // the first word is an article: it stood behind a comma
}

var (
	// inYears matches the content of a bracket that says when: (1999), (2011 film), (2006–2007), (TV Series 2005-).
	inYears = regexp.MustCompile(`(?i)^(?:(?:a|tv|film|movie|mini|series|short|video|anime)[ -]*)*((?:18|19|20)\d\d)(?:[ ]?[-–/][ ]?(?:\d{2,4})?)?[ ]?(?:(?:tv|film|movie|mini|series|short|video|anime)[ -]*)*$`)
	// endsInYear matches a year behind a title, without brackets.
	endsInYear = regexp.MustCompile(`^(.*\S)[ ,]+((?:18|19|20)\d\d)$`)
)

// articles of several languages. Only the English ones are dropped without further evidence: "Die Hard" is no German film.
var (
	english = []string{"the", "a", "an"}
	foreign = []string{"le", "la", "les", "l'", "l’", "un", "une", "des", "el", "los", "las", "una", "unos", "il", "lo", "i", "gli", "uno", "der", "die", "das", "den",
		"dem", "ein", "eine", "o", "os", "as", "um", "uma", "de", "het", "een", "en", "ett", "et", "det", "az"}
)

func isArticle(word string) bool {
	word = strings.ToLower(word)
	return slices.Contains(english, word) || slices.Contains(foreign, word)
}

// turned moves an article behind a comma to the front: "Matrix, The" is "The Matrix". It leaves other texts as they are.
func turned(text string) title {
	comma := strings.LastIndexByte(text, ',')
	if comma <= 0 {
		return title{text, false}
	}
	article := strings.TrimSpace(text[comma+1:])
	if !isArticle(article) {
		return title{text, false}
	}
	if !strings.HasSuffix(article, "'") && !strings.HasSuffix(article, "’") {
		article += " "
	}
	return title{article + strings.TrimSpace(text[:comma]), true}
}

// inBrackets cuts a pair of brackets off the end of a text: its content, and the text before it.
func inBrackets(text string) (before, content string, found bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return text, "", false
	}
	closing, opening := text[len(text)-1], byte('(')
	switch closing {
	case ')':
	case ']':
		opening = '['
	default:
		return text, "", false
	}
	depth := 0
	for k := len(text) - 1; k >= 0; k-- {
		switch text[k] {
		case closing:
			depth++
		case opening:
			if depth--; depth == 0 {
				return strings.TrimSpace(text[:k]), strings.TrimSpace(text[k+1 : len(text)-1]), k > 0
			}
		}
	}
	return text, "", false
}

// alsoKnown are words before another title.
var alsoKnown = []string{"a.k.a. ", "a.k.a ", "aka ", "aka. ", "a.k.a.: ", "aka: ", "also known as ", "original title: "}

// known is the length of the words in a bracket before another title.
func known(content string) int {
	for _, words := range alsoKnown {
		if len(content) > len(words) && strings.EqualFold(content[:len(words)], words) {
			return len(words)
		}
	}
	return 0
}

// yearIn returns the year that the content of a bracket says, 0 if it says something else.
func yearIn(content string) int {
	if len(content) < 4 || len(content) > 40 || !strings.ContainsAny(content, "0123456789") {
		return 0
	}
	if len(content) == 4 { // mostly, and quicker
		year, err := strconv.Atoi(content)
		if err == nil && 1800 <= year && year < 2100 {
			return year
		}
		return 0
	}
	if found := inYears.FindStringSubmatch(content); found != nil {
		year, _ := strconv.Atoi(found[1]) // four digits
		return year
	}
	return 0
}

// parse takes a name apart.
func parse(name string) parsed {
	var p parsed
	rest := strings.Join(strings.Fields(name), " ")
	for {
		before, content, found := inBrackets(rest)
		if !found || before == "" {
			break
		}
		year := yearIn(content)
		if year == 0 {
			break
		}
		rest = before
		if p.year == 0 {
			p.year = year
		}
	}
	whole := rest
	for {
		before, content, found := inBrackets(rest)
		if !found || before == "" || content == "" {
			break
		}
		if year := yearIn(content); year != 0 { // "Title (1999) (a.k.a. Other)"
			if p.year == 0 {
				p.year = year
			}
		} else {
			p.others = append(p.others, turned(content[known(content):]))
		}
		rest = before
	}
	slices.Reverse(p.others)
	p.main = turned(rest)
	if whole != rest {
		p.full.text = whole
	}
	return p
}

// Year returns the year in brackets behind a title, 0 where there is none: 1999 for "Matrix, The (1999)".
func Year(name string) int { return parse(name).year }

// Plain returns a name as people write it, with articles in front: "Matrix, The (1999)" is "The Matrix (1999)".
func Plain(name string) string {
	if !strings.Contains(name, ",") {
		return name
	}
	rest, brackets := name, ""
	for {
		before, content, found := inBrackets(rest)
		if !found || before == "" {
			break
		}
		opening, closing := rest[len(before)+strings.IndexAny(rest[len(before):], "(["):][:1], rest[len(rest)-1:]
		lead := known(content)
		brackets = " " + opening + content[:lead] + turned(content[lead:]).text + closing + brackets
		rest = before
	}
	return turned(rest).text + brackets
}
