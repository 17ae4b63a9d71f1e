package serve

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fubini/app/server"
	"fubini/cmd/fubini/cli"
)

// The ratings for jobs come from their folder alone, whatever the order says.
func TestJobDataStayInTheirFolder(t *testing.T) {
	folder := t.TempDir()
	inside := filepath.Join(folder, "inside")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	rows := "user,item,rating\n"
	for u := range 20 {
		for k := range 6 {
			rows += fmt.Sprintf("u%d,i%d,%d\n", u, (u+k)%9, 1+(u*k)%5)
		}
	}
	outside := filepath.Join(folder, "ratings.csv")
	for _, path := range []string{outside, filepath.Join(inside, "ratings.csv")} {
		if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "secret.txt"), []byte("the first line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"link.csv": outside, "near.csv": "../ratings.csv", "own.csv": "ratings.csv"} {
		if err := os.Symlink(target, filepath.Join(inside, name)); err != nil {
			t.Fatal(err)
		}
	}
	data := jobData(inside)
	p := cli.NewProgram(io.Discard)
	train := trainer(p, filepath.Join(folder, "m.safetensors"), data)
	for name, good := range map[string]bool{
		"ratings.csv": true, "own.csv": true, "../ratings.csv": false, "../secret.txt": false, outside: false, "link.csv": false, "near.csv": false, "/etc/passwd": false, "nothing.csv": false, "": false,
	} {
		if err := data.has(name); (err == nil) != good {
			t.Errorf("%q is there: %v", name, err)
		}
		_, err := train(t.Context(), server.TrainOrder{Data: name, Model: "osm", Epochs: 1, Seed: 1}, func(server.Progress) {})
		if (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "the first line") {
			t.Errorf("%q is read: %v", name, err)
		}
	}
	// No order makes the process too large, though it should get past the server.
	_, err := train(t.Context(), server.TrainOrder{Data: "ratings.csv", Model: "latent-osm", Hidden: 2_000_000_000, Epochs: 1, Seed: 1}, func(server.Progress) {})
	if err == nil || !strings.Contains(err.Error(), "more than the 10000000 weights") {
		t.Errorf("two thousand million units: %v", err)
	}
}

func TestLoopbackAddresses(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:80": true, "127.9.9.9:80": true, "[::1]:80": true, "localhost:80": true, "0.0.0.0:80": false, ":80": false, "[::]:80": false, "192.0.2.1:80": false, "example.org:80": false,
	} {
		if got := onLoopback(address); got != want {
			t.Errorf("%s: %t", address, got)
		}
	}
}

func TestReachableAddresses(t *testing.T) {
	for address, want := range map[string]string{"0.0.0.0:80": "127.0.0.1:80", ":80": "127.0.0.1:80", "[::]:80": "[::1]:80", "192.0.2.1:80": "192.0.2.1:80", "example.org:80": "example.org:80"} {
		if got := reachable(address); got != want {
			t.Errorf("%s is reached by %s, want %s", address, got, want)
		}
	}
}
