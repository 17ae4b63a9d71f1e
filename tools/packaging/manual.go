package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// summary is the program in a line.
const summary = "Rankings with ties: worths from votes, tastes from tier lists, recommendations with odds"

// command is a line of a list of commands in a help text: name and summary.
var command = regexp.MustCompile(`(?m)^  ([a-z][a-z-]*) +(\S.*)$`)

// manual makes a manual page of every command from its help.
func manual(s *source, printed func(args ...string) ([]byte, error)) (pages []entry, err error) {
	var visit func(path []string, summary string) error
	visit = func(path []string, summary string) error {
		text, err := printed(append(path, "--help")...)
		if err != nil {
			return err
		}
		name := strings.Join(append([]string{"fubini"}, path...), "-")
		pages = append(pages, entry{"man/" + name + ".1", page(name, summary, s, string(text)), false})
		_, list, found := strings.Cut(string(text), "\nCommands:\n")
		if !found {
			return nil
		}
		list, _, _ = strings.Cut(list, "\n\n")
		for _, match := range command.FindAllStringSubmatch(list, -1) {
			if err := visit(append(append([]string{}, path...), match[1]), match[2]); err != nil {
				return err
			}
		}
		return nil
	}
	return pages, visit(nil, summary)
}

// heading is a line of a help text that begins a part.
var heading = regexp.MustCompile(`^[A-Z][A-Za-z ]*:$`)

// titles are what manual pages call the parts of a help text.
var titles = map[string]string{"Usage": "SYNOPSIS", "Example": "EXAMPLES", "Flags": "OPTIONS"}

// page is a help text as a manual page: headings become sections, with the usage first; paragraphs are filled, and indented lines stay
// as they are, from the left margin, because they may be as long as a terminal is wide.
func page(name, summary string, s *source, help string) []byte {
	sections := map[string]*bytes.Buffer{"DESCRIPTION": {}}
	order := []string{"SYNOPSIS", "DESCRIPTION"}
	out, kept := sections["DESCRIPTION"], false
	keep := func(on bool) {
		if on != kept {
			out.WriteString(map[bool]string{true: ".nf\n.in 0\n", false: ".in\n.fi\n"}[on])
		}
		kept = on
	}
	for line := range strings.Lines(strings.TrimSpace(help) + "\n") {
		line = strings.TrimRight(line, "\n")
		switch {
		case heading.MatchString(line):
			keep(false)
			title := strings.TrimSuffix(line, ":")
			if known, found := titles[title]; found {
				title = known
			}
			title = strings.ToUpper(title)
			if out = sections[title]; out == nil {
				out = &bytes.Buffer{}
				sections[title] = out
				if title != order[0] {
					order = append(order, title)
				}
			}
		case line == "":
			keep(false)
			out.WriteString(".PP\n")
		default:
			keep(strings.HasPrefix(line, " "))
			fmt.Fprintln(out, roff(line))
		}
	}
	keep(false)
	var all bytes.Buffer
	fmt.Fprintf(&all, ".TH %q 1 %q %q %q\n.nh\n.ad l\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name), s.time.Format("2006-01-02"), "fubini "+s.version, "fubini", roff(name), roff(summary))
	for _, title := range order {
		if section := sections[title]; section != nil {
			fmt.Fprintf(&all, ".SH %s\n%s\n", title, strings.TrimSuffix(strings.TrimSpace(section.String()), "\n.PP"))
		}
	}
	if name != "fubini" {
		all.WriteString(".SH SEE ALSO\n.BR fubini (1)\n")
	}
	return all.Bytes()
}

// roff is a line of text as the source of a manual page.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}
