package store

import (
	"fmt"
	"net/url"
	"strings"
)

// secretsOf are the passwords in the address of a PostgreSQL server, as they stand there and decoded. An address of
// which it is not certain where the password ends is refused, in words that hold nothing of it: its pieces would turn
// up in messages as the names of hosts, ports and databases.
func secretsOf(address string) (secrets []string, err error) {
	_, rest, found := strings.Cut(address, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	user, hosts, named := strings.Cut(rest[:end], "@")
	if !named {
		user, hosts = "", rest[:end]
	}
	decoded, broken := url.PathUnescape(address)
	if !found || broken != nil || strings.ContainsAny(hosts+rest[end:], "@#") || strings.ContainsFunc(decoded, func(r rune) bool { return r < ' ' }) ||
		strings.Contains(address, " ") || !numbered(hosts) {
		return nil, fmt.Errorf("store: %w address of a PostgreSQL server: want postgres://USER:PASSWORD@HOST:PORT/DATABASE with a number for the port, "+
			"and in the password %%40 for @, %%2F for /, %%3A for :, %%3F for ?, %%23 for #, %%25 for %% and %%20 for a space", ErrInvalid)
	}
	add := func(text string) {
		if plain, err := url.QueryUnescape(text); err == nil && plain != "" {
			secrets = append(secrets, plain)
		}
		if plain, err := url.PathUnescape(text); err == nil && plain != "" {
			secrets = append(secrets, plain, text)
		}
	}
	_, password, _ := strings.Cut(user, ":")
	add(password)
	_, query, _ := strings.Cut(rest[end:], "?")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(name); err == nil && strings.HasSuffix(strings.ToLower(name), "password") {
			add(value)
		}
	}
	return secrets, nil
}

// numbered reports whether all ports behind names of hosts are numbers.
func numbered(hosts string) bool {
	for host := range strings.SplitSeq(hosts, ",") {
		port := ""
		if at := strings.LastIndexByte(host, ']'); at >= 0 { // [::1]:5432
			if port = host[at+1:]; port != "" && port[0] != ':' || host[0] != '[' {
				return false
			}
		} else if at := strings.IndexByte(host, ':'); at >= 0 {
			port = host[at:]
		}
		if strings.Trim(strings.TrimPrefix(port, ":"), "0123456789") != "" {
			return false
		}
	}
	return true
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
