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

// Mark marks an error on its way from a worker to the one who started the job.
func Mark(err *error) {
	if *err != nil {
		*err = errors.New(opening + strings.NewReplacer("⟦", "[", "⟧", "]", "\n", " ").Replace((*err).Error()) + closing)
	}
}

// found is what a runner's text holds of ours, or "".
func found(text string) string {
	match := marked.FindStringSubmatch(text)
	if match == nil {
		return ""
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(match[1])
}
