package serve

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"fubini/app/exit"
	"fubini/app/store"
	"fubini/cmd/fubini/cli"
	"fubini/core/vec"
	"fubini/data/text"
)

// Doctor is the command fubini doctor, which shows what works on this machine.
func Doctor(p *cli.Program) *cobra.Command {
	cmd := cli.Page(pages, "doctor")
	address := addDatabase(p, cmd, cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var records []cli.Record
		var lines cli.Record // the same for people
		var failed []string
		for _, check := range []struct {
			name string
			look func() (state, detail string)
		}{
			{"program", program}, {"processor", processor}, {"memory", memory}, {"folder", folder}, {"port", port},
			{"store", func() (string, string) { return reach(cmd.Context(), *address) }},
		} {
			state, detail := check.look()
			if state == broken {
				failed = append(failed, check.name)
			}
			records = append(records, cli.Record{{"check", check.name}, {"state", state}, {"detail", detail}})
			lines = append(lines, cli.Field{check.name, state + ": " + detail})
		}
		err := p.Deliver(func(w *bufio.Writer) error {
			if p.InTables() {
				return p.WriteRecord(w, lines)
			}
			return p.WriteRecords(w, records)
		})
		if err != nil || len(failed) == 0 {
			return err
		}
		return fmt.Errorf("doctor: %s failed (%s)", text.Count(len(failed), "check", "checks"), strings.Join(failed, ", "))
	}
	return cmd
}

// defaultAddress is where serve and demo listen.
const defaultAddress = "127.0.0.1:8080"

// States of a check: a note is something that other commands can do without.
const good, note, broken = "ok", "note", "failed"

func program() (state, detail string) {
	build := cli.BuildVersion()
	return good, fmt.Sprintf("%s, %s, %s/%s", build.Name(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func processor() (state, detail string) {
	detail = fmt.Sprintf("%s, kernels of %s", text.Count(runtime.GOMAXPROCS(0), "core", "cores"), vec.Kernels())
	if vec.Kernels() != "AVX2" {
		return note, detail + ": slower than with AVX2 on amd64, with the same results"
	}
	return good, detail
}

func memory() (state, detail string) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return good, fmt.Sprintf("GOMEMLIMIT is %d bytes", debug.SetMemoryLimit(-1))
	}
	limit, err := cgroupLimit(os.DirFS("/"))
	switch {
	case err != nil:
		return note, "the limit of the cgroup cannot be read: " + err.Error()
	case limit > 0:
		return good, fmt.Sprintf("the limit of the cgroup is %d bytes", limit)
	}
	return good, "no limit but that of the machine"
}

// folder tries to write where results and fubini.db go by default.
func folder() (state, detail string) {
	file, err := os.CreateTemp(".", ".fubini-doctor-*")
	if err == nil {
		err = cmp.Or(file.Close(), os.Remove(file.Name()))
	}
	if err != nil {
		return note, fmt.Sprintf("this folder cannot be written (%v): name another in --output and --db", err)
	}
	return good, "this folder can be written"
}

// port tries the port of serve and demo.
func port() (state, detail string) {
	listener, err := net.Listen("tcp", defaultAddress)
	if err != nil {
		return note, fmt.Sprintf("%v: choose another with serve --addr HOST:PORT", err)
	}
	if err := listener.Close(); err != nil {
		return note, err.Error()
	}
	return good, defaultAddress + " is free"
}

// reach opens the store, and changes nothing about it.
func reach(ctx context.Context, address string) (state, detail string) {
	s, err := store.OpenExisting(ctx, address)
	if err == nil {
		err = s.Close()
	}
	switch {
	case err == nil:
		return good, "the store of --db can be reached, and its tables are up to date"
	case errors.Is(err, store.ErrNotFound) && strings.HasPrefix(address, "sqlite:"):
		return note, fmt.Sprintf("there is no file %s yet: serve makes it", strings.TrimPrefix(address, "sqlite:"))
	}
	return broken, exit.Printable(strings.Join(strings.Fields(storeError(err).Error()), " "))
}
