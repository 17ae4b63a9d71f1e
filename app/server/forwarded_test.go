package server_test

import (
	"fmt"
	"strings"
	"testing"

	"fubini/app/server"
)

// Without a proxy nobody believes X-Forwarded-For: a client that names another address
// in every request is one client. Behind a proxy the last entry counts, which the proxy
// wrote, and not what the client put before it.
func TestForwardedForNeedsAProxy(t *testing.T) {
	oneClient(t)
	for _, c := range []struct {
		proxy  bool
		header string
		want   int
	}{
		{false, "192.0.2.%d", 3},
		{false, "2001:db8:0:%d::1", 3},
		{true, "192.0.2.%d", 6},
		{true, "192.0.2.%d, 198.51.100.7", 3},
		{true, "2001:db8:0:%d::1", 6},
		{true, "2001:db8::%d", 3}, // one network
	} {
		s := start(t, func(o *server.Options) {
			o.Limits.Rate, o.Limits.Burst, o.BehindProxy = 1e-6, 3, c.proxy
		})
		good := 0
		for k := range 6 {
			switch got := s.ask("GET", "/v1/items/item-1", "", "X-Forwarded-For", fmt.Sprintf(c.header, k+1)); got.status {
			case 200:
				good++
			case 429:
			default:
				t.Fatalf("status %d: %s", got.status, got.text)
			}
		}
		if good != c.want {
			t.Errorf("proxy %t, X-Forwarded-For %s: %d of 6 requests, want %d", c.proxy, c.header, good, c.want)
		}
	}
}

// Brackets in texts are no nesting, also after an escaped quote; brackets after a text
// that ends in an escaped backslash are.
func TestBracketsInTexts(t *testing.T) {
	oneClient(t)
	s := start(t, nil)
	many, none := strings.Repeat("[", 60), strings.Repeat("a", 60)
	for _, before := range []string{``, `\"`, `\\`, `\\\"`, `\u005c`} {
		text := func(inside string) reply {
			return s.ask("POST", "/v1/recommend", `{"tiers":[["`+before+inside+`"],["item-1"]]}`)
		}
		for _, inside := range []string{many, strings.Repeat("{", 60), many + `\"` + many} {
			got, want := text(inside), text(none)
			if got.status != want.status || strings.Contains(string(got.text), "brackets within brackets") {
				t.Errorf("a text of %q and brackets: status %d, without brackets %d: %s", before, got.status, want.status, got.text)
			}
		}
	}
	for _, text := range []string{``, `a`, `\\`, `\"`, `\"\\`, `[[`} {
		nested := func(depth int) reply { // an object, the list of tiers, and so on
			return s.ask("POST", "/v1/recommend", `{"model":"`+text+`","tiers":`+strings.Repeat("[", depth-1)+strings.Repeat("]", depth-1)+`}`)
		}
		if got := nested(17); got.status != 400 || !strings.Contains(string(got.text), "brackets within brackets") {
			t.Errorf("17 brackets after the text %q: status %d: %s", text, got.status, got.text)
		}
		if got := nested(16); strings.Contains(string(got.text), "brackets within brackets") {
			t.Errorf("16 brackets after the text %q: status %d: %s", text, got.status, got.text)
		}
	}
}
