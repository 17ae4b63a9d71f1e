package mathml

import (
	"fmt"
	"html"
	"strings"
	"unicode"
)

// command reads a command with its arguments.
func (p *parser) command() (element string, limits bool, err error) {
	name := p.name()
	switch name {
	case "frac", "tfrac", "dfrac", "binom", "tbinom":
		return p.fraction(name)
	case "sqrt":
		inner, err := p.argument()
		return "<msqrt>" + inner + "</msqrt>", false, err
	case "hat", "bar", "tilde", "overline":
		inner, err := p.argument()
		return `<mover accent="true">` + inner + "<mo>" + accents[name] + "</mo></mover>", false, err
	case "text", "mathrm", "mathbf", "mathsf", "operatorname":
		return p.words(name)
	case "left":
		return p.pair()
	case "big", "Big", "bigl", "bigr", "Bigl", "Bigr":
		delimiter, err := p.delimiter()
		size := map[byte]string{'b': "1.2em", 'B': "1.8em"}[name[0]]
		return fmt.Sprintf(`<mo stretchy="true" symmetric="true" minsize="%[1]s" maxsize="%[1]s">%[2]s</mo>`, size, html.EscapeString(delimiter)), false, err
	}
	if width, known := spaces[name]; known {
		return `<mspace width="` + width + `"/>`, false, nil
	}
	if text, known := large[name]; known {
		return "<mo>" + text + "</mo>", name != "int", nil
	}
	if text, known := letters[name]; known {
		return "<mi>" + text + "</mi>", false, nil
	}
	if text, known := signs[name]; known {
		return sign(text), false, nil
	}
	if functions[name] {
		p.space()
		if len(p.rest) > 0 && strings.ContainsRune("_^(", p.rest[0]) {
			return "<mi>" + name + "</mi>", name == "max" || name == "min", nil
		}
		return "<mi>" + name + `</mi><mspace width="0.17em"/>`, false, nil
	}
	return "", false, fmt.Errorf(`a \%s that is not known`, name)
}

// name reads the backslash and what follows: letters, or one other character.
func (p *parser) name() string {
	i := 1
	for i < len(p.rest) && unicode.IsLetter(p.rest[i]) {
		i++
	}
	i = min(max(i, 2), len(p.rest))
	text := string(p.rest[1:i])
	p.rest = p.rest[i:]
	return text
}

func (p *parser) fraction(name string) (string, bool, error) {
	upper, err := p.argument()
	if err != nil {
		return "", false, err
	}
	lower, err := p.argument()
	if err != nil {
		return "", false, err
	}
	style, line := "", ""
	if name[0] == 't' {
		style = ` displaystyle="false"`
	}
	if strings.HasSuffix(name, "binom") {
		line = ` linethickness="0"`
	}
	element := "<mfrac" + style + line + ">" + upper + lower + "</mfrac>"
	if line != "" {
		element = "<mrow><mo>(</mo>" + element + "<mo>)</mo></mrow>"
	}
	return element, false, nil
}

// words reads a group that is text rather than a formula.
func (p *parser) words(name string) (string, bool, error) {
	p.space()
	if !p.take("{") {
		element, err := p.argument() // \mathbf x
		return element, false, err
	}
	depth, i := 1, 0
	for ; i < len(p.rest); i++ {
		if p.rest[i] == '{' {
			depth++
		} else if p.rest[i] == '}' {
			if depth--; depth == 0 {
				break
			}
		}
	}
	if depth > 0 {
		return "", false, fmt.Errorf(`no } after \%s{`, name)
	}
	inner := string(p.rest[:i])
	p.rest = p.rest[i+1:]
	switch {
	case name == "text":
		return "<mtext>" + html.EscapeString(strings.ReplaceAll(strings.ReplaceAll(inner, `\_`, "_"), " ", " ")) + "</mtext>", false, nil
	case name == "mathbf" && !strings.Contains(inner, `\`):
		return "<mi>" + strings.Map(bold, inner) + "</mi>", false, nil
	case strings.Contains(inner, `\`):
		element, err := (&parser{rest: []rune(inner)}).row("")
		return element, false, err
	}
	return `<mi mathvariant="normal">` + html.EscapeString(inner) + "</mi>", false, nil
}

// bold is the bold form of a letter or digit.
func bold(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r - 'A' + '𝐀'
	case r >= 'a' && r <= 'z':
		return r - 'a' + '𝐚'
	case r >= '0' && r <= '9':
		return r - '0' + '𝟎'
	}
	return r
}

// pair reads \left( ... \right): delimiters as high as what they hold.
func (p *parser) pair() (string, bool, error) {
	left, err := p.delimiter()
	if err != nil {
		return "", false, err
	}
	inner, err := p.row(`\right`)
	if err != nil {
		return "", false, err
	}
	right, err := p.delimiter()
	return "<mrow><mo>" + html.EscapeString(left) + "</mo>" + inner + "<mo>" + html.EscapeString(right) + "</mo></mrow>", false, err
}

func (p *parser) delimiter() (string, error) {
	p.space()
	if len(p.rest) == 0 {
		return "", fmt.Errorf("no delimiter")
	}
	if p.rest[0] == '\\' {
		name := p.name()
		text, known := signs[name]
		if !known {
			return "", fmt.Errorf(`\%s as delimiter`, name)
		}
		return text, nil
	}
	text := string(p.rest[0])
	p.rest = p.rest[1:]
	if text == "." {
		return "", nil
	}
	return text, nil
}

var (
	accents   = map[string]string{"hat": "^", "bar": "¯", "tilde": "~", "overline": "¯"}
	spaces    = map[string]string{",": "0.17em", ";": "0.28em", "!": "-0.17em", "quad": "1em", "qquad": "2em", " ": "0.25em", "\\": "1em"}
	large     = map[string]string{"sum": "∑", "prod": "∏", "int": "∫"}
	functions = map[string]bool{"log": true, "ln": true, "exp": true, "max": true, "min": true, "tanh": true, "cosh": true, "sinh": true, "lim": true}
	letters   = map[string]string{
		"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "zeta": "ζ", "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ",
		"lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "ϕ", "varphi": "φ", "psi": "ψ", "chi": "χ", "omega": "ω",
		"Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
		"ell": "ℓ", "infty": "∞", "emptyset": "∅", "partial": "∂", "nabla": "∇",
	}
	signs = map[string]string{
		"ge": "≥", "le": "≤", "ne": "≠", "in": "∈", "ni": "∋", "sim": "∼", "succ": "≻", "prec": "≺", "preceq": "⪯", "succeq": "⪰", "approx": "≈", "propto": "∝",
		"to": "→", "leftarrow": "←", "Longrightarrow": "⟹", "cdot": "⋅", "cdots": "⋯", "dots": "…", "ldots": "…", "ast": "∗", "times": "×", "pm": "±", "mp": "∓",
		"cup": "∪", "cap": "∩", "setminus": "∖", "subset": "⊂", "mid": "∣", "equiv": "≡", "circ": "∘", "star": "⋆",
		"lbrace": "{", "rbrace": "}", "{": "{", "}": "}", "lvert": "|", "rvert": "|", "lVert": "‖", "rVert": "‖", "#": "#", "_": "_", "%": "%", "*": "*",
	}
)
