package program

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestLicencesAreComplete compares the modules of the program's build with those that the notices name. It stands here
// and not beside the command that makes them, because go runs a test again only for changes of files in its own module.
func TestLicencesAreComplete(t *testing.T) {
	for _, name := range []string{"../../../go.mod", "../../../go.sum"} { // read, so that a change of them runs the test again
		if _, err := os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	var built []string
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".")
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if line = strings.TrimSpace(line); line != "" && !slices.Contains(built, line) {
				built = append(built, line)
			}
		}
	}
	list, _, found := strings.Cut(licences, "\n---")
	if !found || len(built) < 10 {
		t.Fatalf("%d modules, and the list ends: %v", len(built), found)
	}
	var named []string
	for line := range strings.Lines(list) {
		if part, licence, found := strings.Cut(strings.TrimSpace(line), ": "); found && licence != "" && strings.Contains(part, "/") && strings.Contains(part, " v") {
			named = append(named, part)
		}
	}
	slices.Sort(built)
	slices.Sort(named)
	if !slices.Equal(built, named) {
		t.Errorf("the program is built from\n%s\nand licences.txt names\n%s\n(cd tools && go run ./licences writes it anew)", strings.Join(built, "\n"), strings.Join(named, "\n"))
	}
	for _, want := range []string{"github.com/golang/freetype is offered", "used\nunder the FreeType License", "github.com/ajstarks/svgo is by Anthony Starks", "Go, its standard library and runtime: BSD-3-Clause"} {
		if !strings.Contains(list, want) {
			t.Errorf("the notices do not say %q", want)
		}
	}
}
