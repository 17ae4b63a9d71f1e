package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits on what is stored. They are far above what the server lets through;
// they are here so that a backup's lines stay within what a restore reads.
const (
	maxText = 64 << 10 // bytes of an id, name or sentence
	maxBody = 16 << 20 // bytes of a JSON document
)

// checkText refuses text that the two databases would not keep alike: PostgreSQL
// takes neither broken UTF-8 nor the character 0.
func checkText(what, text string) error {
	switch {
	case len(text) > maxText:
		return fmt.Errorf("%s has %d bytes: %w; at most %d are kept", what, len(text), ErrInvalid, maxText)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return fmt.Errorf("%s %q: %w; want UTF-8 without the character 0", what, text, ErrInvalid)
	}
	return nil
}

// checkName refuses what checkText does, and nothing at all.
func checkName(what, text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%s is empty: %w", what, ErrInvalid)
	}
	return checkText(what, text)
}

func checkJSON(what string, text []byte) error {
	switch {
	case len(text) > maxBody:
		return fmt.Errorf("%s has %d bytes: %w; at most %d are kept", what, len(text), ErrInvalid, maxBody)
	case !json.Valid(text):
		return fmt.Errorf("%s is not JSON: %w", what, ErrInvalid)
	}
	return nil
}
