package text

import (
	"bytes"
	"encoding/json"
	"strings"
)

// JSON is what is left of a line of JSON. Its methods skip spaces and take what comes next, without a copy.
type JSON struct{ Rest []byte }

func (p *JSON) spaces() {
	for len(p.Rest) > 0 && (p.Rest[0] == ' ' || p.Rest[0] == '\t') {
		p.Rest = p.Rest[1:]
	}
}

// Take takes a byte, if it comes next.
func (p *JSON) Take(c byte) bool {
	p.spaces()
	if len(p.Rest) == 0 || p.Rest[0] != c {
		return false
	}
	p.Rest = p.Rest[1:]
	return true
}

// AtEnd reports whether nothing is left.
func (p *JSON) AtEnd() bool {
	p.spaces()
	return len(p.Rest) == 0
}

// PlainString takes a string without escapes.
func (p *JSON) PlainString() ([]byte, bool) {
	p.spaces()
	if len(p.Rest) == 0 || p.Rest[0] != '"' {
		return nil, false
	}
	for k, c := range p.Rest[1:] {
		if c == '"' {
			s := p.Rest[1 : 1+k]
			p.Rest = p.Rest[k+2:]
			return s, true
		}
		if c == '\\' || c < ' ' {
			break
		}
	}
	return nil, false
}

// Number takes a number in the grammar of JSON.
func (p *JSON) Number() ([]byte, bool) {
	p.spaces()
	k := 0
	for k < len(p.Rest) && '0' <= p.Rest[k] && p.Rest[k] <= '9' {
		k++
	}
	whole := k > 0 && (p.Rest[0] != '0' || k == 1)
	if k < len(p.Rest) && strings.IndexByte("+-.eE", p.Rest[k]) >= 0 {
		k += len(p.Rest[k:]) - len(bytes.TrimLeft(p.Rest[k:], "+-.eE0123456789"))
		whole = false
	}
	number := p.Rest[:k]
	p.Rest = p.Rest[k:]
	return number, whole || json.Valid(number)
}
