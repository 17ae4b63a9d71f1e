package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// notices is the file of third-party licences, which tools/licences makes.
const notices = "cmd/fubini/program/licences.txt"

// licencesOf are the licences of a part in the list at the head of the notices.
func licencesOf(notices, part string) []string {
	list, _, _ := strings.Cut(notices, "\n---")
	_, rest, found := strings.Cut(list, "\n"+part+": ")
	if !found {
		return nil
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Split(line, ", ")
}

// parts is the list of what the programs are made of, as CycloneDX 1.5: the Go toolchain and every module of any of them, with the
// checksum that go.sum has of it.
func (s *source) parts(programs map[platform][]byte) ([]byte, error) {
	modules, toolchain := map[string]*debug.Module{}, ""
	for p, program := range programs {
		info, err := buildinfo.Read(bytes.NewReader(program))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		toolchain = strings.TrimPrefix(info.GoVersion, "go")
		for _, d := range info.Deps {
			if d.Replace != nil && !strings.HasPrefix(d.Replace.Path, ".") { // a folder of the repository has the name of what it stands for
				d = d.Replace
			}
			modules[d.Path] = d
		}
	}
	type component struct {
		Type     string `json:"type"`
		Ref      string `json:"bom-ref"`
		Name     string `json:"name"`
		Version  string `json:"version,omitempty"`
		Hashes   []any  `json:"hashes,omitempty"`
		Licences []any  `json:"licenses,omitempty"`
		PURL     string `json:"purl,omitempty"`
	}
	notices, err := os.ReadFile(filepath.Join(s.root, notices))
	if err != nil {
		return nil, err
	}
	golang := func(path, version string) string { return "pkg:golang/" + path + "@" + version }
	whole := component{Type: "application", Ref: golang("fubini", s.version), Name: "fubini", Version: s.version, PURL: golang("fubini", s.version)}
	list := []component{{Type: "library", Ref: golang("stdlib", toolchain), Name: "stdlib", Version: toolchain, PURL: golang("stdlib", toolchain)}}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		d := modules[path]
		c := component{Type: "library", Ref: golang(d.Path, d.Version), Name: d.Path, Version: d.Version, PURL: golang(d.Path, d.Version)}
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(d.Sum, "h1:")); err == nil && len(sum) == sha256.Size {
			c.Hashes = []any{map[string]string{"alg": "SHA-256", "content": hex.EncodeToString(sum)}}
		}
		for _, id := range licencesOf(string(notices), d.Path+" "+d.Version) {
			key := "id" // of SPDX
			if strings.Contains(id, " ") {
				key = "name" // public domain
			}
			c.Licences = append(c.Licences, map[string]any{"license": map[string]string{key: id}})
		}
		list = append(list, c)
	}
	depends := make([]string, len(list))
	for k, c := range list {
		depends[k] = c.Ref
	}
	text, err := json.MarshalIndent(map[string]any{
		"$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":     map[string]any{"timestamp": s.time.Format(time.RFC3339), "component": whole},
		"components":   list,
		"dependencies": []any{map[string]any{"ref": whole.Ref, "dependsOn": depends}},
	}, "", "  ")
	return append(text, '\n'), err
}
