package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// command is a line of a list of commands in a help text.
var command = regexp.MustCompile(`(?m)^  ([a-z][a-z-]*)  +\S`)

// manual makes a manual page of every command from its help.
func manual(s *source, printed func(args ...string) ([]byte, error)) (pages []entry, err error) {
	var visit func(path []string) error
	visit = func(path []string) error {
		text, err := printed(append(path, "--help")...)
		if err != nil {
			return err
		}
		name := strings.Join(append([]string{"fubini"}, path...), "-")
		pages = append(pages, entry{"man/" + name + ".1", page(name, s, string(text)), false})
		_, list, found := strings.Cut(string(text), "\nCommands:\n")
		if !found {
			return nil
		}
		list, _, _ = strings.Cut(list, "\n\n")
		for _, match := range command.FindAllStringSubmatch("\n"+list, -1) {
			if err := visit(append(append([]string{}, path...), match[1])); err != nil {
				return err
			}
		}
		return nil
	}
	return pages, visit(nil)
}

// heading is a line of a help text that begins a part.
var heading = regexp.MustCompile(`^[A-Z][A-Za-z ]*:$`)

// page is a help text as a manual page: headings become sections, and the text keeps its lines.
func page(name string, s *source, help string) []byte {
	var out bytes.Buffer
	first, _, _ := strings.Cut(strings.TrimSpace(help), ". ")
	first = strings.Join(strings.Fields(strings.TrimSuffix(strings.SplitN(first, "\n\n", 2)[0], ".")), " ")
	fmt.Fprintf(&out, ".TH %q 1 %q %q %q\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n", strings.ToUpper(name), s.time.Format("2006-01-02"), "fubini "+s.version, "fubini", roff(name), roff(first))
	for line := range strings.Lines(strings.TrimSpace(help) + "\n") {
		line = strings.TrimRight(line, "\n")
		if heading.MatchString(line) {
			fmt.Fprintf(&out, ".fi\n.SH %s\n.nf\n", strings.ToUpper(strings.TrimSuffix(line, ":")))
			continue
		}
		fmt.Fprintln(&out, roff(line))
	}
	out.WriteString(".fi\n")
	return out.Bytes()
}

// roff is a line of text as the source of a manual page.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}
