// Package serve has the commands around the server: serve, demo, db, key.
package serve

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fubini/app/exit"
	"fubini/app/server"
	"fubini/app/store"
	"fubini/app/web"
	"fubini/cmd/fubini/cli"
	"fubini/cmd/fubini/input"
	"fubini/cmd/fubini/terminal"
	"fubini/data/modelfile"
	"fubini/docs"
)

//go:embed help
var pages embed.FS

type serveFlags struct {
	*addressFlags
	model    string // file that jobs write to
	database *string
	data     string
	hosts    []string
	open     bool
	proxy    bool
	rate     float64
	log      string
	level    string
	patience float64
	lameDuck float64
	check    bool
	lists    int // that are kept; 0 for no limit
}

// addressFlags has the address of a server.
type addressFlags struct{ address string }

func addAddress(p *cli.Program, cmd *cobra.Command) *addressFlags {
	return cli.Shared(p, cmd, cmd.Flags(), func(f *addressFlags, _ *cobra.Command, flags *pflag.FlagSet) {
		f.address = defaultAddress
		cli.AddFlag(flags, "addr", "", &f.address, "HOST:PORT", cli.ParseAddress, "address to listen on")
	})
}

// Serve is the command fubini serve, which serves a model over HTTP.
func Serve(p *cli.Program) *cobra.Command {
	f := serveFlags{rate: -1, log: "text", level: "info", patience: 15, lameDuck: -1, lists: 1_000_000}
	cmd := cli.Page(pages, "serve")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if f.check {
			return cli.Arguments(0, 0)(cmd, args)
		}
		return cli.Arguments(1, 1)(cmd, args)
	}
	flags := cmd.Flags()
	f.addressFlags, f.database = addAddress(p, cmd), addDatabase(p, cmd, flags)
	cli.AddInput(flags, "data-dir", &f.data, "DIR", "folder with ratings for training jobs of admins; no jobs without it")
	cli.AddFlag(flags, "host", "", &f.hosts, "NAMES", cli.ParseWords, "host names of the server, with commas between; requests for others are refused")
	cli.AddSwitch(flags, "insecure-no-keys", &f.open, "allow reading and saving lists without an API key, from any address")
	cli.AddSwitch(flags, "behind-proxy", &f.proxy, "all requests come through a proxy: clients need keys, and the last entry of X-Forwarded-For is their address")
	cli.AddFlag(flags, "rate", "", &f.rate, "X", cli.ParseNotNegative, "largest number of requests a second of one client, 0 for no limit")
	flags.Lookup("rate").DefValue = "100; on loopback without a proxy no limit"
	cli.AddFlag(flags, "lists", "", &f.lists, "N", cli.ParseWhole(0), "largest number of saved lists, of 10 kB each on average; one API key may have a tenth; 0 for no limit")
	cli.AddChoice(cmd, flags, "log", &f.log, []string{"text", "json"}, "format of the log: text, json")
	cli.AddChoice(cmd, flags, "log-level", &f.level, []string{"debug", "info", "warn", "error"}, "smallest level that is logged: debug, info, warn, error; debug has a line for each request")
	cli.AddFlag(flags, "drain", "", &f.patience, "SECONDS", cli.ParseNotNegative, "time for the requests under way when the server ends")
	cli.AddFlag(flags, "lame-duck", "", &f.lameDuck, "SECONDS", cli.ParseNotNegative, "time in which an ending server takes new requests, while /readyz reports the end")
	flags.Lookup("lame-duck").DefValue = "5; at a terminal 0"
	cli.AddSwitch(flags, "check", &f.check, "ask the server at --addr whether it is ready, and end")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.check {
			return checkServer(cmd.Context(), p, f.address)
		}
		f.model = args[0]
		return serve(cmd.Context(), p, f)
	}
	return cmd
}

func serve(ctx context.Context, p *cli.Program, f serveFlags) error {
	hangUp := catchHangUp()
	defer signal.Stop(hangUp)
	log := logger(p, f)
	if warning := store.Exposed(*f.database); warning != "" {
		log.Warn(warning)
	}
	limitMemory(os.DirFS("/"), log)
	if f.data != "" {
		removed, err := tidyCandidates(f.model)
		if err != nil {
			log.Warn("files that jobs have left were not removed", "error", err.Error())
		}
		if len(removed) > 0 {
			log.Info("files that jobs have left were removed", "files", strings.Join(removed, ", "))
		}
	}
	kept, err := store.Open(ctx, *f.database)
	if err != nil {
		return storeError(err)
	}
	defer kept.Close()
	options, err := serverOptions(ctx, p, f, kept, log)
	if err != nil {
		return err
	}
	options.Log = log
	// Pictures of the catalogue lie beside the model; a link that leads out of the folder is not followed.
	if folder, err := os.OpenRoot(filepath.Join(filepath.Dir(f.model), "pictures")); err == nil {
		defer folder.Close()
		options.Pictures = folder.FS()
	}
	options.Load = func(context.Context) (*modelfile.File, error) { return input.ReadModelFile(f.model) }
	tracer, endTraces, err := traces()
	if err != nil {
		return err
	}
	defer endTraces()
	options.Tracer = tracer
	lameDuck := seconds(f.lameDuck)
	switch {
	case f.lameDuck >= 0:
	case terminal.IsTerminal(p.Stderr): // nobody sits between the server and the person who ends it
		lameDuck = 0
	default:
		lameDuck = 5 * time.Second
	}
	return host(ctx, p, options, hosting{
		name: f.model, welcome: "http://%s serves " + f.model + "; /docs/ has the documents, /docs/api lists what it answers",
		listen:   func() (net.Listener, error) { return net.Listen("tcp", f.address) },
		patience: seconds(f.patience), lameDuck: lameDuck, hangUp: hangUp,
	})
}

func seconds(x float64) time.Duration { return time.Duration(x * float64(time.Second)) }

// catchHangUp takes SIGHUP, which would end the program: one that comes early reloads once there is a server.
func catchHangUp() chan os.Signal {
	hangUp := make(chan os.Signal, 1)
	signal.Notify(hangUp, syscall.SIGHUP)
	return hangUp
}

// hosting is a server that is about to listen.
type hosting struct {
	name     string // of the model, in messages
	listen   func() (net.Listener, error)
	welcome  string // printed once it listens, with %s for the address
	patience time.Duration
	lameDuck time.Duration
	hangUp   chan os.Signal
}

func host(ctx context.Context, p *cli.Program, options server.Options, h hosting) error {
	s, err := server.New(ctx, options)
	if err != nil {
		if strings.Contains(err.Error(), h.name) {
			return err // it says which file already
		}
		return fmt.Errorf("%s: %w", h.name, err)
	}
	defer s.Close()
	listener, err := h.listen()
	if err != nil {
		return fmt.Errorf("--addr: %w; another address is given by --addr, as in --addr 127.0.0.1:8081", err)
	}
	options.Log.Info("serving", "model", s.ModelID(), "address", listener.Addr().String(), "anonymous", fmt.Sprint(options.Anonymous), "rate", options.Limits.Rate)
	p.Tell(h.welcome, listener.Addr())
	return attend(ctx, s, listener, h, options.Log)
}

// attend serves, reloads on SIGHUP, and ends in good order when the context does.
func attend(ctx context.Context, s *server.Server, listener net.Listener, h hosting, log *slog.Logger) error {
	web := s.HTTP()
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	for {
		select {
		case err := <-ended:
			return err
		case <-h.hangUp:
			go s.Signalled(ctx)
		case <-ctx.Done():
			s.Closing()
			if h.lameDuck > 0 {
				log.Info("ending soon: /readyz turns requests away, those that come are answered", "for", h.lameDuck.String())
				select {
				case err := <-ended:
					return err
				case <-time.After(h.lameDuck):
				}
			}
			log.Info("ending: requests under way are answered, new ones are not taken")
			rest, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.patience)
			defer cancel()
			go s.Close() // ends jobs, and the streams that tell of them
			err := web.Shutdown(rest)
			if errors.Is(err, context.DeadlineExceeded) {
				log.Warn("some requests were cut off", "after", h.patience.String())
				err = web.Close()
			}
			if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
				err = errors.Join(err, served)
			}
			s.Close()
			log.Info("ended")
			return err
		}
	}
}

// serverOptions checks who may do what from where. A proxy brings requests from other machines to loopback.
func serverOptions(ctx context.Context, p *cli.Program, f serveFlags, kept store.Store, log *slog.Logger) (server.Options, error) {
	o := server.Options{
		Store: kept, Page: web.Files(), Manual: docs.Files, Loopback: onLoopback(f.address), BehindProxy: f.proxy, Version: cli.BuildVersion().Version,
	}
	for _, name := range f.hosts {
		o.Hosts = append(o.Hosts, strings.ToLower(name))
	}
	if f.lists > 0 {
		const listBytes = 10_000
		o.Limits.Lists = store.Quota{Lists: int64(f.lists), Bytes: int64(f.lists) * listBytes}
		each := max(1, o.Limits.Lists.Lists/10)
		o.Limits.KeyLists = store.Quota{Lists: each, Bytes: each * listBytes}
	}
	private := o.Loopback && !f.proxy
	switch {
	case f.rate >= 0:
		o.Limits.Rate = f.rate
	case !private:
		o.Limits.Rate = 100
	}
	keys, err := kept.ListKeys(ctx)
	if err != nil {
		return o, fmt.Errorf("--db: %w", err)
	}
	good := len(slices.DeleteFunc(keys, func(key store.Key) bool { return !key.Good(time.Now()) }))
	switch {
	case private || f.open:
		o.Anonymous = []store.Scope{store.Read, store.Write}
		if good > 0 {
			why := "the server listens on this machine alone; --behind-proxy asks for keys here too"
			if f.open {
				why = "--insecure-no-keys was given"
			}
			log.Warn("there are API keys, and reading and writing is open to whoever reaches the server without one", "keys", good, "why", why)
		}
	case good == 0 && o.Loopback:
		return o, exit.Usagef("--behind-proxy: %s can be reached from other machines through the proxy, and there are no API keys: make one by fubini key add, or say --insecure-no-keys", f.address)
	case good == 0:
		return o, exit.Usagef("--addr: %s can be reached from other machines, and there are no API keys: make one by fubini key add, or say --insecure-no-keys", f.address)
	}
	if f.data != "" {
		data := jobData(f.data)
		o.HasData, o.Train = data.has, trainer(p, f.model, data)
	}
	return o, nil
}

// onLoopback reports whether an address can be reached from this machine alone.
func onLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip, wrong := netip.ParseAddr(host)
	return err == nil && (host == "localhost" || wrong == nil && ip.IsLoopback())
}

func logger(p *cli.Program, f serveFlags) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(f.level)) // the flag takes names of levels
	options := &slog.HandlerOptions{Level: level}
	if f.log == "json" {
		return slog.New(slog.NewJSONHandler(p.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(p.Stderr, options))
}

// silent is the log of a demonstration: it has none.
var silent = slog.New(slog.DiscardHandler)
