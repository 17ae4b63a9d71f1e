package data

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/data/survey"
	"fubini/data/text"
)

func newInfo(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "info")
	read := readFlags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		table := p.InTables()
		var records []cli.Record
		var last survey.Survey
		var users int
		for _, path := range args {
			set, report, err := input.Read(cmd.Context(), p, path, *read)
			if err != nil {
				return err
			}
			last, users = survey.Of(set), set.Users().Len()
			record := infoRecord(path, set, report, last)
			if !table {
				record = append(record, surveyFields(last, p.Format == "csv")...)
			}
			records = append(records, record)
			if table && len(args) > 1 {
				for _, warning := range last.Warnings {
					p.Tell("%s: %s", path, warning)
				}
			}
		}
		switch {
		case len(records) > 1:
			return p.Records(records)
		case table:
			return p.Deliver(func(w *bufio.Writer) error {
				if err := p.WriteRecord(w, records[0]); err != nil {
					return err
				}
				showSurvey(w, last, users)
				return nil
			})
		}
		return p.Record(records[0])
	}
	return cmd
}

// infoRecord is what is known of a file.
func infoRecord(path string, set *ratings.Set, report *format.Report, v survey.Survey) cli.Record {
	least, most := set.PerUser()
	named := set.Items().Named()
	if report.Titled {
		named = set.Items().Len()
	}
	return cli.Record{
		{"file", path}, {"format", report.Format},
		{"users", set.Users().Len()}, {"items", set.Items().Len()}, {"ratings", set.Len()}, {"levels", set.Distinct()},
		{"min_per_user", least}, {"max_per_user", most},
		{"scale", v.Scale}, {"times", set.HasTimes()}, {"first", day(v.First)}, {"last", day(v.Last)}, {"titles", named}, {"unplaced", report.Unplaced}, {"fingerprint", set.Fingerprint()},
	}
}

// day is the date of a time, or nil for none.
func day(seconds int64) any {
	if seconds == ratings.NoTime {
		return nil
	}
	return survey.Day(seconds)
}

// surveyFields are the fields of a survey that a table shows in words.
func surveyFields(v survey.Survey, joined bool) (record cli.Record) {
	values, counts := make([]float64, len(v.Histogram)), make([]float64, len(v.Histogram))
	for k, bar := range v.Histogram {
		values[k], counts[k] = bar.Value, float64(bar.Count)
	}
	record = cli.Record{{"values", values}, {"counts", counts},
		{"one_level_users", v.OneLevelUsers}, {"one_rating_users", v.OneRatingUsers}, {"one_rating_items", v.OneRatingItems}}
	for k, given := range survey.Given {
		var users, items any
		if v.Paper != nil {
			users, items = v.Paper[k].Users, v.Paper[k].Items
		}
		record = append(record, cli.Field{fmt.Sprintf("paper_users_%d", given), users}, cli.Field{fmt.Sprintf("paper_items_%d", given), items})
	}
	var warnings any = append([]string{}, v.Warnings...)
	if joined {
		warnings = strings.Join(v.Warnings, "; ")
	}
	return append(record, cli.Field{"warnings", warnings})
}

// showSurvey writes the histogram, what would be left out, and the warnings. Of one person's ratings nothing is left out in
// training, because nothing is trained on them.
func showSurvey(w *bufio.Writer, v survey.Survey, users int) {
	const longest = 40
	most, width := 1, 0
	for _, bar := range v.Histogram {
		most, width = max(most, bar.Count), max(width, utf8.RuneCountInString(exit.Printable(bar.Name)))
	}
	digits := len(fmt.Sprint(most))
	fmt.Fprintln(w)
	for _, bar := range v.Histogram {
		length := (bar.Count*longest + most - 1) / most // one at least, if there is a rating
		line := fmt.Sprintf("%*s  %*d  %s", width, exit.Printable(bar.Name), digits, bar.Count, strings.Repeat("#", length))
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	fmt.Fprintln(w)
	entry := func(name, format string, args ...any) {
		const column = 22
		fmt.Fprintf(w, "%-*s%s\n", column, name, cli.Folded(fmt.Sprintf(format, args...), column))
	}
	if users == 1 {
		fmt.Fprintln(w, cli.Folded("one person's ratings: --tiers of recommend and explain takes them; train needs those of many people", 0))
	} else {
		entry("left out in training", "%s with one level, which says nothing of taste; %s one rating", text.Count(v.OneLevelUsers, "user", "users"), text.Count(v.OneRatingItems, "item has", "items have"))
	}
	for _, kept := range v.Paper {
		entry(fmt.Sprintf("kept by --given %d", kept.Given), "%s with %d ratings or more, and %s, of the half on which people agree least", text.Count(kept.Users, "user", "users"), kept.Given+10, text.Count(kept.Items, "item", "items"))
	}
	for _, warning := range v.Warnings {
		fmt.Fprintln(w, cli.Folded("warning: "+exit.Printable(warning), 0))
	}
}
