package rival

import (
	"strings"
	"testing"

	"fubini/data/modelfile"
)

// A file with one setting that cannot be is refused, whatever the others are.
func TestCoFiSettingsInFiles(t *testing.T) {
	good := cofiScalars{Hidden: 2, Lambda: 1, Usual: 1, Offset: 1, Top: 1, Decay: 1}
	file := func(s cofiScalars) *modelfile.File {
		f := modelfile.New()
		m := &cofiModel{cofiScalars: good}
		modelfile.Set(f, "item", make([]float64, 3*m.stride()), 3, m.stride())
		if err := f.SetJSON("rival", s); err != nil {
			t.Fatal(err)
		}
		return f
	}
	if _, err := loadCoFi(CoFiSquared, file(good), 3); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(s *cofiScalars){
		"hidden": func(s *cofiScalars) { s.Hidden = 0 },
		"lambda": func(s *cofiScalars) { s.Lambda = 0 },
		"usual":  func(s *cofiScalars) { s.Usual = -1 },
		"offset": func(s *cofiScalars) { s.Offset = 0 },
		"top":    func(s *cofiScalars) { s.Top = 0 },
		"decay":  func(s *cofiScalars) { s.Decay = -1 },
	} {
		bad := good
		spoil(&bad)
		if _, err := loadCoFi(CoFiSquared, file(bad), 3); err == nil || !strings.Contains(err.Error(), "settings in the file cannot be") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
