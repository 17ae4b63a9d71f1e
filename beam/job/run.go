// Package job runs pipelines: in this process on Prism, or on a cluster by way of its job
// service. What fails in a worker comes back as the error it was.
package job

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
)

// Options say where a pipeline runs. The zero value is this process.
type Options struct {
	Name        string    // of the job
	Endpoint    string    // of a job service, host and port; empty means Prism in this process
	Environment string    // how workers start there: PROCESS, DOCKER, EXTERNAL, LOOPBACK; empty means LOOPBACK
	Config      string    // of that environment, as Beam has it
	Binary      string    // that workers run; empty means this program
	Parallelism int       // that the cluster is asked for; 0 means its own
	Verbose     io.Writer // what Beam has to say; nil means nobody is told
}

// InWorker runs the program as a worker if that is what a runner started it for: it does
// not return then. It must come first in main, before any flag is looked at.
func InWorker() {
	for _, argument := range os.Args[1:] {
		if name, value, _ := strings.Cut(strings.TrimLeft(argument, "-"), "="); name == "worker" && value != "false" && strings.HasPrefix(argument, "-") {
			flag.Parse() // Beam's own flags
			break
		}
	}
	beam.Init()
}

// reach is how long a job service may take to be found.
const reach = 10 * time.Second

// Run runs a pipeline to its end.
func Run(ctx context.Context, p *beam.Pipeline, o Options) error {
	heard := listen(o.Verbose)
	if o.Name != "" {
		*jobopts.JobName = o.Name
	}
	clean, err := ownTemporary()
	if err != nil {
		return err
	}
	defer clean()
	run := prism.Execute
	if o.Endpoint != "" {
		run = universal.Execute
		connection, err := net.DialTimeout("tcp", o.Endpoint, reach)
		if err != nil {
			return fmt.Errorf("--endpoint: no job service answers at %s (%w); start the cluster, or leave --endpoint out to run in this process", o.Endpoint, err)
		}
		connection.Close()
		*jobopts.Endpoint, *jobopts.EnvironmentType, *jobopts.EnvironmentConfig = o.Endpoint, o.Environment, o.Config
		if o.Binary == "" { // Beam would compile the program anew, from sources that need not be there
			if o.Binary, err = os.Executable(); err != nil {
				return err
			}
		}
		*jobopts.WorkerBinary = o.Binary
		if *jobopts.EnvironmentType == "" {
			*jobopts.EnvironmentType = "LOOPBACK"
		}
		if o.Parallelism > 0 {
			*jobopts.Parallelism = o.Parallelism
		}
	}
	_, err = run(ctx, p)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		return nil
	}
	if text := found(err.Error()); text != "" {
		return errors.New(text)
	}
	if text := heard.found(); text != "" {
		return errors.New(text)
	}
	return fmt.Errorf("the job failed: %w", err)
}

// ownTemporary gives Beam a folder for what it leaves behind, and takes it away.
func ownTemporary() (clean func(), err error) {
	folder, err := os.MkdirTemp("", "fubini-beam-")
	if err != nil {
		return nil, err
	}
	before, there := os.LookupEnv("TMPDIR")
	if err := os.Setenv("TMPDIR", folder); err != nil {
		return nil, err
	}
	return func() {
		if there {
			os.Setenv("TMPDIR", before)
		} else {
			os.Unsetenv("TMPDIR")
		}
		os.RemoveAll(folder)
	}, nil
}

// ear hears what Beam logs, for the errors of ours that are in it.
type ear struct {
	to io.Writer

	mutex sync.Mutex
	first string
}

// listen makes Beam speak to us, and only there.
func listen(to io.Writer) *ear {
	e := &ear{to: to}
	if to == nil {
		e.to = io.Discard
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(e, nil))) // that of Prism
	log.SetLogger(e)
	return e
}

// Log implements Beam's logger.
func (e *ear) Log(_ context.Context, severity log.Severity, _ int, text string) {
	if severity >= log.SevInfo {
		fmt.Fprintf(e, "%s\n", text)
	}
}

// Write implements [io.Writer].
func (e *ear) Write(text []byte) (int, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.first == "" {
		e.first = found(string(text))
	}
	return e.to.Write(text)
}

func (e *ear) found() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.first
}
