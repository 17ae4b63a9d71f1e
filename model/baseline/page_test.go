package baseline_test

import (
	"os"
	"strings"
	"testing"

	"fubini/model/baseline"
)

// The pages on baselines have a section for each, which names every setting.
func TestPageNamesEverySetting(t *testing.T) {
	sections := map[string]string{}
	for _, page := range []string{"baselines", "baselines-orders", "baselines-cofirank"} {
		text, err := os.ReadFile("../../docs/" + page + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range strings.Split(string(text), "\n## ")[1:] {
			title, body, _ := strings.Cut(section, "\n")
			name, _, _ := strings.Cut(title, ":")
			sections[name] = body
		}
	}
	shared := sections["Models with factors"]
	for _, each := range baseline.All() {
		name := each.Name
		body, there := sections[name]
		if !there {
			t.Errorf("there is no section on %s", name)
			continue
		}
		for _, k := range each.New().Settings() {
			if quoted := "`" + k.Name + "`"; !strings.Contains(body, quoted) && !strings.Contains(shared, quoted) {
				t.Errorf("%s: the pages do not name %s", name, quoted)
			}
		}
	}
}
