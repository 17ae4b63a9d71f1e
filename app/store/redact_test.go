package store

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

// A password never comes back in an error, however the address around it is spoilt.
func TestPasswordsStayOutOfErrors(t *testing.T) {
	const hidden = "hidden-zebra"
	addresses := []string{
		"postgres://me:hidden-zebra@127.0.0.1:port/db",
		"postgres://me:hidden-zebra@127.0.0.1:1/db",
		"postgresql://me:hidden-zebra@127.0.0.1:1/db?sslmode=nonsense",
		"postgres://me:hidden-zebra@127.0.0.1:1/db?connect_timeout=soon",
		"postgres://me:hidden-zebra@127.0.0.1:1/db?pool_max_conns=hidden-zebra",
		"postgres://me:hidden-zebra@127.0.0.1:1/db?hidden-zebra=1",
		"postgres://127.0.0.1:1/db?user=me&password=hidden-zebra&sslmode=nonsense",
		"postgres://127.0.0.1:1/db?user=me&password=hidden-zebra",
		"postgres://127.0.0.1:1/db?user=me&pass%77ord=hidden-zebra&sslmode=nonsense",
		"postgres://127.0.0.1:1/db?user=me&sslpassword=hidden-zebra&sslcert=none",
		"postgres://127.0.0.1:1/db?user=me&PASSWORD=hidden-zebra",
		"postgres://me:hidden-zebra/more@127.0.0.1:1/db",
		"postgres://me:hidden-zebra?more@127.0.0.1:1/db",
		"postgres://me:hidden-zebra#more@127.0.0.1:1/db",
		"postgres://me:hidden-zebra%zz@127.0.0.1:1/db",
		"postgres://me:more/hidden-zebra@127.0.0.1:1/db",
		"postgres://me:1/hidden-zebra@127.0.0.1:1/db",
		"postgres://me:1?hidden-zebra@127.0.0.1:1/db",
		"postgres://me:1#hidden-zebra@127.0.0.1:1/db",
		"postgres://me:more@hidden-zebra@127.0.0.1:1/db",
		"postgres://me:more@hidden-zebra/more@127.0.0.1:1/db",
		"postgres://me:more:hidden-zebra@127.0.0.1:1/db",
		"postgres://me:more hidden-zebra@127.0.0.1:1/db",
		"postgres://me: hidden-zebra@127.0.0.1:1/db",
		"postgres://me:hidden-zebra\n@127.0.0.1:1/db",
		"postgres://me:hidden-zebra@[::1/db",
		"postgres://me:hidden-zebra@",
		"postgres://me:hidden-zebra",
		"postgres://:hidden-zebra@127.0.0.1:1",
		"postgres:me:hidden-zebra@127.0.0.1/db",
		"postgres:/me:hidden-zebra@127.0.0.1/db",
		"postgres:hidden-zebra",
		"postgres:user=me password=hidden-zebra host=127.0.0.1 port=1",
		"postgres: user=me password='hidden-zebra host=127.0.0.1",
		" postgres://me:hidden-zebra@127.0.0.1:1/db",
		"POSTGRES://me:hidden-zebra@127.0.0.1:1/db",
		"postgre://me:hidden-zebra@127.0.0.1:1/db",
		"mysql://me:hidden-zebra@127.0.0.1/db",
		"mysql://me:hidden-zebra@127.0.0.1:port%/db",
		"mysql://127.0.0.1/db?password=hidden-zebra",
		"mysql:me:hidden-zebra@127.0.0.1/db",
		"me:hidden-zebra@127.0.0.1/db",
		"hidden-zebra@127.0.0.1:1/db",
		"hidden-zebra://127.0.0.1",
		"hidden-zebra:",
		"hidden-zebra",
		"user=me password=hidden-zebra host=127.0.0.1:1",
		"password=hidden-zebra:1",
		"//me:hidden-zebra@127.0.0.1/db",
	}
	for _, address := range addresses {
		for _, each := range []string{address, strings.ReplaceAll(address, hidden, url.QueryEscape("hidden/zébra"))} {
			_, err := Open(t.Context(), each)
			if err == nil {
				t.Errorf("%q opens", each)
				continue
			}
			text := err.Error()
			for _, part := range []string{"hidden", "zebra", "zébra", "%A9bra"} {
				if strings.Contains(text, part) {
					t.Errorf("%q: %v", each, err)
					break
				}
			}
			if !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrUnavailable) {
				t.Errorf("%q: %v", each, err)
			}
		}
	}
}

// Of a sound address everything but the password may be said, and must be said to be
// of use.
func TestSoundAddressesAreNamed(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://me:hidden-zebra@127.0.0.1:1/db?sslmode=nonsense":         "sslmode is invalid",
		"postgres://me:hidden%40zebra@127.0.0.1:1,127.0.0.1:2/db":            "PostgreSQL server at 127.0.0.1",
		"postgres://me:hidden-zebra@127.0.0.1:port/db":                       "want postgres://USER:PASSWORD@HOST:PORT/DATABASE",
		"postgres://me:hid@den-zebra@127.0.0.1/db":                           "%40",
		"postgresql://me@[::1]:1/db?password=hidden-zebra&connect_timeout=2": "PostgreSQL server at ::1",
		"postgres:///db?host=/nowhere&password=hidden-zebra":                 "PostgreSQL server at /nowhere",
	} {
		_, err := Open(t.Context(), address)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "zebra") {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
	s := &database{dialect: dialect{secrets: []string{"hidden-zebra"}, kind: func(error) error { return ErrUnavailable }}}
	err := s.fail(t.Context(), "open", errors.New("the server says hidden-zebra"))
	if !errors.Is(err, ErrUnavailable) || strings.Contains(err.Error(), "zebra") || !strings.Contains(err.Error(), "the server says xxxxx") {
		t.Error(err)
	}
}
