package modelstore_test

import (
	"context"
	"strings"
	"testing"

	"fubini/data/modelfile"
	"fubini/learn/modelstore"
	"fubini/learn/registry"
)

// A file with settings that no longer exist opens. To train it on, they must have had the value
// that is the only one now, or none that mattered; co-occurrence is read by its name of before.
func TestRetiredSettings(t *testing.T) {
	model := trained(t, modelstore.Request{Model: "latent-osm", Recipe: recipe(t, "latent-osm", 2)})
	for set, refused := range map[string]string{
		`"company":3`:   "",
		`"objective":0`: "",
		`"sweeps":9`:    "",
		`"objective":1`: "objective=1",
		`"last":1`:      "last=1",
	} {
		f, err := model.File()
		if err != nil {
			t.Fatal(err)
		}
		f.Metadata[modelfile.KeySettings] = strings.Replace(f.Metadata[modelfile.KeySettings], `"set":{`, `"set":{`+set+`,`, 1)
		_, read := written(t, f)
		old, err := modelstore.Open(read)
		if err != nil {
			t.Errorf("%s: %v", set, err)
			continue
		}
		_, _, err = modelstore.Extend(context.Background(), old, planted(t, 12, 9), modelstore.Request{Seed: 1, Epochs: 1})
		if (err != nil) != (refused != "") || err != nil && !strings.Contains(err.Error(), refused) {
			t.Errorf("%s: trained on: %v", set, err)
		}
	}
	if _, err := registry.Configure([]string{"latent-osm"}, []registry.Assignment{{Name: "objective", Value: "chains"}}); err == nil {
		t.Error("objective can still be set")
	}
}
