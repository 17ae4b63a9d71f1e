package fill

import (
	"strings"
	"testing"
)

func TestIn(t *testing.T) {
	functions := Functions{
		"title": Text("{{a}} & b"),
		"joined": func(arguments []string) (string, error) {
			return strings.Join(arguments, "+"), nil
		},
	}
	for text, want := range map[string]string{
		"":                     "",
		"no call":              "no call",
		"<{{title}}>{{title}}": "<{{a}} & b>{{a}} & b",
		`{{joined}}|{{joined "x"}}|{{joined "x"  "y \" z" }}`: `|x|x+y " z`,
	} {
		if got, err := In(text, functions); err != nil || got != want {
			t.Errorf("%q is %q, %v, want %q", text, got, err, want)
		}
	}
	for _, wrong := range []string{"{{title", "{{none}}", "{{joined x}}", `{{joined "x}}`, "{{}}"} {
		if got, err := In(wrong, functions); err == nil {
			t.Errorf("%q is %q, want an error", wrong, got)
		}
	}
}
