package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func deployed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// accepted says that a command line and variables are such as the program takes.
func accepted(t *testing.T, where string, args []string, variables []string) {
	t.Helper()
	root := newRoot(&program{})
	cmd, rest, err := root.Find(args)
	if err != nil || cmd.Name() != "serve" {
		t.Fatalf("%s: %v is no command: %v", where, args, err)
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("%s: %v", where, err)
	}
	if err := cmd.Args(cmd, cmd.Flags().Args()); err != nil {
		t.Errorf("%s: %v", where, err)
	}
	twins := twinsOf(cmd)
	for _, name := range variables {
		if strings.HasPrefix(name, "FUBINI_") && twins[name] == nil {
			t.Errorf("%s: no flag is set by %s", where, name)
		}
	}
}

func TestComposeFile(t *testing.T) {
	type service struct {
		Image, User string
		Build       struct{ Context, Dockerfile string }
		Command     []string
		Environment map[string]string
		Ports       []string
		Volumes     []string
		ReadOnly    bool     `yaml:"read_only"`
		CapDrop     []string `yaml:"cap_drop"`
		MemLimit    string   `yaml:"mem_limit"`
		Profiles    []string
	}
	var file struct {
		Services map[string]service
		Volumes  map[string]any
	}
	if err := yaml.Unmarshal([]byte(deployed(t, "compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	ours := file.Services["fubini"]
	var variables []string
	for name := range ours.Environment {
		variables = append(variables, name)
	}
	accepted(t, "compose.yaml", ours.Command, variables)
	if _, err := os.Stat(filepath.Join("../../deploy", ours.Build.Context, ours.Build.Dockerfile)); err != nil {
		t.Error(err)
	}
	if !ours.ReadOnly || !slices.Equal(ours.CapDrop, []string{"ALL"}) || ours.MemLimit == "" {
		t.Errorf("not as hard as it should be: %+v", ours)
	}
	for _, port := range ours.Ports {
		if !strings.HasPrefix(port, "127.0.0.1:") {
			t.Errorf("port %s is open to the world", port)
		}
	}
	if p := file.Services["postgres"]; !slices.Equal(p.Profiles, []string{"postgres"}) {
		t.Errorf("PostgreSQL is no option but always there: %+v", p)
	}
	for name, s := range file.Services {
		for _, volume := range s.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if _, known := file.Volumes[source]; !known && !strings.HasPrefix(source, ".") {
				t.Errorf("%s: volume %s is not declared", name, source)
			}
		}
	}
}

func TestDockerfile(t *testing.T) {
	stages, last, user, lines := 0, "", "", map[string]string{}
	for line := range strings.Lines(deployed(t, "Dockerfile")) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "FROM":
			stages, last, user = stages+1, rest, ""
		case "USER":
			user = rest
		}
		lines[word] = rest
	}
	if stages != 2 || last != "scratch" || user == "" || strings.HasPrefix(user, "0") || strings.HasPrefix(user, "root") {
		t.Errorf("%d stages, the last from %q as user %q", stages, last, user)
	}
	var args []string
	if err := json.Unmarshal([]byte(lines["CMD"]), &args); err != nil {
		t.Fatal(err)
	}
	var variables []string
	for each := range strings.FieldsSeq(lines["ENV"]) {
		name, _, _ := strings.Cut(each, "=")
		variables = append(variables, name)
	}
	accepted(t, "Dockerfile", args, variables)
	_, health, found := strings.Cut(lines["HEALTHCHECK"], "CMD ") // by the program itself: there is no other in the image
	var check []string
	if err := json.Unmarshal([]byte(health), &check); err != nil || !found || len(check) < 3 || check[0] != "/fubini" || check[2] != "--check" {
		t.Fatalf("HEALTHCHECK %s: %v", lines["HEALTHCHECK"], err)
	}
	accepted(t, "HEALTHCHECK", check[1:], nil)
	if at := slices.Index(args, "--addr"); at < 0 || check[slices.Index(check, "--addr")+1] != args[at+1] {
		t.Errorf("served by %v, checked by %v: want the same address", args, check)
	}
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(module)) {
		if version, found := strings.CutPrefix(strings.TrimSpace(line), "go "); found && !strings.Contains(deployed(t, "Dockerfile"), "FROM golang:"+strings.TrimSuffix(version, ".0")+" ") {
			t.Errorf("the module needs Go %s, the image has another", version)
		}
	}
}

func TestSystemdUnit(t *testing.T) {
	section, keys := "", map[string]string{}
	for line := range strings.Lines(deployed(t, "fubini.service")) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			section = line
		default:
			key, value, found := strings.Cut(line, "=")
			if !found {
				t.Errorf("%q is no setting", line)
			}
			keys[section+key] = value
		}
	}
	for key, want := range map[string]string{
		"DynamicUser": "yes", "NoNewPrivileges": "yes", "ProtectSystem": "strict", "PrivateDevices": "yes", "CapabilityBoundingSet": "", "MemoryDenyWriteExecute": "yes", "ExecReload": "/bin/kill -HUP $MAINPID",
	} {
		if got, there := keys["[Service]"+key]; !there || got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	args := strings.Fields(keys["[Service]ExecStart"])
	name, _, _ := strings.Cut(keys["[Service]Environment"], "=")
	accepted(t, "fubini.service", args[1:], []string{name, "FUBINI_ADDR", "FUBINI_DB"})
}

// The page for whoever runs the server lists every variable.
func TestVariablesAreListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	root := newRoot(&program{})
	serve, _, err := root.Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(twinsOf(serve)); got != len(twins) {
		t.Errorf("%d of %d variables are for flags of serve", got, len(twins))
	}
	for _, twin := range twins {
		if !strings.Contains(string(page), "`"+twin.variable+"`") {
			t.Errorf("docs/operations.md does not list %s", twin.variable)
		}
	}
}
