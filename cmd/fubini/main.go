// Fubini computes with rankings that have ties.
//
// This package is the door of the program: it reads arguments and the environment,
// opens paths, and prints. The maths is below it,
// in packages that do none of this. Each command is a file and a function that
// makes it (sample.go has newSample); root.go lists them. The rest serves all
// commands:
//
//   - root.go: the program, its global flags and its exit codes;
//   - values.go, settings.go: what a flag may be, and where its value comes from;
//   - places.go: what a command reads and writes, checked before it runs;
//   - output.go, record.go, printable.go, terminal.go: where results go, and in which form;
//   - errors.go, help.go: what a user is told.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// release is the version that an image or a release is built as, by -ldflags "-X main.release=v1.2.0".
var release string

func main() {
	Release = release
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	// A reader that has seen enough, as in "fubini sample | head", is met as a
	// failed write, so that files half written can still be removed.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// commands lists the makers of all commands, in the order of the help page.
var commands = []func(*program) *cobra.Command{
	newDemo,
	newSample,
	newLogZ,
	newData,
	newTrain,
	newTune,
	newRecommend,
	newExplain,
	newSimilar,
	newEmbed,
	newReproduce,
	newEvaluate,
	newReconstruct,
	newLogLik,
	newModel,
	newServe,
	newDB,
	newKey,
	newVersion,
	newCompletion,
}

// run is the program without its process: it returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return execute(ctx, args, stdin, stdout, stderr, commands)
}

func newRoot(p *program) *cobra.Command { return rootOf(p, commands) }
