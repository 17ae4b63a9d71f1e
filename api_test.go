package fubini_test

import (
	"flag"
	"os/exec"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the exported API of the library as it is now")

// recordedAPI is the exported API that users of the library rely on, as apidiff writes it.
const recordedAPI = "testdata/fubini.api"

func apidiff(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"tool", "-modfile=tools/go.mod", "apidiff"}, args...)...)
	var faults strings.Builder // and names of modules that are downloaded first
	cmd.Stderr = &faults
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("apidiff %v: %v\n%s", args, err, faults.String())
	}
	return strings.TrimSpace(string(text))
}

// The exported API is the one on record. A change that breaks programs needs a reason; an addition needs to be on record, so that its
// loss is noticed later. CONTRIBUTING.md says how to accept either.
func TestAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("no goroutines")
	}
	if *update {
		apidiff(t, "-w", recordedAPI, ".")
	}
	if report := apidiff(t, recordedAPI, "."); report != "" {
		t.Errorf("the exported API has changed:\n%s\nif that is meant: go test . -run TestAPI -update", report)
	}
	// It notices what it is there for.
	if apidiff(t, "-incompatible", recordedAPI, "./core/partition") == "" {
		t.Error("no difference between two packages")
	}
}
