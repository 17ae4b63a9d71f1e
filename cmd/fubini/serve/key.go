package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/app/store"
	"fubini/cmd/fubini/cli"
)

// Key is the command fubini key, which makes, lists and revokes API keys of the server.
func Key(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "key")
	address := addDatabase(p, cmd, cmd.PersistentFlags())
	return cli.Group(cmd, newKeyAdd(p, address), newKeyList(p, address), newKeyRevoke(p, address))
}

func newKeyAdd(p *cli.Program, address *string) *cobra.Command {
	scopes := []store.Scope{store.Read}
	var expires time.Time
	cmd := cli.Page(pages, "add")
	flags := cmd.Flags()
	cli.AddFlag(flags, "scope", "", &scopes, "LIST", parseScopes, "what the key may do, some of: "+store.ScopeNames(store.Scopes()))
	cli.AddFlag(flags, "expires", "", &expires, "WHEN", parseExpiry, "end of validity: a number of days from now, as 90d, or a date, as 2030-12-31")
	flags.Lookup("scope").DefValue = string(store.Read)
	flags.Lookup("expires").DefValue = "never"
	return withStore(cmd, store.Open, address, func(ctx context.Context, s store.Store, args []string) error {
		key, token, err := s.AddKey(ctx, args[0], scopes, expires)
		switch {
		case errors.Is(err, store.ErrInvalid):
			return exit.Usage(err)
		case err != nil:
			return err
		}
		about := fmt.Sprintf("%s %q %s", key.ID, key.Name, store.ScopeNames(key.Scopes))
		if !key.Expires.IsZero() {
			about += " until " + key.Expires.Format(time.RFC3339)
		}
		if err := audit(ctx, s, "key.add", about); err != nil {
			return withdraw(ctx, s, key.ID, err)
		}
		err = p.Private().Deliver(func(w *bufio.Writer) error {
			return p.WriteRecord(w, cli.Record{{"id", key.ID}, {"name", key.Name}, {"scopes", store.ScopeNames(key.Scopes)}, {"expires", moment(key.Expires)}, {"token", token}})
		})
		if err == nil {
			p.Tell("keep the token now: it is not shown again")
		}
		return err
	})
}

// parseExpiry reads a number of days from now, a day, the first on which the key is refused, or a moment.
func parseExpiry(text string) (time.Time, error) {
	if days, found := strings.CutSuffix(text, "d"); found {
		if number, err := strconv.Atoi(days); err == nil && number > 0 && number <= 36_500 {
			return time.Now().AddDate(0, 0, number), nil
		}
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(form, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s is neither a number of days, as 90d, nor a date, as 2030-12-31 or 2030-12-31T18:00:00Z", cli.Quote(text))
}

// withdraw ends a key that could not be written into the audit log: no key works
// that the log does not know. Its token was shown to nobody.
func withdraw(ctx context.Context, s store.Store, id string, cause error) error {
	if _, err := s.RevokeKey(context.WithoutCancel(ctx), id); err != nil {
		return fmt.Errorf("key %s was made, but it is not in the audit log and could not be revoked (%w); end it by fubini key revoke %s: %w", id, err, id, cause)
	}
	return fmt.Errorf("key %s was made and revoked again, because it could not be written into the audit log: %w", id, cause)
}

func parseScopes(text string) (scopes []store.Scope, err error) {
	names, err := cli.ParseWords(text)
	known := cli.ParseChoice(strings.Split(store.ScopeNames(store.Scopes()), ","))
	for _, name := range names {
		if _, err := known(name); err != nil {
			return nil, err
		}
		scopes = append(scopes, store.Scope(name))
	}
	return scopes, err
}

func newKeyList(p *cli.Program, address *string) *cobra.Command {
	return withStore(cli.Page(pages, "list"), store.OpenExisting, address, func(ctx context.Context, s store.Store, _ []string) error {
		keys, err := s.ListKeys(ctx)
		if err != nil {
			return err
		}
		var records []cli.Record
		for _, key := range keys {
			records = append(records, keyRecord(key))
		}
		return p.Records(records)
	})
}

// keyRecord is what a person may know of a key.
func keyRecord(key store.Key) cli.Record {
	return cli.Record{
		{"id", key.ID}, {"name", key.Name}, {"scopes", store.ScopeNames(key.Scopes)},
		{"created", moment(key.Created)}, {"last_used", moment(key.LastUsed)}, {"revoked", moment(key.Revoked)}, {"expires", moment(key.Expires)},
	}
}

func newKeyRevoke(p *cli.Program, address *string) *cobra.Command {
	return withStore(cli.Page(pages, "revoke"), store.OpenExisting, address, func(ctx context.Context, s store.Store, args []string) error {
		if err := audit(ctx, s, "key.revoke", strconv.Quote(args[0])); err != nil {
			return err
		}
		key, err := s.RevokeKey(ctx, args[0])
		if err != nil {
			return err
		}
		return p.Record(keyRecord(key))
	})
}
