package input

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"fubini/app/exit"
	"fubini/app/lookup"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/terminal"
	"fubini/data/text"
	"fubini/data/titles"
	"fubini/learn/modelstore"
	"fubini/model"
)

// Items finds the items of a model by ids or titles. Where several items fit a title, the user of a terminal is asked which it is; elsewhere the
// items are listed. The file of --match keeps the answers.
type Items struct {
	*lookup.Finder
	saved *modelstore.Saved
	p     *cli.Program
	ctx   context.Context // of the command: an interrupt ends a question
	path  string          // of --match; empty for none
	rows  [][]string      // of that file
	row   map[string]int  // the first row of a title
	ask   *bufio.Reader   // the terminal; nil where nobody can be asked
}

// NewItems returns a finder of a model's items. Inputs are the paths that the command reads: nobody is asked if one of them
// is standard input.
func NewItems(ctx context.Context, p *cli.Program, saved *modelstore.Saved, match string, inputs ...string) (*Items, error) {
	x := &Items{Finder: lookup.New(saved), saved: saved, p: p, ctx: ctx, path: match, row: map[string]int{}}
	if in, is := p.Stdin.(*os.File); is && !slices.Contains(inputs, "-") && !p.Quiet && terminal.IsTerminal(in) && terminal.IsTerminal(p.Stderr) {
		x.ask = bufio.NewReader(in)
	}
	if match == "" {
		return x, nil
	}
	file, err := os.Open(match)
	if errors.Is(err, fs.ErrNotExist) {
		return x, nil
	} else if err != nil {
		return nil, fmt.Errorf("--match: %w", err)
	}
	defer file.Close()
	return x, x.read(file)
}

// mostShown is the number of names in a message.
const mostShown = 5

// listed names some items, with their ids.
func (x *Items) listed(items []int) string {
	var names []string
	for _, i := range items[:min(len(items), mostShown)] {
		name := x.Name(i)
		if id := x.saved.ItemIDs[i]; id != name {
			name += " [" + id + "]"
		}
		names = append(names, name)
	}
	if len(items) > mostShown {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// One returns the item that the value of a flag names.
func (x *Items) One(flag, text string) (int, error) {
	i, err := x.Named(text)
	if err != nil && x.ctx.Err() == nil {
		err = exit.Usagef("--%s: %w", flag, err)
	}
	if err != nil {
		return 0, err
	}
	return i, x.save()
}

// Named returns the item that a text names, or an error with the items that it may be, or the closest names.
func (x *Items) Named(text string) (int, error) {
	m := x.Find(text)
	if m.How == titles.Ambiguous && x.choose(lookup.Question{Named: lookup.Named{Text: text}, Items: m.Candidates}) {
		m = x.Find(text)
	}
	if err := x.ctx.Err(); err != nil {
		return 0, err
	}
	switch m.How {
	case titles.Guess:
		x.p.Tell("%s is taken for %s", cli.Quote(text), x.listed([]int{m.Item}))
	case titles.Ambiguous:
		return 0, fmt.Errorf("%s may be one of several: %s; add the year, or give the id", cli.Quote(text), x.listed(m.Candidates))
	case titles.None:
		near := cmp.Or(x.near(text), ", and none with a name like it; fubini items MODEL WORD lists those with a word in their names")
		return 0, fmt.Errorf("the model has no item %s%s", cli.Quote(text), near)
	}
	return m.Item, nil
}

// near is the end of a message about a text that names no item.
func (x *Items) near(text string) string {
	if close := x.Closest(text, 3); len(close) > 0 {
		return "; the closest names are " + x.listed(close)
	}
	return ""
}

// Person reads the preferences of one person from a file, an export, or standard input: the items that the model has, and those
// that the person has seen and not rated. What is not found is listed, and an error by the policy of --unknown, or if nothing
// is found at all.
func (x *Items) Person(ctx context.Context, path string, f DataFlags, policy string) (person model.Person, seen []int, err error) {
	nobody := model.Person{Index: -1}
	export, err := readPersonal(ctx, x.p, path, f, x.Known)
	switch {
	case err != nil:
		return nobody, nil, err
	case len(export.People) == 0:
		return nobody, nil, nil
	case len(export.People) > 1:
		return nobody, nil, fmt.Errorf("--tiers: %s holds %d users; it must hold one", path, len(export.People))
	}
	person, seen, report := x.Finder.Person(export, &export.People[0])
	asked := false
	for _, each := range report.Open {
		asked = x.choose(each) || asked
	}
	if err := ctx.Err(); err != nil {
		return person, seen, err
	}
	if asked {
		person, seen, report = x.Finder.Person(export, &export.People[0])
	}
	if err := x.keep(&report); err != nil {
		return person, seen, err
	}
	if report.Found() == 0 && report.Read > 0 {
		return person, seen, fmt.Errorf("--tiers: %s: %s: %s; the model has items such as %s", path, noneOf(report.Read), x.unfound(&report), x.listed(x.saved.MostRated(0)))
	}
	if policy == "error" && len(report.Missing)+len(report.Open) > 0 {
		return person, seen, fmt.Errorf("--tiers: %s: %s not in the model: %s", path, text.Count(len(report.Missing)+len(report.Open), "item is", "items are"), x.unfound(&report))
	}
	if line := found(&report); line != "" {
		x.p.Tell("%s: %s", path, line)
	}
	if line := tiersOfRatings(report.Ratings); line != "" {
		x.p.Tell("%s: %s", path, line)
	}
	if report.Outside {
		x.p.Tell("%s: ratings are outside the model's scale, %g to %g: only their order counts", path, x.saved.Low, x.saved.High)
	}
	x.tell(&report)
	x.waiting()
	return person, seen, nil
}

// noneOf says that no item of a file is in the model.
func noneOf(n int) string {
	if n == 1 {
		return "its only item is not in the model"
	}
	return fmt.Sprintf("none of its %d items is in the model", n)
}

// unfound names what was not found, with the closest names.
func (x *Items) unfound(r *lookup.Report) string {
	var all []string
	for _, each := range r.Missing[:min(len(r.Missing), 3)] {
		all = append(all, each.Text+x.near(each.Text))
	}
	for _, each := range r.Open[:min(len(r.Open), 3)] {
		all = append(all, fmt.Sprintf("%s, which may be %s", each.Text, x.listed(each.Items)))
	}
	list := strings.Join(all, "; ")
	if rest := len(r.Missing) + len(r.Open) - len(all); rest > 0 {
		list += fmt.Sprintf("; and %d more", rest)
	}
	return list
}

// tell writes what was found only by its title, and what was not.
func (x *Items) tell(r *lookup.Report) {
	if len(r.Guessed) > 0 {
		var all []string
		for _, g := range r.Guessed[:min(len(r.Guessed), mostShown)] {
			all = append(all, fmt.Sprintf("%s is %s (%.2f)", g.Text, x.Name(g.Item), g.Score))
		}
		more := ""
		if rest := len(r.Guessed) - len(all); rest > 0 {
			more = fmt.Sprintf("; and %d more", rest)
		}
		x.p.Tell("%d guessed by title: %s%s", len(r.Guessed), strings.Join(all, "; "), more)
	}
	for k, each := range r.Open {
		if k == mostShown {
			x.p.Tell("%s left out too, because they may be one of several items", text.Count(len(r.Open)-k, "more title is", "more titles are"))
			break
		}
		x.p.Tell("%s may be one of several items and is left out: %s", cli.Quote(each.Text), x.listed(each.Items))
	}
	if len(r.Open) > 0 && x.path == "" {
		x.p.Tell("add the year, give the id, or keep answers in a file: --match FILE")
	}
	if len(r.Twice) > 0 {
		x.p.Tell("%d left out, because another title of the file is the same item: %s", len(r.Twice), cli.Shorten(texts(r.Twice)))
	}
	missing := slices.DeleteFunc(slices.Clone(r.Missing), func(each lookup.Named) bool {
		_, answered := x.Answered(each.Text) // that no item is meant
		return answered
	})
	if len(missing) > 0 {
		x.p.Tell("%s not in the model: %s", text.Count(len(missing), "item is", "items are"), cli.Shorten(texts(missing)))
		for _, each := range missing[:min(len(missing), 3)] {
			if near := x.near(each.Text); near != "" {
				x.p.Tell("%s:%s", cli.Quote(each.Text), strings.TrimPrefix(near, ";"))
			}
		}
	}
}

// texts are the texts of items, in quotes where a comma is part of one.
func texts(all []lookup.Named) (list []string) {
	for _, each := range all {
		text := each.Text
		if strings.Contains(text, ",") {
			text = cli.Quote(text)
		}
		list = append(list, text)
	}
	return list
}

// found says how many items of a file are in the model, and how they were found; empty where all of them have its ids.
func found(r *lookup.Report) string {
	byTitle := r.Matched["exact"] + r.Matched["folded"]
	if r.Matched["id"] == r.Read {
		return ""
	}
	var ways []string
	for _, way := range []struct {
		n    int
		name string
	}{{r.Matched["id"], "by id"}, {byTitle, "by title"}, {r.Matched["alternative"], "by another title"}, {len(r.Guessed), "guessed"}} {
		if way.n > 0 {
			ways = append(ways, fmt.Sprintf("%d %s", way.n, way.name))
		}
	}
	return fmt.Sprintf("%d of %s found in the model: %s", r.Found()+len(r.Twice), text.Count(r.Read, "item", "items"), strings.Join(ways, ", "))
}

// tiersOfRatings says which rating each tier is, where the ratings of a person, best first, are the tiers; empty for less than two.
func tiersOfRatings(ratings []float32) string {
	if len(ratings) < 2 {
		return ""
	}
	all := make([]string, len(ratings))
	for k, value := range ratings {
		all[k] = fmt.Sprint(value)
	}
	if len(all) > 12 {
		all = append(all[:10:10], "…", all[len(all)-1])
	}
	return fmt.Sprintf("tiers 1 to %d are the ratings %s", len(ratings), strings.Join(all, ", "))
}

// choose asks on a terminal which item a text means, and reports whether there was an answer.
func (x *Items) choose(q lookup.Question) bool {
	if x.ask == nil {
		return false
	}
	fmt.Fprintf(x.p.Stderr, "%s may be\n", cli.Quote(q.Text))
	for k, i := range q.Items {
		fmt.Fprintf(x.p.Stderr, "  %d  %s\n", k+1, exit.Printable(x.listed([]int{i})))
	}
	for {
		fmt.Fprintf(x.p.Stderr, "which one? 1 to %d, 0 for none of them, Enter to leave it open: ", len(q.Items))
		line, err := cli.Await(x.ctx, func() (string, error) { return x.ask.ReadString('\n') })
		number, wrong := strconv.Atoi(strings.TrimSpace(line))
		switch {
		case wrong == nil && number == 0:
			x.Answer(q.Text, -1)
			x.note(q.Text, "-", "")
			return true
		case wrong == nil && 1 <= number && number <= len(q.Items):
			i := q.Items[number-1]
			x.Answer(q.Text, i)
			x.note(q.Text, x.saved.ItemIDs[i], x.Name(i))
			return true
		case err != nil: // nobody is there any more
			fmt.Fprintln(x.p.Stderr)
			x.ask = nil
			return false
		case strings.TrimSpace(line) == "":
			return false
		}
	}
}
