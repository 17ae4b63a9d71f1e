package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/app/store"
	"fubini/cmd/fubini/cli"
	"fubini/data/text"
)

// DB is the command fubini db, which holds the commands on the server's store.
func DB(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "db")
	address := addDatabase(p, cmd, cmd.PersistentFlags())
	return cli.Group(cmd, newDBMigrate(p, address), newDBBackup(p, address), newDBRestore(p, address), newDBLists(p, address), newDBDelete(p, address))
}

func newDBMigrate(p *cli.Program, address *string) *cobra.Command {
	cmd := cli.Page(pages, "migrate")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		from, to, err := store.Migrate(cmd.Context(), *address)
		if err != nil {
			return storeError(err)
		}
		return p.Record(cli.Record{{"from", from}, {"to", to}})
	}
	return cmd
}

func newDBBackup(p *cli.Program, address *string) *cobra.Command {
	cmd := cli.Page(pages, "backup")
	cmd.Annotations = map[string]string{cli.OwnFormat: "jsonl"}
	return withStore(cmd, store.OpenExisting, address, func(ctx context.Context, s store.Store, _ []string) (err error) {
		if cmd.Flags().Changed("format") && p.Format != "jsonl" {
			return exit.Usagef("--format: a backup is jsonl, not %s", p.Format)
		}
		var rows int64
		err = p.Private().Deliver(func(w *bufio.Writer) error {
			rows, err = s.Backup(ctx, w)
			return err
		})
		if err == nil {
			p.Tell("%s", text.Count(int(rows), "row", "rows"))
		}
		return err
	})
}

func newDBRestore(p *cli.Program, address *string) *cobra.Command {
	cmd := cli.Page(pages, "restore")
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
		return p.Record(cli.Record{{"rows", rows}})
	})
}

func newDBLists(p *cli.Program, address *string) *cobra.Command {
	return withStore(cli.Page(pages, "lists"), store.OpenExisting, address, func(ctx context.Context, s store.Store, _ []string) error {
		var records []cli.Record
		for page := (store.Page{Limit: 1000}); ; {
			lists, next, err := s.ListLists(ctx, page)
			if err != nil {
				return err
			}
			for _, list := range lists {
				records = append(records, cli.Record{
					{"id", list.ID}, {"key", cli.OrNil(list.Maker)}, {"bytes", list.Size}, {"created", moment(list.Created)}, {"updated", moment(list.Updated)},
				})
			}
			if next == "" {
				break
			}
			page.Cursor = next
		}
		return p.Private().Deliver(func(w *bufio.Writer) error { return p.WriteRecords(w, records) })
	})
}

func newDBDelete(p *cli.Program, address *string) *cobra.Command {
	return withStore(cli.Page(pages, "delete"), store.OpenExisting, address, func(ctx context.Context, s store.Store, args []string) error {
		var failed []error
		for _, id := range args {
			if err := audit(ctx, s, "list.delete", strconv.Quote(id[:min(8, len(id))]+"…")); err != nil {
				return err
			}
			if err := s.RemoveList(ctx, id, store.Any); err != nil {
				failed = append(failed, err)
			}
		}
		err := p.Record(cli.Record{{"deleted", len(args) - len(failed)}})
		return errors.Join(append(failed, err)...)
	})
}
