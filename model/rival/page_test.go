package rival_test

import (
	"os"
	"strings"
	"testing"

	"fubini/model/rival"
)

// The page on rivals has a section for each, which names every setting.
func TestPageNamesEverySetting(t *testing.T) {
	text, err := os.ReadFile("../../docs/rivals.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		name, _, _ := strings.Cut(title, ":")
		sections[name] = body
	}
	shared := sections["Models with factors"]
	for _, name := range rival.Names() {
		body, there := sections[name]
		if !there {
			t.Errorf("there is no section on %s", name)
			continue
		}
		recipe, err := rival.New(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range recipe.Settings() {
			if quoted := "`" + k.Name + "`"; !strings.Contains(body, quoted) && !strings.Contains(shared, quoted) {
				t.Errorf("%s: the page does not name %s", name, quoted)
			}
		}
	}
}
