package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.yaml.in/yaml/v3"

	"fubini/cmd/fubini/cli"
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
	root := cli.NewRoot(cli.NewProgram(io.Discard), commands)
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
	twins := cli.TwinsOf(cmd)
	for _, name := range variables {
		if strings.HasPrefix(name, "FUBINI_") && twins[name] == nil {
			t.Errorf("%s: no flag is set by %s", where, name)
		}
	}
}

// composed is a compose file, as far as it is looked at.
type composed struct {
	Services map[string]struct {
		Image string
		Build struct {
			Context, Dockerfile string
			Args                map[string]string
		}
		Command     []string
		Environment map[string]string
		Secrets     []string
		Ports       []string
		Volumes     []string
		ReadOnly    bool     `yaml:"read_only"`
		CapDrop     []string `yaml:"cap_drop"`
		MemLimit    string   `yaml:"mem_limit"`
	}
	Volumes map[string]any
	Secrets map[string]struct{ File string }
}

func compose(t *testing.T, name string) composed {
	t.Helper()
	var file composed
	if err := yaml.Unmarshal([]byte(deployed(t, name)), &file); err != nil {
		t.Fatal(err)
	}
	for name, s := range file.Services {
		for _, volume := range s.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if _, known := file.Volumes[source]; !known && !strings.HasPrefix(source, ".") {
				t.Errorf("%s: volume %s is not declared", name, source)
			}
		}
		for _, secret := range s.Secrets {
			if file.Secrets[secret].File == "" {
				t.Errorf("%s: secret %s is no file", name, secret)
			}
		}
		for key, value := range s.Environment {
			if strings.Contains(key, "PASSWORD") && !strings.HasPrefix(value, "/run/secrets/") {
				t.Errorf("%s: %s=%s: want the file of a secret", name, key, value)
			}
		}
	}
	return file
}

func TestComposeFile(t *testing.T) {
	file := compose(t, "compose.yaml")
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
	if version := "${VERSION:-devel}"; ours.Image != "fubini:"+version || ours.Build.Args["VERSION"] != version {
		t.Errorf("the image is called %s and built as %v: want one version", ours.Image, ours.Build.Args)
	}
	for _, port := range ours.Ports {
		if !strings.HasPrefix(port, "127.0.0.1:") {
			t.Errorf("port %s is open to the world", port)
		}
	}
	if len(file.Services) != 1 {
		t.Errorf("%d services: the rest is for other files", len(file.Services))
	}
}

// TestComposePostgres reads the address of the store as the program does, with a password in the file that it names.
func TestComposePostgres(t *testing.T) {
	file := compose(t, "compose.postgres.yaml")
	postgres, ours := file.Services["postgres"], file.Services["fubini"]
	if text := deployed(t, "compose.postgres.yaml"); strings.Contains(text, "trust") {
		t.Error("somebody is trusted without a password")
	}
	if postgres.Environment["POSTGRES_HOST_AUTH_METHOD"] != "scram-sha-256" || postgres.Environment["POSTGRES_INITDB_ARGS"] != "--auth=scram-sha-256" || postgres.Environment["POSTGRES_PASSWORD_FILE"] != "/run/secrets/password" {
		t.Errorf("passwords are not asked for: %v", postgres.Environment)
	}
	if !slices.Equal(postgres.Secrets, []string{"password"}) || !slices.Equal(ours.Secrets, []string{"pgpass"}) {
		t.Errorf("secrets of PostgreSQL %v, of fubini %v", postgres.Secrets, ours.Secrets)
	}
	kept := filepath.Join(t.TempDir(), "pgpass")
	if err := os.WriteFile(kept, []byte("postgres:5432:fubini:fubini:secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address := strings.Replace(ours.Environment["FUBINI_DB"], "/run/secrets/pgpass", kept, 1)
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	if _, there := file.Services[config.Host]; !there || config.Password != "secret" || config.User != postgres.Environment["POSTGRES_USER"] || config.Database != postgres.Environment["POSTGRES_DB"] {
		t.Errorf("%s is user %s at %s/%s with the password %q", address, config.User, config.Host, config.Database, config.Password)
	}
	if ignored, err := os.ReadFile("../../.gitignore"); err != nil || !strings.Contains(string(ignored), "/deploy/secrets/\n") || !strings.Contains(deployed(t, "Dockerfile.dockerignore"), "deploy/secrets\n") {
		t.Errorf("secrets may go into commits or images: %v", err)
	}
}

// baseImages are those that the files name, with their files.
func baseImages(t *testing.T) map[string]string {
	images := map[string]string{}
	for line := range strings.Lines(deployed(t, "Dockerfile")) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "FROM" && words[1] != "scratch" {
			images[words[1]] = "Dockerfile"
		}
	}
	files, err := filepath.Glob("../../deploy/compose*.yaml")
	if err != nil || len(files) < 2 {
		t.Fatalf("compose files: %v %v", files, err)
	}
	for _, path := range files {
		for _, s := range compose(t, filepath.Base(path)).Services {
			if s.Image != "" && s.Build.Dockerfile == "" {
				images[s.Image] = filepath.Base(path)
			}
		}
	}
	return images
}

// An image is named by its full version and its system: golang:1.26 is another one every month.
func TestImagesHaveFullVersions(t *testing.T) {
	full := regexp.MustCompile(`^(golang:\d+\.\d+\.\d+|postgres:\d+\.\d+)-[a-z]+(@sha256:[0-9a-f]{64})?$`)
	images := baseImages(t)
	if len(images) != 2 {
		t.Errorf("images: %v", images)
	}
	for image, file := range images {
		if !full.MatchString(image) {
			t.Errorf("%s: %s is no full version", file, image)
		}
	}
}

// pin runs deploy/pin on a copy of the folder, with a Docker client that answers as said.
func pin(t *testing.T, client string, args ...string) (folder, said string, err error) {
	t.Helper()
	folder, programs := t.TempDir(), t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("../../deploy")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(programs, "docker"), []byte("#!/bin/sh\n"+client), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(folder, "pin"), 0o755); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(filepath.Join(folder, "pin"), args...)
	command.Env = append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"))
	out, err := command.CombinedOutput()
	return folder, string(out), err
}

func TestPin(t *testing.T) {
	const digit = "0123456789abcdef"
	digest := "sha256:" + strings.Repeat(digit, 4)
	answers := "[ $2 = version ] || echo " + digest + "\n"
	folder, said, err := pin(t, answers)
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for image, file := range baseImages(t) {
		image, _, _ = strings.Cut(image, "@")
		text, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil || strings.Count(string(text), image+"@"+digest) != 1 || strings.Count(string(text), image) != 1 {
			t.Errorf("%s is not pinned in %s: %v\n%s", image, file, err, text)
		}
	}
	if text, err := os.ReadFile(filepath.Join(folder, "compose.yaml")); err != nil || string(text) != deployed(t, "compose.yaml") {
		t.Errorf("the file of our own image has changed: %v", err)
	}
	if _, said, err := pin(t, answers, "--check"); err == nil || !strings.Contains(said, "is not pinned to "+digest) {
		t.Errorf("--check finds nothing: %v %s", err, said)
	}
	for name, client := range map[string]string{"no registry": "[ $2 = version ] || exit 1\n", "no buildx": "exit 1\n", "no digest": "echo unknown\n"} {
		folder, said, err := pin(t, client)
		if err == nil || !strings.Contains(said, "nothing is changed") {
			t.Errorf("%s: %v %s", name, err, said)
		}
		if text, err := os.ReadFile(filepath.Join(folder, "Dockerfile")); err != nil || string(text) != deployed(t, "Dockerfile") {
			t.Errorf("%s: changed all the same: %v", name, err)
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
		if version, found := strings.CutPrefix(strings.TrimSpace(line), "go "); found && !strings.Contains(deployed(t, "Dockerfile"), "FROM golang:"+strings.TrimSuffix(version, ".0")+".") {
			t.Errorf("the module needs Go %s, the image has another", version)
		}
	}
	for _, want := range []string{`org.opencontainers.image.version="$VERSION"`, `org.opencontainers.image.revision="$REVISION"`, "-X main.release=$VERSION"} {
		if !strings.Contains(deployed(t, "Dockerfile"), want) {
			t.Errorf("the image does not carry its version: no %s", want)
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
	root := cli.NewRoot(cli.NewProgram(io.Discard), commands)
	serve, _, err := root.Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(cli.TwinsOf(serve)); got != len(cli.Twins) {
		t.Errorf("%d of %d variables are for flags of serve", got, len(cli.Twins))
	}
	for _, twin := range cli.Twins {
		if !strings.Contains(string(page), "`"+twin.Variable+"`") {
			t.Errorf("docs/operations.md does not list %s", twin.Variable)
		}
	}
}
