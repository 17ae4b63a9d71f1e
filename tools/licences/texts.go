package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// choices are modules that leave a choice, with the text of the licence that we take and what it asks to be said.
var choices = map[string]struct{ licence, file, says string }{
	"github.com/golang/freetype": {
		licence: "FTL", file: "licenses/ftl.txt",
		says: "github.com/golang/freetype is offered under the FreeType License or the GPL; here it is used\nunder the FreeType License (FTL). Portions of this software are copyright © 2010 The FreeType\nProject (www.freetype.org). All rights reserved.",
	},
	"github.com/ajstarks/svgo": {
		licence: "CC-BY-4.0",
		says:    "github.com/ajstarks/svgo is by Anthony Starks, used unchanged under the Creative Commons\nAttribution 4.0 International Public License (https://creativecommons.org/licenses/by/4.0/).",
	},
}

// marks tell a licence by words that stand in its text; the first that fits counts.
var marks = []struct {
	licence string
	words   []string
}{
	{"OFL-1.1", []string{"sil open font license", "version 1.1"}},
	{"CC-BY-4.0", []string{"creative commons attribution 4.0 international"}},
	{"FTL", []string{"the freetype project license", "freetype archive"}},
	{"Apache-2.0", []string{"apache license", "version 2.0"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "may be used to endorse or promote"}},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}},
	{"MIT", []string{"permission is hereby granted, free of charge"}},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose"}},
	{"public domain", []string{"public domain"}},
}

// identify names the licence of a text, or nothing.
func identify(text string) string {
	plain := strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, mark := range marks {
		if !slices.ContainsFunc(mark.words, func(words string) bool { return !strings.Contains(plain, words) }) {
			return mark.licence
		}
	}
	return ""
}

// isLicence says by its name whether a file holds a licence, or a notice that has to go with it.
func isLicence(name string) bool {
	return licenceName.MatchString(name) && !slices.Contains([]string{".go", ".py"}, strings.ToLower(filepath.Ext(name)))
}

var licenceName = regexp.MustCompile(`^(?i:licen[sc]e|copying|notice|patents|ofl|unlicense)`)

// read fills in the texts and licences of a part.
func (p *part) read() error {
	var files []string
	for _, folder := range p.folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if !entry.IsDir() && isLicence(entry.Name()) {
				files = append(files, filepath.Join(folder, entry.Name()))
			}
		}
	}
	choice := choices[p.name]
	if choice.file != "" {
		files = append(files, filepath.Join(p.root, filepath.FromSlash(choice.file)))
	}
	slices.Sort(files)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text := tidy(string(raw))
		if text == "" {
			continue
		}
		p.texts = append(p.texts, text)
		if licence := identify(text); licence != "" && !slices.Contains(p.licences, licence) {
			p.licences = append(p.licences, licence)
		}
	}
	slices.Sort(p.licences)
	if choice.licence != "" && !slices.Contains(p.licences, choice.licence) {
		return fmt.Errorf("%s %s has no text of the licence %s", p.name, p.version, choice.licence)
	}
	if len(p.licences) == 0 {
		return fmt.Errorf("%s %s: no licence was recognised in %q; look at it, and add it to marks in tools/licences/texts.go", p.name, p.version, files)
	}
	return nil
}

// tidy takes away what differs between copies of one text without meaning anything.
func tidy(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\f", "\n")) {
		b.WriteString(strings.TrimRight(line, " \t\r\n") + "\n")
	}
	return strings.Trim(b.String(), "\n")
}

const rule = "--------------------------------------------------------------------------------"

// list puts the names first and then every text once, under the names of the parts that it belongs to.
func list(parts []*part) []byte {
	var b bytes.Buffer
	b.WriteString("Third-party software in fubini\n\n" +
		"fubini itself is under the Apache License 2.0. The program contains the parts listed here,\n" +
		"each under its own licence; the texts follow. Made by tools/licences: do not edit.\n\n")
	for _, p := range parts {
		fmt.Fprintln(&b, strings.TrimSpace(p.name+" "+p.version)+": "+strings.Join(p.licences, ", "))
	}
	for _, p := range parts {
		if says := choices[p.name].says; says != "" {
			b.WriteString("\n" + says + "\n")
		}
	}
	var texts []string
	owners := map[string][]string{}
	for _, p := range parts {
		for _, text := range p.texts {
			if owners[text] == nil {
				texts = append(texts, text)
			}
			if !slices.Contains(owners[text], p.name) {
				owners[text] = append(owners[text], p.name)
			}
		}
	}
	for _, text := range texts {
		b.WriteString("\n" + rule + "\n" + strings.Join(owners[text], "\n") + "\n" + rule + "\n\n" + text + "\n")
	}
	return b.Bytes()
}
