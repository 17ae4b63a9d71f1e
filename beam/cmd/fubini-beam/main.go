// Fubini-beam does what fubini does, for more than one machine: pipelines of Apache Beam, in
// this process or on a cluster.
//
// This package is the door, as cmd/fubini is that of the other program: each command is a
// file, and the pipelines are in packages beside it. See docs/scale.md.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/beam/job"
)

func main() {
	job.InWorker()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// program is what all commands share.
type program struct {
	stdout, stderr io.Writer

	seed    uint64
	jobs    int
	quiet   bool
	verbose bool
	where   job.Options
	runner  string
}

// run is the program without its process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	p := &program{stdout: stdout, stderr: stderr}
	root := newRoot(p)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for os.Args
	return exit.Report(ctx, stderr, "fubini-beam", root.ExecuteContext(ctx))
}

func newRoot(p *program) *cobra.Command {
	root := &cobra.Command{
		Use:   "fubini-beam",
		Short: "Score, train and evaluate on Apache Beam",
		Long: `fubini-beam does what fubini does on data for more than one machine. Without further
flags a pipeline runs in this process, on Prism; --endpoint names the job service of a
cluster. Files are paths that this program and all workers see alike. See docs/scale.md.`,
		Example:           "  fubini-beam score movies.safetensors --input 'people-*.jsonl' --output recommended",
		Version:           version(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return exit.Usagef("there is no command %q (see fubini-beam --help)", args[0])
			}
			return nil
		},
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(*cobra.Command, []string) error { return p.checkRunner() },
	}
	root.SetVersionTemplate("fubini-beam {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return exit.Usage(err) })
	flags := root.PersistentFlags()
	flags.SortFlags = false
	// Beam writes its flags with underscores: --environment_type is --environment-type too.
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	flags.Uint64Var(&p.seed, "seed", 1, "seed of all random numbers; the same seed gives the same output")
	flags.IntVarP(&p.jobs, "jobs", "j", 0, "cores that a worker uses for one shard, 0 for all; the output does not depend on it")
	flags.BoolVar(&p.quiet, "quiet", false, "no closing line on stderr")
	flags.BoolVarP(&p.verbose, "verbose", "v", false, "show what Beam has to say, on stderr")
	flags.StringVar(&p.runner, "runner", "", "prism, in this process, the default; or portable, with --endpoint")
	flags.StringVar(&p.where.Endpoint, "endpoint", "", "job service of a cluster, host:port")
	flags.StringVar(&p.where.Environment, "environment-type", "", "how workers start on the cluster: PROCESS, DOCKER, EXTERNAL or LOOPBACK")
	flags.StringVar(&p.where.Config, "environment-config", "", "of that environment, as in {\"command\":\"/opt/fubini/worker\"} for PROCESS")
	flags.StringVar(&p.where.Binary, "worker-binary", "", "program for the workers; this one if not given")
	flags.IntVar(&p.where.Parallelism, "parallelism", 0, "that the cluster is asked for; its own if not given")
	flags.StringVar(&p.where.Name, "job-name", "", "what the cluster calls the job")
	root.AddCommand(newScore(p), newTrain(p), newEvaluate(p))
	return root
}

// checkRunner checks the flags that all commands have.
func (p *program) checkRunner() error {
	switch p.runner {
	case "", "prism":
		if p.runner != "" && p.where.Endpoint != "" {
			return exit.Usagef("--runner prism runs in this process; --endpoint does not go with it")
		}
	case "portable", "universal", "flink":
		if p.where.Endpoint == "" {
			return exit.Usagef("--runner %s needs --endpoint, the job service of the cluster, as in --endpoint localhost:8099", p.runner)
		}
	default:
		return exit.Usagef("--runner: %q is neither prism nor portable", p.runner)
	}
	if p.jobs < 0 {
		return exit.Usagef("-j/--jobs: %d is not a whole number of 0 or more", p.jobs)
	}
	if p.verbose {
		p.where.Verbose = p.stderr
	}
	return nil
}

// tell writes a line for people.
func (p *program) tell(format string, args ...any) {
	if !p.quiet {
		fmt.Fprintf(p.stderr, format+"\n", args...)
	}
}

// one wants one argument.
func one(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return exit.Usagef("%s is missing (see %s --help)", name, cmd.CommandPath())
		case len(args) > 1:
			return exit.Usagef("%s takes one %s; %q is one too many", cmd.Name(), name, args[1])
		}
		return nil
	}
}

// version is that of the build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
