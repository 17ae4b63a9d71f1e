package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"fubini/core/rng"
	"fubini/data/format"
	"fubini/tools/peak"
)

// tally counts ratings: what was written, or what a pass has read.
type tally struct {
	Users, Ratings int
	Levels         [6]int // ratings of each value
	Items          uint64 // sum of the ids of items
}

// passed is what a pass over a file writes: what it has read, and its memory at its peak in MB. That of the system's account of processes
// would not do, which counts the memory of the process that started it.
type passed struct {
	Read   tally
	Memory float64
}

func (t *tally) add(item, value int) {
	t.Ratings++
	t.Levels[value]++
	t.Items += uint64(item)
}

// streamed is one file, and what a pass over it took.
type streamed struct {
	tally
	peak.Cost
	size float64 // in MB
}

// stream is the command large stream: it plants ratings in Parquet files of several sizes, and goes over each once, user by user, with
// the reader of `recommend --users`, in a process of its own. Each pass must count what was written.
func stream(args []string) error {
	flags := flag.NewFlagSet("large stream", flag.ExitOnError)
	dir := flags.String("dir", "", "folder for the files, which are removed again; a billion ratings take 2.4 GB")
	sizes := flags.String("ratings", "100000000,1000000000", "ratings of each file, about")
	seed := flags.Uint64("seed", 1, "seed")
	pass := flags.String("pass", "", "go over this file, and write what was counted")
	flags.Parse(args)
	if *pass != "" {
		t, err := passOver(*pass)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(passed{t, peak.Own()})
	}
	if *dir == "" {
		return errors.New("stream: -dir is missing")
	}
	commit := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		commit = info.Main.Version
	}
	fmt.Print("| ratings | users | file, MB | s | core s | ns a rating | memory at its peak, MB |\n|---:|---:|---:|---:|---:|---:|---:|\n")
	for size := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			return err
		}
		s, err := measureStream(filepath.Join(*dir, "ratings.parquet"), n, *seed)
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %d | %.0f | %.1f | %.1f | %.0f | %.0f |\n", s.Ratings, s.Users, s.size, s.Seconds, s.Core, 1e9*s.Core/float64(s.Ratings), s.Memory)
	}
	fmt.Printf("\nSeed %d; %s, %s/%s.\n", *seed, commit, runtime.GOOS, runtime.GOARCH)
	return nil
}

// measureStream writes a file, goes over it in another process and removes it.
func measureStream(path string, ratings int, seed uint64) (s streamed, err error) {
	file, err := os.Create(path)
	if err != nil {
		return s, err
	}
	defer os.Remove(path)
	w := bufio.NewWriterSize(file, 1<<20)
	s.tally, err = plant(w, ratings, seed)
	if err = errors.Join(err, w.Flush(), file.Close()); err != nil {
		return s, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return s, err
	}
	s.size = float64(info.Size()) / 1e6
	self, err := os.Executable()
	if err != nil {
		return s, err
	}
	fmt.Fprintf(os.Stderr, "%d ratings written\n", s.Ratings)
	cmd := exec.Command(self, "stream", "-pass", path)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if s.Cost, err = peak.Run(cmd); err != nil {
		return s, err
	}
	var p passed
	if err := json.Unmarshal(out.Bytes(), &p); err != nil {
		return s, err
	}
	if p.Read != s.tally {
		return s, fmt.Errorf("stream: %+v were read, %+v written", p.Read, s.tally)
	}
	s.Memory = p.Memory
	return s, nil
}

// passOver reads a file user by user.
func passOver(path string) (t tally, err error) {
	users, err := format.OpenUsers(os.DirFS(filepath.Dir(path)), filepath.Base(path), format.Options{})
	if err != nil {
		return t, err
	}
	defer users.Close()
	var user format.User
	for {
		if err := users.Next(&user); err == io.EOF {
			return t, nil
		} else if err != nil {
			return t, err
		}
		t.Users++
		for k, id := range user.Items {
			item, err := strconv.Atoi(string(id))
			if err != nil {
				return t, err
			}
			t.add(item, int(user.Values[k]))
		}
	}
}

// plantedRow is a rating as it is planted.
type plantedRow struct {
	User   int64   `parquet:"user,delta"`
	Item   int32   `parquet:"item,dict"`
	Rating float32 `parquet:"rating,dict"`
}

const (
	plantedItems = 17_761 // a prime, so that steps of any length meet every item once
	plantedEach  = 200    // items of a user, in the mean
)

// plant writes planted ratings, user by user: the value of an item for a user is that of the item, and of the user, with noise, rounded to one to five.
func plant(w io.Writer, ratings int, seed uint64) (t tally, err error) {
	out := parquet.NewGenericWriter[plantedRow](w, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(1<<20))
	r := rng.Stream(seed, "planted", 0)
	var worth [plantedItems]float64
	for k := range worth {
		worth[k] = r.NormFloat64()
	}
	rows := make([]plantedRow, 0, 2*plantedEach)
	for t.Ratings < ratings {
		t.Users++
		rows = rows[:min(1+r.IntN(2*plantedEach-1), ratings-t.Ratings)]
		at, step, mood := r.IntN(plantedItems), 1+r.IntN(plantedItems-1), 3+0.7*r.NormFloat64()
		for k := range rows {
			value := min(max(int(mood+worth[at]+r.Float64()), 1), 5)
			rows[k] = plantedRow{int64(t.Users), int32(at + 1), float32(value)}
			t.add(at+1, value)
			at = (at + step) % plantedItems
		}
		if _, err := out.Write(rows); err != nil {
			return t, err
		}
	}
	return t, out.Close()
}
