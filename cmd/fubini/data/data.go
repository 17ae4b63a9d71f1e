package data

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/fetch"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
)

func newData(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Look at, convert, divide and download rating data",
		Long: `Look at, convert, divide and download rating data. DATA is a file, a known folder
(MovieLens, Netflix), or - for standard input. The format is detected from the content;
gzip, zstd and zip are read directly.`,
		Example: "  fubini data info ratings.csv\n  fubini data split ratings.csv --given 20 -o split",
	}
	var read input.DataFlags
	info, convert, split := newDataInfo(p, &read), newDataConvert(p, &read), newDataSplit(p, &read)
	flags := info.Flags()
	cli.AddChoice(info, flags, "in-format", &read.Format, format.Readable(), "format of the data; detected from its content if not given")
	read.Add(info, flags)
	cli.AddChoice(info, flags, "incomplete", &read.Incomplete, []string{"subset", "top"}, "items that a PrefLib order leaves out: subset, unranked; top, tied below all others")
	flags.VisitAll(func(f *pflag.Flag) { // they are the same for all three
		convert.Flags().AddFlag(f)
		split.Flags().AddFlag(f)
	})
	return cli.Group(cmd, info, convert, split, fetch.Command(p.Program))
}
