package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// record keeps outcomes in a file of JSON lines as they come, so that a run that was broken off goes on where it ended.
type record struct {
	mu   sync.Mutex
	file *os.File
	by   map[string]*outcome
}

type line struct {
	World, Way string
	Person     int
	Outcome    *outcome
}

func key(world, way string, person int) string { return fmt.Sprint(world, "/", way, "/", person) }

// open reads what a file has; without a name nothing is kept. A last line that was cut off is played again.
func open(name string) (*record, error) {
	r := &record{by: map[string]*outcome{}}
	if name == "" {
		return r, nil
	}
	old, err := os.Open(name)
	if err == nil {
		lines := bufio.NewScanner(old)
		for lines.Scan() {
			var l line
			if json.Unmarshal(lines.Bytes(), &l) == nil && l.Outcome != nil {
				r.by[key(l.World, l.Way, l.Person)] = l.Outcome
			}
		}
		if err := errors.Join(lines.Err(), old.Close()); err != nil {
			return nil, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if r.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	_, err = r.file.WriteString("\n") // ends a line that was cut off
	return r, err
}

func (r *record) find(world, way string, person int) *outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.by[key(world, way, person)]
}

func (r *record) add(world, way string, person int, o *outcome) error {
	if r.file == nil {
		return nil
	}
	b, err := json.Marshal(line{world, way, person, o})
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err = r.file.Write(append(b, '\n')) // whole lines: one write each
	return err
}
