package serve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/app/store"
	"fubini/cmd/fubini/cli"
)

// storeFlags has the address of the store.
type storeFlags struct{ address string }

func addDatabase(p *cli.Program, cmd *cobra.Command, flags *pflag.FlagSet) (address *string) {
	return &cli.Shared(p, cmd, flags, func(f *storeFlags, _ *cobra.Command, flags *pflag.FlagSet) {
		f.address = "sqlite:fubini.db"
		cli.AddFlag(flags, "db", "", &f.address, "URL", cli.NotEmpty("the address of the store is missing, as in sqlite:fubini.db"),
			"the store: sqlite:FILE or postgres://USER@HOST/DATABASE; the variable FUBINI_DB hides a password from other users")
		cli.Mark(flags, "db", cli.Role, cli.ReadsFile)
	}).address
}

// withStore gives a command its work: the store is opened before and closed after.
func withStore(cmd *cobra.Command, open func(context.Context, string) (store.Store, error), address *string, work func(ctx context.Context, s store.Store, args []string) error) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := open(cmd.Context(), *address)
		if err != nil {
			return storeError(err)
		}
		return errors.Join(work(cmd.Context(), s, args), s.Close())
	}
	return cmd
}

// storeError names the flag of a store that cannot be opened.
func storeError(err error) error {
	if errors.Is(err, store.ErrInvalid) {
		return exit.Usagef("--db: %w", err)
	}
	return fmt.Errorf("--db: %w", err)
}

// audit writes down what the command line does to a key.
func audit(ctx context.Context, s store.Store, action, detail string) error {
	_, err := s.AppendAudit(ctx, store.Entry{Action: action, Detail: detail + ", by command line"})
	return err
}

// moment is a time as records show it; nil for none.
func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(time.RFC3339)
}
