// Package program is the whole program. One of your own that registers a model and calls [Main] has all commands for it: it can be
// trained, tuned, judged, kept in a file and served.
package program

import (
	"context"
	"embed"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/data"
	"fubini/cmd/fubini/draw"
	"fubini/cmd/fubini/models"
	"fubini/cmd/fubini/people"
	"fubini/cmd/fubini/ranking"
	"fubini/cmd/fubini/serve"
)

//go:embed help
var pages embed.FS

// Main runs the command that the arguments of the process name, and ends the process.
func Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	// A reader that has seen enough, as in "fubini sample | head", is met as a
	// failed write, so that files half written can still be removed.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Commands lists all commands in the order of the help page.
var Commands = []func(*cli.Program) *cobra.Command{
	serve.Demo,
	draw.Sample,
	draw.LogZ,
	data.Command,
	models.Train,
	models.Tune,
	ranking.Fit,
	people.Items,
	people.Recommend,
	people.Explain,
	people.Similar,
	people.Embed,
	models.Reproduce,
	models.Evaluate,
	people.Reconstruct,
	draw.LogLik,
	models.Model,
	serve.Serve,
	serve.DB,
	serve.Key,
	newVersion,
	serve.Doctor,
	newCompletion,
}

// Run runs the command that the arguments name, and returns the exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(ctx, args, stdin, stdout, stderr, Commands)
}
