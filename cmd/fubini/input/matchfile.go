package input

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"fubini/app/lookup"
	"fubini/cmd/fubini/cli"
	"fubini/data/personal"
)

// matchHeader is the header of the file of --match. An item - is none of the model's; an empty one is an open question.
var matchHeader = []string{"title", "item", "name"}

// read takes the answers of a file.
func (x *Items) read(from io.Reader) error {
	r := csv.NewReader(from)
	r.FieldsPerRecord = -1
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("--match: %s: %w", x.path, err)
		}
		line, _ := r.FieldPos(0)
		switch {
		case line == 1 && row[0] == matchHeader[0]:
			continue
		case len(row) < 2:
			return fmt.Errorf("--match: %s:%d: %s has no item; rows are title,item", x.path, line, cli.Quote(row[0]))
		}
		for k := range row {
			row[k] = personal.Uncalm(row[k])
		}
		if _, there := x.row[row[0]]; !there {
			x.row[row[0]] = len(x.rows)
		}
		x.rows = append(x.rows, row)
		switch i, known := x.saved.Find(row[1]); {
		case row[1] == "": // still open
		case row[1] == "-":
			x.Answer(row[0], -1)
		case known:
			x.Answer(row[0], i)
		default:
			return fmt.Errorf("--match: %s:%d: the model has no item %s; write an id, - for none, or nothing", x.path, line, cli.Quote(row[1]))
		}
	}
}

// note adds a row to the file of --match, or fills one that was open.
func (x *Items) note(text, item, name string) {
	row := []string{text, item, name}
	switch at, there := x.row[text]; {
	case !there:
		x.row[text] = len(x.rows)
		x.rows = append(x.rows, row)
	case x.rows[at][1] == "":
		x.rows[at] = row
	}
}

// save writes the file of --match.
func (x *Items) save() error {
	if x.path == "" {
		return nil
	}
	return cli.Destination{Flag: "--match", Path: x.path, Stdout: x.p.Stdout}.Deliver(func(w *bufio.Writer) error {
		out := csv.NewWriter(w)
		err := out.Write(matchHeader)
		for _, row := range x.rows {
			calm := make([]string, len(row))
			for k, cell := range row {
				if calm[k] = cell; k != 1 || cell != "-" { // none of the items
					calm[k] = personal.Calm(cell) // a title must not become a formula in a spreadsheet
				}
			}
			err = errors.Join(err, out.Write(calm))
		}
		out.Flush()
		return errors.Join(err, out.Error())
	})
}

// keep notes questions, guesses and what is missing in the file of --match.
func (x *Items) keep(r *lookup.Report) error {
	if x.path == "" {
		return nil
	}
	for _, g := range r.Guessed {
		x.note(g.Text, x.saved.ItemIDs[g.Item], x.Name(g.Item))
	}
	for _, each := range r.Open {
		x.note(each.Text, "", x.listed(each.Items))
	}
	const most = 100 // names that are looked for the closest ones
	for k, each := range r.Missing {
		if _, answered := x.Answered(each.Text); answered {
			continue
		}
		closest := ""
		if k < most {
			closest = x.listed(x.Closest(each.Text, 3))
		}
		x.note(each.Text, "", closest)
	}
	return x.save()
}

// waiting tells how many titles in the file of --match have no answer.
func (x *Items) waiting() {
	open := 0
	for _, row := range x.rows {
		if row[1] == "" {
			open++
		}
	}
	if open > 0 {
		x.p.Tell("%s: %d without an answer, left out; to use one, write the id of its item into the column item, or - if it has none", x.path, open)
	}
}
