package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fubini/app/server"
	"fubini/app/store"
)

// offered are two worlds of which the second is made ready by asking for it.
type offered struct {
	worlds  []server.World
	started []string
}

func (o *offered) All() []server.World { return o.worlds }

func (o *offered) Start(name string) bool {
	for k := range o.worlds {
		if o.worlds[k].Name == name {
			o.started = append(o.started, name)
			if o.worlds[k].State == "off" {
				o.worlds[k].State = "training"
			}
			return true
		}
	}
	return false
}

func TestWorldsOfADemonstration(t *testing.T) {
	type answer struct{ Worlds []server.World }
	all := &offered{worlds: []server.World{{Name: "foods", Title: "Foods", State: "ready", Port: 8080}, {Name: "films", Title: "Films", State: "off"}}}
	s := start(t, func(o *server.Options) { o.Worlds = all })
	got := read[answer](t, s.ask("GET", "/v1/worlds", ""), 200)
	if len(got.Worlds) != 2 || got.Worlds[0] != all.worlds[0] || got.Worlds[1].State != "off" || got.Worlds[1].Port != 0 || len(all.started) != 0 {
		t.Errorf("%+v, started %v", got, all.started)
	}
	got = read[answer](t, s.ask("POST", "/v1/worlds/films", ""), 200)
	if len(all.started) != 1 || all.started[0] != "films" || got.Worlds[1].State != "training" {
		t.Errorf("%+v, started %v", got, all.started)
	}
	if got = read[answer](t, s.ask("GET", "/v1/worlds", ""), 200); got.Worlds[1].State != "training" {
		t.Errorf("afterwards %+v", got)
	}
}

func TestNoSuchWorld(t *testing.T) {
	all := &offered{worlds: []server.World{{Name: "foods", Title: "Foods", State: "ready", Port: 8080}}}
	s := start(t, func(o *server.Options) { o.Worlds = all })
	got := s.ask("POST", "/v1/worlds/songs", "")
	var problem struct{ Detail string }
	if err := json.Unmarshal(got.text, &problem); err != nil || got.status != 404 || !strings.Contains(problem.Detail, "no such world") || len(all.started) != 0 {
		t.Errorf("%d %s, started %v, %v", got.status, got.text, all.started, err)
	}
	if got := s.ask("POST", "/v1/worlds/"+strings.Repeat("a", 21), ""); got.status != 422 {
		t.Errorf("a name of 21 letters: %d %s", got.status, got.text)
	}
	if got := s.ask("DELETE", "/v1/worlds/foods", ""); got.status != 405 {
		t.Errorf("DELETE: %d %s", got.status, got.text)
	}
}

// A server of one model has no worlds to choose from, and one that asks for keys asks for them here too.
func TestWorldsAreNotForAll(t *testing.T) {
	if got := start(t, nil).ask("GET", "/v1/worlds", ""); got.status != 404 {
		t.Errorf("without worlds: %d %s", got.status, got.text)
	}
	all := &offered{worlds: []server.World{{Name: "films", Title: "Films", State: "off"}}}
	s := start(t, func(o *server.Options) { o.Worlds, o.Anonymous = all, []store.Scope{} })
	if got := s.ask("POST", "/v1/worlds/films", ""); got.status != 401 || len(all.started) != 0 {
		t.Errorf("without a key: %d %s, started %v", got.status, got.text, all.started)
	}
	if got := s.ask("POST", "/v1/worlds/films", "", s.key()...); got.status != 200 || len(all.started) != 1 {
		t.Errorf("with a key: %d %s, started %v", got.status, got.text, all.started)
	}
}
