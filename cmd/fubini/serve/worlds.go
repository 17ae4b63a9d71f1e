package serve

import (
	"context"
	"net"
	"path/filepath"
	"sync"
	"time"

	"fubini/app/demo"
	"fubini/app/server"
	"fubini/app/store"
	"fubini/cmd/fubini/cli"
	"fubini/data/modelfile"
	"fubini/learn/modelstore"
)

// worlds are the demonstration worlds of one command: one is served from the start, the other once somebody asks for it.
// Each has a port of its own, so that the browser keeps their lists apart.
type worlds struct {
	ctx    context.Context // of the command
	p      *cli.Program
	folder string // for stores

	mu      sync.Mutex
	all     []server.World
	running sync.WaitGroup
}

func newWorlds(ctx context.Context, p *cli.Program, folder, here string) *worlds {
	w := &worlds{ctx: ctx, p: p, folder: folder, all: []server.World{{Name: "foods", Title: "Foods", State: "off"}, {Name: "films", Title: "Films", State: "off"}}}
	w.set(here, "training", 0)
	return w
}

// trainWorld is how the model of a world is made.
func trainWorld(world string) func(context.Context, demo.Training) (*modelstore.Saved, error) {
	if world == "films" {
		return demo.TrainFilms
	}
	return demo.New().Train
}

// All implements [server.Worlds].
func (w *worlds) All() []server.World {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]server.World{}, w.all...)
}

func (w *worlds) set(name, state string, port int) (before string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for k := range w.all {
		if w.all[k].Name == name {
			before, w.all[k].State, w.all[k].Port = w.all[k].State, state, port
		}
	}
	return before
}

// Start implements [server.Worlds].
func (w *worlds) Start(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for k := range w.all {
		each := &w.all[k]
		if each.Name != name {
			continue
		}
		if each.State == "off" || each.State == "failed" {
			each.State = "training"
			w.running.Go(func() {
				if err := w.serve(name); err != nil && w.ctx.Err() == nil {
					w.set(name, "failed", 0)
					w.p.Tell("%s: %v", name, err)
				}
			})
		}
		return true
	}
	return false
}

// listening notes that a world is served.
func (w *worlds) listening(name string, l net.Listener, err error) (net.Listener, error) {
	if err == nil {
		w.set(name, "ready", l.Addr().(*net.TCPAddr).Port)
	}
	return l, err
}

// serve trains a world and serves it until the command ends.
func (w *worlds) serve(name string) error {
	began := time.Now()
	saved, err := trainWorld(name)(w.ctx, demo.Training{Seed: w.p.Seed, Jobs: w.p.Jobs, Program: cli.BuildVersion().Version})
	if err != nil {
		return err
	}
	return w.host(name, saved, time.Since(began), hosting{
		name: saved.Title, welcome: "http://%s has the " + name, patience: 5 * time.Second,
		listen: func() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") },
	})
}

// host serves a model with a store of its own.
func (w *worlds) host(name string, saved *modelstore.Saved, took time.Duration, h hosting) error {
	file, err := saved.File()
	if err != nil {
		return err
	}
	kept, err := store.Open(w.ctx, "sqlite:"+filepath.Join(w.folder, name+".db"))
	if err != nil {
		return err
	}
	defer kept.Close()
	options, err := serverOptions(w.ctx, w.p, serveFlags{addressFlags: &addressFlags{"127.0.0.1:0"}, rate: -1}, kept, silent)
	if err != nil {
		return err
	}
	options.Load = func(context.Context) (*modelfile.File, error) { return file, nil }
	options.Log, options.Training, options.Worlds = silent, took, worldsFrom{w, name}
	listen := h.listen
	h.listen = func() (net.Listener, error) {
		l, err := listen()
		return w.listening(name, l, err)
	}
	return host(w.ctx, w.p, options, h)
}

// worldsFrom are the worlds as the server of one of them lists them.
type worldsFrom struct {
	*worlds
	here string
}

// All implements [server.Worlds].
func (w worldsFrom) All() []server.World {
	all := w.worlds.All()
	for k := range all {
		all[k].Here = all[k].Name == w.here
	}
	return all
}
