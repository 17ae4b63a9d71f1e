package cli

import (
	"fmt"
	"io"
	"os"

	"fubini/app/exit"
	"fubini/cmd/fubini/terminal"
)

// Colours says whether results may carry colours: on a terminal, unless
// NO_COLOR is set (https://no-color.org) or the terminal has none.
func (p *Program) Colours() bool {
	return p.Output == "-" && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && terminal.IsTerminal(p.Stdout)
}

// Tell writes a line to stderr for the person who started the command.
func (p *Program) Tell(format string, args ...any) {
	if !p.Quiet {
		fmt.Fprintln(p.Stderr, exit.Printable(fmt.Sprintf(format, args...)))
	}
}

// Follow starts to show progress towards a total. Nothing appears with --quiet, or where the results scroll by.
func (p *Program) Follow(what string, total int) *terminal.Progress {
	if p.Output == "-" && terminal.IsTerminal(p.Stderr) && terminal.IsTerminal(p.Stdout) {
		return terminal.NewProgress(nil, what, total)
	}
	return p.Bar(what, total)
}

// Bar is follow for commands whose results do not scroll by.
func (p *Program) Bar(what string, total int) *terminal.Progress {
	return terminal.NewProgress(p.ProgressTo(), what, total)
}

// ProgressTo is the stream for progress: nil with --quiet.
func (p *Program) ProgressTo() io.Writer {
	if p.Quiet {
		return nil
	}
	return p.Stderr
}
