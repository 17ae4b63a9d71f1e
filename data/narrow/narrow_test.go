package narrow

import "testing"

// check copies lists of all lengths up to 69, and looks at what is behind them too.
func check[S, L Number](t *testing.T, quick bool) {
	t.Helper()
	for n := range 70 {
		from, to := make([]L, n), make([]S, n+20)
		for k := range from {
			from[k] = L(k*k*37 + 1)
		}
		const before = 99
		for k := range to {
			to[k] = before
		}
		if done := first(to[:n], from); quick && done != n&^15 || done > n {
			t.Fatalf("%T from %T: %d of %d at once", to, from, done, n)
		}
		for k := range to {
			to[k] = before
		}
		Numbers(to[:n], from)
		for k, got := range to {
			if k < n && got != S(from[k]) || k >= n && got != before {
				t.Fatalf("%T from %T: %d at %d of %d", to, from, got, k, n)
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	check[uint8, uint32](t, fast)
	check[uint16, uint32](t, fast)
	check[uint32, int64](t, false)
	check[uint16, uint16](t, false)
	check[uint32, uint32](t, false)
}
