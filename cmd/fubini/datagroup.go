package main

import "github.com/spf13/cobra"

func newData(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Look at, convert, divide and download rating data",
		Long: `Look at, convert, divide and download rating data. DATA is a file, a known folder
(MovieLens, Netflix), or - for standard input. The format is told by the content;
gzip, zstd and zip are read directly.`,
		Example: "  fubini data info ratings.csv\n  fubini data split ratings.csv --given 20 -o split",
	}
	var read dataFlags
	flags := cmd.PersistentFlags()
	flags.SortFlags = false
	addChoice(cmd, flags, "in-format", &read.from, readableFormats(), "format of the data; by its content if not given")
	read.add(cmd, flags)
	addChoice(cmd, flags, "incomplete", &read.incomplete, []string{"subset", "top"}, "items that a PrefLib order leaves out: subset, nothing is known of them; top, they stand below all others")
	return group(cmd, newDataInfo(p, &read), newDataConvert(p, &read), newDataSplit(p, &read), newDataFetch(p))
}
