// Package job runs pipelines: in this process on Prism, or on a cluster by way of its job
// service. What fails in a worker comes back as the error it was.
package job

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
)

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

// Run runs a pipeline to its end: on the cluster of Beam's option Endpoint, or, without one, in
// this process. Verbose gets Beam's log; nil means nobody does.
func Run(ctx context.Context, p *beam.Pipeline, verbose io.Writer) error {
	heard := listen(verbose)
	clean, err := ownTemporary()
	if err != nil {
		return err
	}
	defer clean()
	run, endpoint := prism.Execute, *jobopts.Endpoint
	defer func() { *jobopts.Endpoint = endpoint }() // Prism sets its own
	if endpoint != "" {
		run = universal.Execute
		connection, err := net.DialTimeout("tcp", endpoint, 10*time.Second)
		if err != nil {
			return fmt.Errorf("--endpoint: no job service answers at %s (%w); start the cluster, or leave --endpoint out to run in this process", endpoint, err)
		}
		connection.Close()
		if *jobopts.WorkerBinary == "" { // Beam would compile the program anew, from sources that need not be there
			if *jobopts.WorkerBinary, err = os.Executable(); err != nil {
				return err
			}
		}
	} else {
		*jobopts.EnvironmentType = ""
	}
	*jobopts.EnvironmentType = cmp.Or(*jobopts.EnvironmentType, "LOOPBACK")
	*jobopts.Parallelism = cmp.Or(*jobopts.Parallelism, -1) // that of the cluster
	if _, err = run(ctx, p); err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if text := cmp.Or(found(err.Error()), heard.found()); text != "" {
		return errors.New(text)
	}
	return fmt.Errorf("the job failed: %w", err)
}

// Result runs a pipeline that writes a packed value to a path in a folder that all workers
// see, and returns the value. What names it in messages.
func Result[T any](ctx context.Context, folder, what string, build func(path string) *beam.Pipeline, verbose io.Writer) (v T, err error) {
	path := filepath.Join(folder, fmt.Sprintf(".fubini-%016x.tmp", rand.Uint64()))
	defer os.Remove(path)
	if err := Run(ctx, build(path), verbose); err != nil {
		return v, err
	}
	text, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return v, fmt.Errorf("the job ended without %s (%w): it was cancelled, or its workers do not see the folder %s", what, err, folder)
	}
	return Unpack[T](text)
}

// ownTemporary gives Beam a folder for what it leaves behind, and takes it away.
func ownTemporary() (clean func(), err error) {
	folder, err := os.MkdirTemp("", "fubini-beam-")
	if err != nil {
		return nil, err
	}
	before := os.Getenv("TMPDIR")
	if err := os.Setenv("TMPDIR", folder); err != nil {
		return nil, err
	}
	return func() {
		os.Setenv("TMPDIR", before)
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
	e.first = cmp.Or(e.first, found(string(text)))
	return e.to.Write(text)
}

func (e *ear) found() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.first
}
