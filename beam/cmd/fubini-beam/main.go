// Fubini-beam does what fubini does, for more than one machine: pipelines of Apache Beam, in
// this process or on a cluster.
//
// This package is the door, as cmd/fubini is that of the other program: each command is a
// file, and the pipelines are in packages beside it. See docs/scale.md.
package main

import (
	"context"
	"embed"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/beam/job"
	"fubini/cmd/fubini/cli"
	"fubini/learn/registry"
)

func main() {
	job.InWorker()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

//go:embed help
var pages embed.FS

// program is what all commands share.
type program struct {
	cli.Program
	runner  string
	verbose bool
	log     io.Writer // for Beam; nil for none
}

// run is the program without its process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	p := &program{Program: cli.Program{Stdout: stdout, Stderr: stderr}}
	root := newRoot(p)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for os.Args
	return exit.Report(ctx, stderr, "fubini-beam", root.ExecuteContext(ctx))
}

func newRoot(p *program) *cobra.Command {
	root := cli.Group(&cobra.Command{
		Use:   "fubini-beam",
		Short: "Score, train and evaluate on Apache Beam",
		Long: `fubini-beam does what fubini does on data for more than one machine. Without further
flags a pipeline runs in this process, on Prism; --endpoint names the job service of a
cluster. Files are paths that this program and all workers see alike. See docs/scale.md.`,
		Example:           "  fubini-beam score movies.safetensors --input 'people-*.jsonl' --output recommended",
		Version:           cli.BuildVersion().Version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: p.check,
	}, newScore(p), newTrain(p), newEvaluate(p))
	root.SetVersionTemplate("fubini-beam {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return exit.Usage(err) })
	flags := root.PersistentFlags()
	flags.SortFlags = false
	// Beam writes its flags with underscores: --environment_type is --environment-type too.
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	flags.Uint64Var(&p.Seed, "seed", 1, "seed of all random numbers; the same seed gives the same output")
	flags.IntVarP(&p.Jobs, "jobs", "j", 0, "cores that a worker uses for one shard, 0 for all; the output does not depend on it")
	flags.BoolVar(&p.Quiet, "quiet", false, "no closing line on stderr")
	flags.BoolVarP(&p.verbose, "verbose", "v", false, "show what Beam has to say, on stderr")
	flags.StringVar(&p.runner, "runner", "", "prism, in this process, the default; or portable, with --endpoint")
	flags.StringVar(jobopts.Endpoint, "endpoint", "", "job service of a cluster, host:port")
	flags.StringVar(jobopts.EnvironmentType, "environment-type", "", "how workers start on the cluster: PROCESS, DOCKER, EXTERNAL or LOOPBACK")
	flags.StringVar(jobopts.EnvironmentConfig, "environment-config", "", "of that environment, as in {\"command\":\"/opt/fubini/worker\"} for PROCESS")
	flags.StringVar(jobopts.WorkerBinary, "worker-binary", "", "program for the workers; this one if not given")
	flags.IntVar(jobopts.Parallelism, "parallelism", 0, "that the cluster is asked for; its own if not given")
	flags.StringVar(jobopts.JobName, "job-name", "", "what the cluster calls the job")
	return root
}

// check refuses outputs that cannot be written, and flags that all commands have and that do not go together.
func (p *program) check(cmd *cobra.Command, args []string) error {
	if err := cli.CheckPlaces(cmd, args); err != nil {
		return exit.Usage(err)
	}
	switch p.runner {
	case "", "prism":
		if p.runner != "" && *jobopts.Endpoint != "" {
			return exit.Usagef("--runner prism runs in this process; --endpoint does not go with it")
		}
	case "portable", "universal", "flink":
		if *jobopts.Endpoint == "" {
			return exit.Usagef("--runner %s needs --endpoint, the job service of the cluster, as in --endpoint localhost:8099", p.runner)
		}
	default:
		return exit.Usagef("--runner: %q is neither prism nor portable", p.runner)
	}
	if p.Jobs < 0 {
		return exit.Usagef("-j/--jobs: %d is not a whole number of 0 or more", p.Jobs)
	}
	if p.verbose {
		p.log = p.Stderr
	}
	return nil
}

// assignments reads settings of models, and refuses those that no model has.
func assignments(models, texts []string) (settings []registry.Assignment, err error) {
	for _, text := range texts {
		one, err := registry.ParseAssignment(text)
		if err != nil {
			return nil, exit.Usage(err)
		}
		settings = append(settings, one)
	}
	if _, err := registry.Configure(models, settings); err != nil {
		return nil, exit.Usage(err)
	}
	return settings, nil
}
