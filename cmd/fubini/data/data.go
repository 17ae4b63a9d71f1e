package data

import (
	"github.com/spf13/cobra"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/fetch"
	"fubini/cmd/fubini/input"
)

func newData(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Look at, convert, divide and download rating data",
		Long: `Look at, convert, divide and download rating data. DATA is a file, a known folder
(MovieLens, Netflix), or - for standard input. The format is told by the content;
gzip, zstd and zip are read directly.`,
		Example: "  fubini data info ratings.csv\n  fubini data split ratings.csv --given 20 -o split",
	}
	var read input.DataFlags
	flags := cmd.PersistentFlags()
	cli.AddChoice(cmd, flags, "in-format", &read.Format, input.ReadableFormats(), "format of the data; by its content if not given")
	read.Add(cmd, flags)
	cli.AddChoice(cmd, flags, "incomplete", &read.Incomplete, []string{"subset", "top"}, "items that a PrefLib order leaves out: subset, nothing is known of them; top, they stand below all others")
	return cli.Group(cmd, newDataInfo(p, &read), newDataConvert(p, &read), newDataSplit(p, &read), fetch.Command(p.Program))
}
