package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoticesAreComplete makes the notices again: a module of the build that is new, gone or of another version differs.
func TestNoticesAreComplete(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := notices(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, output))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	for line := range strings.Lines(string(want)) {
		if !strings.Contains(string(got), line) {
			t.Logf("not there: %s", line)
		}
	}
	t.Errorf("%s is not what the program is built from: cd tools && go run ./licences", output)
}

func TestLicencesAreToldApart(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004":                                                                                              "Apache-2.0",
		"Redistribution and use in source and binary\nforms, with or without modification":                                                          "BSD-2-Clause",
		"Redistribution and use in source and binary forms ... Neither the name of Google Inc. nor ... may be\nused to endorse or promote products": "BSD-3-Clause",
		"Permission is hereby granted, free of charge, to any person":                                                                               "MIT",
		"SIL OPEN FONT LICENSE Version 1.1":                                                                                                         "OFL-1.1",
		"You may use this on Tuesdays.":                                                                                                             "",
		"Use is subject to your choice: The FreeType License, which is similar to the original BSD license, or The GNU General Public License (GPL), version": "",
	} {
		if got := identify(text); got != want {
			t.Errorf("%.40q is taken for %q, want %q", text, got, want)
		}
	}
}

// A module whose licence nobody has looked at stops the command.
func TestUnknownLicencesAreRefused(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "LICENSE"), []byte("You may use this on Tuesdays."), 0o666); err != nil {
		t.Fatal(err)
	}
	p := &part{name: "example.org/tuesdays", root: folder, folders: []string{folder}}
	if err := p.read(); err == nil || !strings.Contains(err.Error(), "example.org/tuesdays") {
		t.Errorf("got %v and %v", p.licences, err)
	}
}
