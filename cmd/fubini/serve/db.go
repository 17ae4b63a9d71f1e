package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/app/store"
	"fubini/cmd/fubini/cli"
)

func newDB(p *program) *cobra.Command {
	address := ""
	cmd := &cobra.Command{
		Use:   "db",
		Short: "Migrate, back up and restore the server's store",
		Long: `Migrate, back up and restore the server's store, and list and delete saved lists. The
store has saved lists, API keys, jobs and the audit log, in a SQLite file or a PostgreSQL
database. A backup of one can be restored into the other. The server may run meanwhile.`,
		Example: "  fubini db migrate\n  fubini db backup -o backup.jsonl\n  fubini db restore backup.jsonl --db sqlite:new.db",
	}
	addDatabase(cmd.PersistentFlags(), &address)
	return cli.Group(cmd, newDBMigrate(p, &address), newDBBackup(p, &address), newDBRestore(p, &address), newDBLists(p, &address), newDBDelete(p, &address))
}

// addDatabase adds the flag that names the store.
func addDatabase(flags *pflag.FlagSet, address *string) {
	*address = "sqlite:fubini.db"
	cli.AddFlag(flags, "db", "", address, "URL", parseDatabase,
		"the store: sqlite:FILE or postgres://USER@HOST/DATABASE; the variable FUBINI_DB hides a password from other users")
	cli.Mark(flags, "db", cli.Role, cli.ReadsFile)
}

func parseDatabase(text string) (string, error) {
	if text == "" {
		return "", errors.New("the address of the store is missing, as in sqlite:fubini.db")
	}
	return text, nil
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

func newDBMigrate(p *program, address *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the tables of the store up to date",
		Long: `Bring the tables of the store up to date in one transaction, or make them; data stay.
There is no way back to older tables. The server does the same when it starts; this
command does it before, after a backup.`,
		Example: "  fubini db migrate --db sqlite:fubini.db",
		Args:    cli.NoArguments,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		from, to, err := store.Migrate(cmd.Context(), *address)
		if err != nil {
			return storeError(err)
		}
		return p.Deliver(func(w *bufio.Writer) error {
			return p.WriteRecord(w, []cli.Field{{"from", from}, {"to", to}})
		})
	}
	return cmd
}

func newDBBackup(p *program, address *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backup",
		Short: "Write the whole store to a file",
		Long: `Write a snapshot of the store to --output or standard output, as lines of JSON with a
checksum at the end. The file has people's lists and the ids that open them; of keys and
owners' secrets it has hashes. Its permissions allow reading by its owner only.`,
		Example:     "  fubini db backup --db sqlite:fubini.db -o backup.jsonl",
		Args:        cli.NoArguments,
		Annotations: map[string]string{cli.OwnFormat: "jsonl"},
	}
	return withStore(cmd, store.OpenExisting, address, func(ctx context.Context, s store.Store, _ []string) error {
		if cmd.Flags().Changed("format") && p.Format != "jsonl" {
			return exit.Usagef("--format: a backup is jsonl, not %s", p.Format)
		}
		private := p.Results()
		private.Permissions = 0o600
		var rows int64
		err := private.Deliver(func(w *bufio.Writer) (err error) {
			rows, err = s.Backup(ctx, w)
			return err
		})
		if err == nil {
			p.Tell("%d rows", rows)
		}
		return err
	})
}

func newDBRestore(p *program, address *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Read a backup into an empty store",
		Long: `Read a backup into an empty store, or into a new one, in one transaction. FILE may be -
for standard input. A truncated or altered file is refused, and so is a store with data.`,
		Example: "  fubini db restore backup.jsonl --db sqlite:new.db\n  fubini db restore backup.jsonl --db postgres://fubini@localhost/fubini",
		Args:    cli.OneArgument("FILE"),

		Annotations: map[string]string{cli.Arguments: "read"},
	}
	from := io.NopCloser(p.Stdin)
	cmd.PreRunE = func(_ *cobra.Command, args []string) (err error) { // before a store is made
		if args[0] != "-" {
			from, err = os.Open(args[0])
		}
		return err
	}
	return withStore(cmd, store.Open, address, func(ctx context.Context, s store.Store, args []string) error {
		defer from.Close()
		rows, err := s.Restore(ctx, from)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		return p.Deliver(func(w *bufio.Writer) error { return p.WriteRecord(w, []cli.Field{{"rows", rows}}) })
	})
}
