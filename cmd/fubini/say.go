package main

import (
	"fmt"
	"io"
	"os"

	"fubini/app/exit"
)

// colours says whether results may carry colours: on a terminal, unless
// NO_COLOR is set (https://no-color.org) or the terminal has none.
func (p *program) colours() bool {
	return p.output == "-" && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(p.stdout)
}

// tell writes a line to stderr for the person who started the command.
func (p *program) tell(format string, args ...any) {
	if !p.quiet {
		fmt.Fprintln(p.stderr, exit.Printable(fmt.Sprintf(format, args...)))
	}
}

// follow starts to show progress towards a total. Nothing appears with --quiet, or where the results scroll by.
func (p *program) follow(what string, total int) *progress {
	if p.output == "-" && isTerminal(p.stderr) && isTerminal(p.stdout) {
		return newProgress(nil, what, total)
	}
	return p.bar(what, total)
}

// bar is follow for commands whose results do not scroll by.
func (p *program) bar(what string, total int) *progress {
	return newProgress(p.progressTo(), what, total)
}

// progressTo is the stream for progress: nil with --quiet.
func (p *program) progressTo() io.Writer {
	if p.quiet {
		return nil
	}
	return p.stderr
}
