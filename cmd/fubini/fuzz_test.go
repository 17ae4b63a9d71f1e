package main

import (
	"bytes"
	"strings"
	"testing"

	"fubini/app/exit"
)

// Whatever the numbers are, they are refused or give numbers: no panic, no NaN.
func FuzzNumbers(f *testing.F) {
	f.Add("1,0.5,-1", "0.3", "0", uint8(0))
	f.Add("1e299,-1e299,0", "-1e298", "0", uint8(1))
	f.Add("0,1e-200", "5e-324", "1e308", uint8(2))
	f.Add("700,-700,0,1", "-3000", "4", uint8(3))
	f.Add(" ,,", "NaN", "-0", uint8(4))
	kernels := []string{"reinsertion", "split-merge", "split-merge-paper", "exact"}
	f.Fuzz(func(t *testing.T, worths, nu, size string, kernel uint8) {
		if strings.Count(worths, ",") > 6 {
			t.Skip("more items than are quickly weighed")
		}
		model := []string{"--worths", worths, "--nu", nu, "--size", size, "--format", "json"}
		for _, args := range [][]string{
			append([]string{"logz"}, model...),
			append([]string{"sample", "-n", "3", "--burn-in", "3", "--kernel", kernels[int(kernel)%len(kernels)]}, model...),
		} {
			var out, messages bytes.Buffer
			code := run(t.Context(), args, nil, &out, &messages)
			if code != 0 && code != exit.WrongUsage {
				t.Errorf("%q: exit code %d: %s", args, code, &messages)
			}
			if text := out.String(); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || (code == 0) != (text != "") {
				t.Errorf("%q: exit code %d, stdout %q", args, code, text)
			}
		}
	})
}
