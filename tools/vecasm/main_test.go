package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What is committed was written by this program.
func TestCommittedAssembly(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"kernels_amd64.s", "kernels_amd64.go"} {
		made := filepath.Join(folder, name)
		flag := map[string]string{".s": "-out", ".go": "-stubs"}[filepath.Ext(name)]
		if out, err := exec.Command("go", "run", ".", flag, made, "-pkg", "vec").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		want, err := os.ReadFile(filepath.Join("../../core/vec", name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(made)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(afterFirstLine(got), afterFirstLine(want)) { // the first line has the command
			t.Errorf("%s is not what vecasm writes; run go generate ./core/vec", name)
		}
	}
}

func afterFirstLine(text []byte) []byte {
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	return rest
}
