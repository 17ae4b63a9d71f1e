package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// parts is the list of what the program is made of, as CycloneDX 1.5: the Go toolchain and every module with its checksum.
func (s *source) parts(program []byte) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	type component struct {
		Type    string `json:"type"`
		Ref     string `json:"bom-ref"`
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		PURL    string `json:"purl,omitempty"`
		Hashes  []any  `json:"hashes,omitempty"`
	}
	golang := func(path, version string) string { return "pkg:golang/" + path + "@" + version }
	whole := component{Type: "application", Ref: golang("fubini", s.version), Name: "fubini", Version: s.version, PURL: golang("fubini", s.version),
		Hashes: []any{map[string]string{"alg": "SHA-256", "content": fmt.Sprintf("%x", sha256.Sum256(program))}}}
	toolchain := strings.TrimPrefix(info.GoVersion, "go")
	list := []component{{Type: "library", Ref: golang("stdlib", toolchain), Name: "stdlib", Version: toolchain, PURL: golang("stdlib", toolchain)}}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		list = append(list, component{Type: "library", Ref: golang(d.Path, d.Version), Name: d.Path, Version: d.Version, PURL: golang(d.Path, d.Version)})
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
