package store

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// postgresAddress matches an address of which it is certain where the password ends, and takes out the password and
// the query.
var postgresAddress = regexp.MustCompile(`^\w+://(?:[^:@/?#]*:?([^@/?#]*)@)?` + host + `(?:,` + host + `)*(?:/[^?@#]*)?(?:\?([^@#]*))?$`)

// host is a name or an address with its port, which is a number.
const host = `(?:\[[^][@/?#]*\]|[^][:,@/?#]*)(?::\d*)?`

// secretsOf are the passwords in the address of a PostgreSQL server, as they stand there and decoded. Other addresses
// are refused, in words that hold nothing of them: their pieces would turn up in messages as the names of hosts, ports
// and databases.
func secretsOf(address string) (secrets []string, err error) {
	parts := postgresAddress.FindStringSubmatch(address)
	decoded, broken := url.PathUnescape(address)
	if parts == nil || broken != nil || strings.Contains(address, " ") || strings.ContainsFunc(decoded, func(r rune) bool { return r < ' ' }) {
		return nil, fmt.Errorf("store: %w address of a PostgreSQL server: want postgres://USER:PASSWORD@HOST:PORT/DATABASE with a number for the port, "+
			"and in the password %%40 for @, %%2F for /, %%3A for :, %%3F for ?, %%23 for #, %%25 for %% and %%20 for a space", ErrInvalid)
	}
	passwords := []string{parts[1]}
	for pair := range strings.SplitSeq(parts[2], "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(name); err == nil && strings.HasSuffix(strings.ToLower(name), "password") {
			passwords = append(passwords, value)
		}
	}
	for _, text := range passwords {
		plain, _ := url.PathUnescape(text) // it was found to be well escaped
		spaced, _ := url.QueryUnescape(text)
		if text != "" {
			secrets = append(secrets, spaced, plain, text)
		}
	}
	return secrets, nil
}

// hiddenError is an error whose text may hold a password.
type hiddenError struct {
	error
	secrets []string
}

// hide keeps passwords out of the text of an error; its kind stays.
func hide(err error, secrets []string) error {
	if err == nil || len(secrets) == 0 {
		return err
	}
	return hiddenError{err, secrets}
}

func (e hiddenError) Error() string {
	text := e.error.Error()
	for _, secret := range e.secrets {
		text = strings.ReplaceAll(text, secret, "xxxxx")
	}
	return text
}

func (e hiddenError) Unwrap() error { return e.error }
