package job

import (
	"fmt"
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
	text := strings.NewReplacer("⟦", "[", "⟧", "]", "\n", " ").Replace(err.Error())
	return fmt.Errorf("%s%w%s", opening, plainError(text), closing)
}

// plainError is an error that is its text.
type plainError string

func (e plainError) Error() string { return string(e) }

// found is what a runner's text holds of ours, or "".
func found(text string) string {
	match := marked.FindStringSubmatch(text)
	if match == nil {
		return ""
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(match[1])
}
