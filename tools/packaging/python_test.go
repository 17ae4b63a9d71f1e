package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// The wheel of this machine is installed into a clean environment, with the libraries of frames, LensKit and those of the notebook, and
// the tests of the Python package are run there. The notebook needs ml-latest-small in FUBINI_DATA.
func TestPythonPackage(t *testing.T) {
	if os.Getenv("FUBINI_LONG") == "" {
		t.Skip("builds the program and downloads Python packages; set FUBINI_LONG=1")
	}
	s := &source{root: filepath.Join("..", "..")}
	folder := t.TempDir()
	if err := s.buildWheel(context.Background(), platform{runtime.GOOS, runtime.GOARCH}, folder); err != nil {
		t.Fatal(err)
	}
	wheels, err := filepath.Glob(filepath.Join(folder, "*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatal(wheels, err)
	}
	if info, err := os.Stat(wheels[0]); err != nil || info.Size() > 25e6 {
		t.Errorf("the wheel has %d bytes, more than 25 MB (%v)", info.Size(), err)
	}
	environment := filepath.Join(folder, "environment")
	python := filepath.Join(environment, "bin", "python")
	tests, err := filepath.Abs("../../python/tests")
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{
		{"python3", "-m", "venv", environment},
		{python, "-m", "pip", "install", "--quiet", wheels[0], "pandas", "polars", "pyarrow", "pytest",
			"lenskit", "scikit-learn", "matplotlib", "nbclient", "nbformat", "ipykernel"},
		{python, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests},
	} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = folder
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, text)
		}
	}
}
