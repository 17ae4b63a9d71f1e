package job

import (
	"errors"
	"regexp"
	"strings"
)

// Runners wrap the error of a worker into pages of their own. So ours travels between
// marks, by which it is found again, wherever the runner tells of it.
const opening, closing = "⟦fubini: ", "⟧"

var marked = regexp.MustCompile(`(?s)⟦fubini: (.*?)⟧`)

// Fail marks an error on its way from a worker to the one who started the job.
func Fail(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(opening + strings.NewReplacer("⟦", "[", "⟧", "]", "\n", " ").Replace(err.Error()) + closing)
}

// found is what a runner's text holds of ours, or "".
func found(text string) string {
	match := marked.FindStringSubmatch(text)
	if match == nil {
		return ""
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(match[1])
}
