package cofirank

import (
	"strings"
	"testing"

	"fubini/data/modelfile"
	"fubini/model/baseline/fitting"
)

// A file with one setting that cannot be is refused, whatever the others are.
func TestCoFiSettingsInFiles(t *testing.T) {
	good := header{Hidden: 2, Lambda: 1, Usual: 1, Offset: 1, Top: 1, Decay: 1}
	file := func(s header) *modelfile.File {
		f := modelfile.New()
		m := &fitted{header: good}
		modelfile.Set(f, "item", make([]float64, 3*m.stride()), 3, m.stride())
		if err := f.SetJSON(fitting.FileKey, s); err != nil {
			t.Fatal(err)
		}
		return f
	}
	if _, err := New(Squared).Load(file(good), 3); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(s *header){
		"hidden": func(s *header) { s.Hidden = 0 },
		"lambda": func(s *header) { s.Lambda = 0 },
		"usual":  func(s *header) { s.Usual = -1 },
		"offset": func(s *header) { s.Offset = 0 },
		"top":    func(s *header) { s.Top = 0 },
		"decay":  func(s *header) { s.Decay = -1 },
	} {
		bad := good
		spoil(&bad)
		if _, err := New(Squared).Load(file(bad), 3); err == nil || !strings.Contains(err.Error(), "settings in the file cannot be") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
