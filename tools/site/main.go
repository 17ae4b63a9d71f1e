// Site writes the documents as a site of static files:
//
//	go run -C tools ./site FOLDER
//
// The folder may be put on any web server, or opened from the disk; the search wants a server. `fubini serve` shows the same at /docs/.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"fubini/app/manual"
	"fubini/docs"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run -C tools ./site FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func write(folder string) error {
	site, err := manual.New(docs.Files)
	if err != nil {
		return err
	}
	for name, text := range site {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	fmt.Println(len(site), "files in", folder)
	return nil
}
