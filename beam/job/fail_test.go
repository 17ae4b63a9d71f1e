package job

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// An error of ours is found again in whatever a runner wraps around it, quoted or not.
func TestOurErrorsAreFoundAgain(t *testing.T) {
	const text = `people.csv:3: "x" is no rating: write [4] or 3.5`
	err := errors.New("people.csv:3: \"x\" is no rating:\nwrite ⟦4⟧ or 3.5")
	Mark(&err)
	ours := err.Error()
	for _, wrapped := range []string{ours, "bundle failed: " + ours + "\n\tat stage-3", strconv.Quote("java.lang.RuntimeException: " + ours)} {
		if got := found(wrapped); got != text {
			t.Errorf("found %q in %s", got, wrapped)
		}
	}
	var none error
	if Mark(&none); none != nil || found("some other trouble") != "" {
		t.Error("an error out of nothing")
	}
}

// A file appears complete or not at all, and what was there before stays until then.
func TestFilesAppearWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, c := range []struct {
		text string
		err  error
		want string
	}{{"first", nil, "first"}, {"half", errors.New("broken"), "first"}, {"second", nil, "second"}} {
		err := Write(path, func(w io.Writer) error {
			fmt.Fprint(w, c.text)
			return c.err
		})
		text, failed := os.ReadFile(path)
		if !errors.Is(err, c.err) || failed != nil || string(text) != c.want {
			t.Errorf("after %q: %q, %v, %v", c.text, text, err, failed)
		}
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
}
