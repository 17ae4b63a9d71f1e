// Fubini computes with rankings that have ties.
//
// This folder is the door of the program: it reads arguments and the environment, opens paths, and prints. The maths is
// below it, in packages that do none of this. The packages, in the order of their imports:
//
//   - terminal: progress, and text that cannot steer a terminal;
//   - cli: the frame of all commands: global flags, values, files, results, help, errors;
//   - input: ratings and models that commands read;
//   - fetch, data, draw, models, ranking, serve, and this one: the commands.
//
// A command NAME is a file NAME.go with a function that makes it, a help page help/NAME.txt beside it, and a line in
// the list of commands below.
package main

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
	"fubini/cmd/fubini/ranking"
	"fubini/cmd/fubini/serve"
)

//go:embed help
var pages embed.FS

// release is the version that an image or a release is built as, by -ldflags "-X main.release=v1.2.0".
var release string

func main() {
	cli.Release = release
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	// A reader that has seen enough, as in "fubini sample | head", is met as a
	// failed write, so that files half written can still be removed.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// commands lists all commands in the order of the help page.
var commands = []func(*cli.Program) *cobra.Command{
	serve.Demo,
	draw.Sample,
	draw.LogZ,
	data.Command,
	models.Train,
	models.Tune,
	ranking.Fit,
	newItems,
	newRecommend,
	newExplain,
	newSimilar,
	newEmbed,
	models.Reproduce,
	models.Evaluate,
	newReconstruct,
	draw.LogLik,
	models.Model,
	serve.Serve,
	serve.DB,
	serve.Key,
	newVersion,
	newCompletion,
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(ctx, args, stdin, stdout, stderr, commands)
}
