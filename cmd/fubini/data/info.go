package data

import (
	"bufio"

	"github.com/spf13/cobra"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
)

func newDataInfo(p *program, read *input.DataFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info FILE...",
		Short: "Show the format and the size of data",
		Long: `Show the format of files and the numbers of users, items, ratings and distinct rating
values (levels), and the smallest and largest number of ratings of a user. In PrefLib
files users are voters: an order with a count stands for that many voters.`,
		Example:     "  fubini data info ml-1m/ratings.dat sushi.soc --format json",
		Args:        cli.AtLeastOne("FILE"),
		Annotations: map[string]string{cli.Arguments: "read"},
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.Deliver(func(w *bufio.Writer) error {
			var records [][]cli.Field
			for _, path := range args {
				set, report, err := input.Read(cmd.Context(), p.Program, path, *read)
				if err != nil {
					return err
				}
				least, most := set.PerUser()
				records = append(records, []cli.Field{
					{"file", path}, {"format", report.Format},
					{"users", set.Users().Len()}, {"items", set.Items().Len()}, {"ratings", set.Len()}, {"levels", set.Distinct()},
					{"min_per_user", least}, {"max_per_user", most},
					{"times", set.HasTimes()}, {"titles", set.Items().Named()}, {"fingerprint", set.Fingerprint()},
				})
			}
			if len(records) == 1 {
				return p.WriteRecord(w, records[0])
			}
			return p.WriteRecords(w, records)
		})
	}
	return cmd
}
