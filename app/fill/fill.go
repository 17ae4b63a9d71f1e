// Package fill puts what functions return into texts. It does less than the template packages of the standard library, which find methods by
// their names at run time: a program that links those must keep every exported method of every type, an eighth of its size here.
package fill

import (
	"fmt"
	"strconv"
	"strings"
)

// Functions return what comes into a text, by their names.
type Functions map[string]func(arguments []string) (string, error)

// In returns a text in which {{name "one" "two"}} is what the function of that name returns for the arguments, as it is.
func In(text string, functions Functions) (string, error) {
	var out strings.Builder
	for {
		before, call, found := strings.Cut(text, "{{")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		call, rest, closed := strings.Cut(call, "}}")
		if !closed {
			return "", fmt.Errorf("fill: {{%.40s has no }}", call)
		}
		name, left, _ := strings.Cut(call, " ")
		function := functions[name]
		if function == nil {
			return "", fmt.Errorf("fill: {{%s}}: there is no function %q", call, name)
		}
		var arguments []string
		for left = strings.TrimSpace(left); left != ""; left = strings.TrimSpace(left) {
			quoted, err := strconv.QuotedPrefix(left)
			if err != nil {
				return "", fmt.Errorf("fill: {{%s}}: arguments stand in quotes: %w", call, err)
			}
			argument, err := strconv.Unquote(quoted)
			if err != nil {
				return "", fmt.Errorf("fill: {{%s}}: %w", call, err)
			}
			arguments, left = append(arguments, argument), left[len(quoted):]
		}
		value, err := function(arguments)
		if err != nil {
			return "", err
		}
		out.WriteString(value)
		text = rest
	}
}

// Text is a function that returns a text.
func Text(text string) func([]string) (string, error) {
	return func([]string) (string, error) { return text, nil }
}
