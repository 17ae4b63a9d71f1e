// Command filmworld packs MovieTweetings' 100K snapshot for the demonstration world of films: those with ten ratings or more, and
// everybody's ratings of them, without times. From the module tools:
//
//	go run ./filmworld MOVIETWEETINGS ../app/demo/films
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// least is the number of ratings of a film that is kept.
const least = 10

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: filmworld MOVIETWEETINGS OUT")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "filmworld:", err)
		os.Exit(1)
	}
}

func pack(from, to string) error {
	count, rated := map[string]int{}, map[int]map[string]int{} // of films; by user and film
	err := lines(filepath.Join(from, "ratings.dat"), func(fields []string) error {
		user, err := strconv.Atoi(fields[0])
		if err != nil {
			return err
		}
		value, err := strconv.Atoi(fields[2])
		if err != nil || value < 0 || value > 10 {
			return fmt.Errorf("%q is no rating from 0 to 10", fields[2])
		}
		if rated[user] == nil {
			rated[user] = map[string]int{}
		}
		rated[user][fields[1]] = value
		return nil
	})
	if err != nil {
		return err
	}
	for _, films := range rated {
		for film := range films {
			count[film]++
		}
	}
	var catalogue bytes.Buffer
	place := map[string]int{}
	err = lines(filepath.Join(from, "movies.dat"), func(fields []string) error {
		if count[fields[0]] >= least {
			place[fields[0]] = len(place)
			fmt.Fprintln(&catalogue, strings.Join(fields, "::"))
		}
		return nil
	})
	if err != nil {
		return err
	}
	var tiers bytes.Buffer
	for _, user := range slices.Sorted(maps.Keys(rated)) {
		var of [11][]int // films by rating
		for film, value := range rated[user] {
			if at, kept := place[film]; kept {
				of[value] = append(of[value], at)
			}
		}
		var fields []string
		for value := 10; value >= 0; value-- {
			var texts []string
			for _, at := range slices.SortedFunc(slices.Values(of[value]), cmp.Compare[int]) {
				texts = append(texts, strconv.Itoa(at))
			}
			fields = append(fields, strings.Join(texts, ","))
		}
		if line := strings.TrimRight(strings.Join(fields, "|"), "|"); line != "" {
			fmt.Fprintln(&tiers, line)
		}
	}
	licence, err := os.ReadFile(filepath.Join(from, "LICENSE"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, "LICENSE"), licence, 0o666); err != nil {
		return err
	}
	if err := write(filepath.Join(to, "movies.dat.gz"), catalogue.Bytes()); err != nil {
		return err
	}
	return write(filepath.Join(to, "tiers.gz"), tiers.Bytes())
}

// lines calls a function with the fields of each line.
func lines(path string, each func(fields []string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	for n := 1; in.Scan(); n++ {
		fields := strings.Split(in.Text(), "::")
		if len(fields) < 3 {
			return fmt.Errorf("%s:%d: %d fields", path, n, len(fields))
		}
		if err := each(fields); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return in.Err()
}

func write(path string, content []byte) error {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o666)
}
