package distributed_test

import (
	"strings"
	"testing"

	"fubini/learn/distributed"
	"fubini/learn/registry"
)

// Rating levels are not learned from parts, and a model does not claim that they were.
func TestLevelsAreLeftOut(t *testing.T) {
	r := distributed.Request{Model: "latent-osm", Rounds: 1, Local: 1, Settings: []registry.Assignment{{Name: "levels", Value: "always"}}}
	if _, err := r.Kind(); err == nil || !strings.Contains(err.Error(), "levels=always") {
		t.Errorf("levels in a distributed training: %v", err)
	}
	for _, r := range []distributed.Request{{Model: "latent-osm", Rounds: 1, Local: 1}, {Model: "osm", Rounds: 1, Local: 1}} {
		if _, err := r.Kind(); err != nil {
			t.Errorf("%s: %v", r.Model, err)
		}
	}
}
