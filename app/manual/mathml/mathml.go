// Package mathml turns the TeX of the documents into MathML, which browsers draw by themselves: no script, no pictures, no font.
// It knows what the documents use. A word that it does not know is an error, so that a page never shows a formula by halves.
package mathml

import (
	"fmt"
	"html"
	"strings"
	"unicode"
)

// Convert is the MathML of a formula, as a block of its own or within a line.
func Convert(tex string, block bool) (string, error) {
	p := &parser{rest: []rune(strings.TrimSpace(tex)), block: block}
	body, err := p.row("")
	if err != nil {
		return "", fmt.Errorf("%w in %q", err, tex)
	}
	display := ""
	if block {
		display = ` display="block"`
	}
	return "<math" + display + ">" + body + "</math>", nil
}

// A parser reads a formula from left to right.
type parser struct {
	rest  []rune
	block bool
}

// row reads up to end (a closing brace, "\right", or the end of the formula for "") and is one <mrow>.
func (p *parser) row(end string) (string, error) {
	var row strings.Builder
	for {
		p.space()
		if len(p.rest) == 0 {
			if end != "" {
				return "", fmt.Errorf("no %s", end)
			}
			return "<mrow>" + row.String() + "</mrow>", nil
		}
		if end != "" && p.take(end) {
			return "<mrow>" + row.String() + "</mrow>", nil
		}
		element, err := p.scripted()
		if err != nil {
			return "", err
		}
		row.WriteString(element)
	}
}

// scripted reads an element with what stands below and above it.
func (p *parser) scripted() (string, error) {
	base, limits, err := p.element()
	if err != nil {
		return "", err
	}
	below, above := "", ""
	for {
		p.space()
		var target *string
		switch {
		case p.take("_"):
			target = &below
		case p.take("^"):
			target = &above
		case p.primes(&above):
			continue
		default:
			return withScripts(base, below, above, limits && p.block), nil
		}
		if *target != "" {
			return "", fmt.Errorf("two scripts at one place")
		}
		if *target, err = p.argument(); err != nil {
			return "", err
		}
	}
}

// primes reads the primes of f”.
func (p *parser) primes(above *string) bool {
	count := 0
	for p.take("'") {
		count++
	}
	if count > 0 {
		*above = "<mo>" + strings.Repeat("′", count) + "</mo>" + *above
	}
	return count > 0
}

func withScripts(base, below, above string, limits bool) string {
	sub, sup, both := "msub", "msup", "msubsup"
	if limits {
		sub, sup, both = "munder", "mover", "munderover"
	}
	switch {
	case below != "" && above != "":
		return "<" + both + ">" + base + below + above + "</" + both + ">"
	case below != "":
		return "<" + sub + ">" + base + below + "</" + sub + ">"
	case above != "":
		return "<" + sup + ">" + base + above + "</" + sup + ">"
	}
	return base
}

// argument reads what a command or a script is about: a group, or one element.
func (p *parser) argument() (string, error) {
	p.space()
	if p.take("{") {
		return p.row("}")
	}
	if len(p.rest) > 0 && unicode.IsDigit(p.rest[0]) { // \frac12 is a half
		digit := string(p.rest[0])
		p.rest = p.rest[1:]
		return "<mn>" + digit + "</mn>", nil
	}
	element, _, err := p.element()
	return element, err
}

// element reads a number, a letter, a sign, a group or a command; limits says that scripts of a block stand below and above it.
func (p *parser) element() (element string, limits bool, err error) {
	p.space()
	if len(p.rest) == 0 {
		return "", false, fmt.Errorf("the formula ends too early")
	}
	first := p.rest[0]
	switch {
	case first == '\\':
		return p.command()
	case first == '{':
		p.rest = p.rest[1:]
		element, err = p.row("}")
		return element, false, err
	case unicode.IsDigit(first):
		return "<mn>" + p.number() + "</mn>", false, nil
	case unicode.IsLetter(first):
		p.rest = p.rest[1:]
		return "<mi>" + string(first) + "</mi>", false, nil
	case strings.ContainsRune("+=<>()[]|/,.;:!*", first):
		p.rest = p.rest[1:]
		return sign(string(first)), false, nil
	case first == '-':
		p.rest = p.rest[1:]
		return sign("−"), false, nil
	}
	return "", false, fmt.Errorf("a %q that is not known", string(first))
}

// sign is an operator. Delimiters keep their size: TeX's authors say \big where they want another.
func sign(text string) string {
	if strings.Contains("()[]|{}", text) {
		return `<mo stretchy="false">` + text + "</mo>"
	}
	return "<mo>" + html.EscapeString(text) + "</mo>"
}

func (p *parser) number() string {
	i := 0
	for i < len(p.rest) && (unicode.IsDigit(p.rest[i]) || p.rest[i] == '.' && i+1 < len(p.rest) && unicode.IsDigit(p.rest[i+1])) {
		i++
	}
	text := string(p.rest[:i])
	p.rest = p.rest[i:]
	return text
}

func (p *parser) space() {
	for len(p.rest) > 0 && (unicode.IsSpace(p.rest[0]) || p.rest[0] == '~' || p.rest[0] == '&') {
		p.rest = p.rest[1:]
	}
}

// take reads a text if it is next.
func (p *parser) take(text string) bool {
	if !strings.HasPrefix(string(p.rest[:min(len(p.rest), len(text))]), text) {
		return false
	}
	p.rest = p.rest[len([]rune(text)):]
	return true
}
