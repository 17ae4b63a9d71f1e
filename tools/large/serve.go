package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fubini/data/format"
	"fubini/data/ratings"
	"fubini/tools/peak"
)

// Of the people in the file servedPeople are asked for, after a few that are not timed.
const (
	servedPeople = 1000
	warmingUp    = 10
)

// serve starts a server with a model, and asks it for the best ten items of one person after another.
func serve(args []string) error {
	flags := flag.NewFlagSet("large serve", flag.ExitOnError)
	program := flags.String("fubini", "", "program to measure")
	flags.Parse(args)
	if flags.NArg() != 2 || *program == "" {
		return errors.New("usage: large serve -fubini PROGRAM MODEL PEOPLE; MODEL and PEOPLE (people.csv) are made by large")
	}
	set, _, err := format.Read(os.DirFS(filepath.Dir(flags.Arg(1))), filepath.Base(flags.Arg(1)), format.Options{})
	if err != nil {
		return err
	}
	if set.Users().Len() < servedPeople+warmingUp {
		return fmt.Errorf("%s has %d users; %d are needed", flags.Arg(1), set.Users().Len(), servedPeople+warmingUp)
	}
	version, err := peak.Version(*program)
	if err != nil {
		return err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := free.Addr().String()
	free.Close()
	started := time.Now()
	server := exec.Command(*program, "serve", flags.Arg(0), "--addr", address)
	server.Stderr = io.Discard
	if err := server.Start(); err != nil {
		return err
	}
	defer func() { server.Process.Kill(); server.Wait() }()
	ready := "http://" + address + "/readyz"
	for answer, err := http.Get(ready); err != nil || answer.StatusCode != http.StatusOK; answer, err = http.Get(ready) {
		if err == nil {
			answer.Body.Close()
		}
		if time.Since(started) > time.Minute {
			return fmt.Errorf("%s is not ready after a minute", strings.Join(server.Args, " "))
		}
		time.Sleep(time.Millisecond)
	}
	start := time.Since(started)
	var took []float64
	placed := 0
	for u := range servedPeople + warmingUp {
		body, items, err := tiersOf(set, u)
		if err != nil {
			return err
		}
		before := time.Now()
		if err := ask("http://"+address+"/v1/recommend", body); err != nil {
			return err
		}
		if u >= warmingUp {
			took = append(took, time.Since(before).Seconds()*1e3)
			placed += items
		}
	}
	memory := peak.Of(server.Process.Pid)
	slices.Sort(took)
	fmt.Printf("%d people, %d placed items each on average, one after another, client and server on the same cores; fubini %s.\n\n", servedPeople, placed/servedPeople, version)
	fmt.Println("| ready to answer after, s | half of the answers within, ms | 99 % within, ms | memory at its peak, MB |")
	fmt.Println("|---:|---:|---:|---:|")
	_, err = fmt.Printf("| %.2f | %.1f | %.1f | %.0f |\n", start.Seconds(), took[len(took)/2], took[len(took)*99/100], memory)
	return err
}

// tiersOf is the body of a request with all that a user placed, best first, and the number of these items.
func tiersOf(set *ratings.Set, user int) ([]byte, int, error) {
	levels := map[float32][]string{}
	row := set.Row(user)
	for k, item := range row.Items {
		levels[row.Values[k]] = append(levels[row.Values[k]], set.Items().ID(item))
	}
	var request struct {
		Tiers [][]string `json:"tiers"`
		N     int        `json:"n"`
	}
	request.N = 10
	for _, v := range slices.Backward(slices.Sorted(maps.Keys(levels))) {
		request.Tiers = append(request.Tiers, levels[v])
	}
	body, err := json.Marshal(request)
	return body, row.Len(), err
}

func ask(url string, body []byte) error {
	answer, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var got struct {
		Items []struct {
			Item string `json:"item"`
		} `json:"items"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK || len(got.Items) != 10 {
		return fmt.Errorf("%s: %s with %d items, not 10", url, answer.Status, len(got.Items))
	}
	return nil
}
