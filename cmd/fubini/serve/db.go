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
		Short: "Look after the server's store",
		Long: `Look after the server's store, which keeps saved lists, API keys, jobs and the audit
log: bring its tables up to date, back it up while the server runs, restore it, and
see and delete people's lists.
The store is a SQLite file or a PostgreSQL database; a backup of one can be
restored into the other.`,
		Example: "  fubini db migrate\n  fubini db backup -o backup.jsonl\n  fubini db restore backup.jsonl --db sqlite:new.db",
	}
	addDatabase(cmd.PersistentFlags(), &address)
	return cli.Group(cmd, newDBMigrate(p, &address), newDBBackup(p, &address), newDBRestore(p, &address), newDBLists(p, &address), newDBDelete(p, &address))
}

// addDatabase adds the flag that names the store.
func addDatabase(flags *pflag.FlagSet, address *string) {
	*address = "sqlite:fubini.db"
	cli.AddFlag(flags, "db", "", address, "URL", parseDatabase,
		"the store: sqlite:FILE or postgres://USER@HOST/DATABASE; FUBINI_DB keeps a password out of sight of other users")
	cli.Mark(flags, "db", cli.Role, cli.ReadsFile)
}

func parseDatabase(text string) (string, error) {
	if text == "" {
		return "", errors.New("the address of the store is missing, as in sqlite:fubini.db")
	}
	return text, nil
}

// useStore opens a store, hands it to work and closes it.
func useStore(ctx context.Context, open func(context.Context, string) (store.Store, error), address string, work func(store.Store) error) error {
	s, err := open(ctx, address)
	if errors.Is(err, store.ErrInvalid) {
		return exit.Usagef("--db: %w", err)
	}
	if err != nil {
		return fmt.Errorf("--db: %w", err)
	}
	return errors.Join(work(s), s.Close())
}

func newDBMigrate(p *program, address *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the tables of the store up to date",
		Long: `Bring the tables of the store up to date, and make them where there are none. It
goes forward only, in one transaction; data stays. The server does the same when it
starts; this is for those who would rather do it before, after a backup.`,
		Example: "  fubini db migrate --db sqlite:fubini.db",
		Args:    cli.NoArguments,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		from, to, err := store.Migrate(cmd.Context(), *address)
		if errors.Is(err, store.ErrInvalid) {
			return exit.Usagef("--db: %w", err)
		}
		if err != nil {
			return fmt.Errorf("--db: %w", err)
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
		Short: "Write all that the store holds to a file",
		Long: `Write all that the store holds at one moment, as lines of JSON with a checksum at
the end, to --output or standard output. The server may go on meanwhile. The file
holds people's lists and the ids that open them, keys and owners' secrets only as
hashes; only its owner may read it.`,
		Example:     "  fubini db backup --db sqlite:fubini.db -o backup.jsonl",
		Args:        cli.NoArguments,
		Annotations: map[string]string{cli.OwnFormat: "jsonl"},
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("format") && p.Format != "jsonl" {
			return exit.Usagef("--format: a backup is jsonl, not %s", p.Format)
		}
		return useStore(cmd.Context(), store.OpenExisting, *address, func(s store.Store) error {
			private := p.Results()
			private.Permissions = 0o600
			var rows int64
			err := private.Deliver(func(w *bufio.Writer) (err error) {
				rows, err = s.Backup(cmd.Context(), w)
				return err
			})
			if err == nil {
				p.Tell("%d rows", rows)
			}
			return err
		})
	}
	return cmd
}

func newDBRestore(p *program, address *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Read a backup into an empty store",
		Long: `Read a backup into an empty store, which is made where there is none; all of it or
nothing. FILE may be - for standard input. A file that is cut short or altered is
refused, as is a store that holds anything.`,
		Example: "  fubini db restore backup.jsonl --db sqlite:new.db\n  fubini db restore backup.jsonl --db postgres://fubini@localhost/fubini",
		Args:    cli.OneArgument("FILE"),

		Annotations: map[string]string{cli.Arguments: "read"},
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var from io.Reader = p.Stdin
		if args[0] != "-" {
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			from = file
		}
		return useStore(cmd.Context(), store.Open, *address, func(s store.Store) error {
			rows, err := s.Restore(cmd.Context(), from)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return p.Deliver(func(w *bufio.Writer) error {
				return p.WriteRecord(w, []cli.Field{{"rows", rows}})
			})
		})
	}
	return cmd
}
