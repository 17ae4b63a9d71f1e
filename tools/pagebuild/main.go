// Pagebuild turns the page's TypeScript and style sheets into the committed build
// that app/web embeds. It needs no Node: esbuild is a Go library. Run it from the root:
//
//	go run -C tools ./pagebuild
//
// It also writes the bundle of unit tests that the browser tests load.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	web := flag.String("web", filepath.Join("..", "app", "web"), "folder of the page")
	flag.Parse()
	if err := write(*web); err != nil {
		fmt.Fprintln(os.Stderr, "pagebuild:", err)
		os.Exit(1)
	}
}

// write builds the page and puts every file that changed into its place.
func write(web string) error {
	made, err := build(web)
	if err != nil {
		return err
	}
	for name, text := range made {
		place := filepath.Join(web, filepath.FromSlash(name))
		if old, err := os.ReadFile(place); err == nil && bytes.Equal(old, text) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(place, text, 0o644); err != nil {
			return err
		}
		fmt.Println(name, len(text))
	}
	return nil
}
