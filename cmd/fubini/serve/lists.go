package serve

import (
	"bufio"
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"fubini/app/store"
	"fubini/cmd/fubini/cli"
)

func newDBLists(p *program, address *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lists",
		Short: "Show the saved lists",
		Long: `Show the saved lists, the newest first: id, API key of its maker, size and times, not
the contents. Anyone with the id of a list can read it: keep the output private.`,
		Example: "  fubini db lists --db sqlite:fubini.db\n  fubini db lists --format csv -o lists.csv",
		Args:    cli.NoArguments,
	}
	return withStore(cmd, store.OpenExisting, address, func(ctx context.Context, s store.Store, _ []string) error {
		var records [][]cli.Field
		for page := (store.Page{Limit: 1000}); ; {
			lists, next, err := s.ListLists(ctx, page)
			if err != nil {
				return err
			}
			for _, list := range lists {
				records = append(records, []cli.Field{
					{"id", list.ID}, {"key", maker(list)}, {"bytes", list.Size}, {"created", moment(list.Created)}, {"updated", moment(list.Updated)},
				})
			}
			if next == "" {
				break
			}
			page.Cursor = next
		}
		private := p.Results()
		private.Permissions = 0o600
		return private.Deliver(func(w *bufio.Writer) error { return p.WriteRecords(w, records) })
	})
}

// maker is the API key that a list was made with; nil for none.
func maker(list store.List) any {
	if list.Maker == "" {
		return nil
	}
	return list.Maker
}

func newDBDelete(p *program, address *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete ID...",
		Short: "Delete saved lists",
		Long: `Delete saved lists of any maker for good. Each deletion is written into the audit log
first. A running server then answers 404 for them. DELETE /v1/lists/ID does the same
with an API key of the scope admin.`,
		Example: "  fubini db delete mZ3kQ0xW7bT2yR9cV5nA1s --db sqlite:fubini.db",
		Args:    cli.AtLeastOne("ID"),
	}
	return withStore(cmd, store.OpenExisting, address, func(ctx context.Context, s store.Store, args []string) error {
		var failed []error
		deleted := 0
		for _, id := range args {
			part := id[:min(8, len(id))]
			if err := audit(ctx, s, "list.delete", strconv.Quote(part+"…")); err != nil {
				return err
			}
			if err := s.RemoveList(ctx, id, store.Any); err != nil {
				failed = append(failed, err)
				continue
			}
			deleted++
		}
		err := p.Deliver(func(w *bufio.Writer) error { return p.WriteRecord(w, []cli.Field{{"deleted", deleted}}) })
		return errors.Join(append(failed, err)...)
	})
}
