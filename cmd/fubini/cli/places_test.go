package cli

import (
	"os"
	"testing"
)

// A file beside the data of a folder is not one of the data.
func TestAFileBesideTheData(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, err := range []error{os.Mkdir("ml", 0o777), os.WriteFile("ml/model.safetensors", nil, 0o666), os.WriteFile("ml/ratings.csv", nil, 0o666)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	data := place{Destination{Path: "ml"}, ReadsFile, nil}
	for name, want := range map[string]bool{"ml/model.safetensors": false, "ml/ratings.csv": true} {
		if got := (place{Destination{Path: name}, WritesFile, nil}).overwrites(data); got != want {
			t.Errorf("%s is taken for data: %t", name, got)
		}
	}
}
