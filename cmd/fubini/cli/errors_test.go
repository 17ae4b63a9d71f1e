package cli

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"sample", "logz", "version", "demo"}
	for word, want := range map[string]string{
		"sampel": "sample", "smaple": "sample", "sam": "sample", "logZ": "logz", "log": "logz", "versions": "version",
		"": "", "x": "", "serve": "", "train": "", "dmeo": "demo",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
