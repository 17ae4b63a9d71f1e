package tune

import (
	"testing"

	"fubini/core/setting"
)

// Settings are tried with three digits, so that a person can repeat them; whole numbers stay as they are.
func TestRounded(t *testing.T) {
	for _, c := range []struct {
		whole   bool
		v, want float64
	}{{false, 0.0123456, 0.0123}, {false, 1234.5, 1230}, {true, 1234, 1234}, {true, 7, 7}} {
		if got := rounded(setting.Setting{Whole: c.whole}, c.v); got != c.want {
			t.Errorf("whole %t: %g becomes %g, not %g", c.whole, c.v, got, c.want)
		}
	}
}
